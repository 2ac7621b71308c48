internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// What a store was made with.
struct StoreSettings: Sendable {
    let capacity: Int64
    let limits: SQLiteCacheStore.Limits
    let time: any TimeSource
    var report: @Sendable (SQLiteCacheStore.Event) -> Void
    /// The process that the store was made in.
    let process = getpid()
    /// How many pages the file may have: for tests of a disk that is full.
    var maxPages: Int?

    /// The wall clock.
    var milliseconds: Int64 { Int64(time.now.timeIntervalSince1970 * 1000) }

    /// The longest body that is kept.
    var maxBodyBytes: Int64 { max(0, min(limits.maxBodyBytes ?? capacity / 2, capacity, Int64(chunkBytes) * (Schema.maxChunks - 1))) }

    /// How much there may be of bodies that are being written, whole ones of the greatest length or half of the capacity.
    var maxUnfinished: Int64 { max(maxBodyBytes, capacity / 2) }

    /// The length of a chunk, which is also what a writer has in memory.
    var chunkBytes: Int { min(max(limits.chunkBytes, 4096), 64 << 20) }

    /// The longest body that stands beside its head.
    var inlineBytes: Int { min(max(limits.inlineBytes, 0), 16 << 20) }
}
