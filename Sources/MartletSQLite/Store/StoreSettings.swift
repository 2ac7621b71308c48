internal import MartletCache
internal import MartletEssentials
internal import MartletSystem

/// The settings of a store.
struct StoreSettings: Sendable {
    let capacity: Int64
    let limits: SQLiteCacheStore.Limits
    let time: any TimeSource
    var report: @Sendable (SQLiteCacheStore.Event) -> Void
    /// The process that created the store.
    let process = getpid()
    /// The maximum number of pages of the file, for tests of a full disk.
    var maxPages: Int?

    /// The wall clock in milliseconds.
    var milliseconds: Int64 { Int64(time.now.timeIntervalSince1970 * 1000) }

    /// The maximum length of a stored body.
    var maxBodyBytes: Int64 { max(0, min(limits.maxBodyBytes ?? capacity / 2, capacity, Int64(chunkBytes) * (Schema.maxChunks - 1))) }

    /// The limit on the bytes of all unfinished bodies: the maximum length of one body, or half of the capacity if that is more.
    var maxUnfinished: Int64 { max(maxBodyBytes, capacity / 2) }

    /// The length of a chunk, which is also the memory that a writer needs.
    var chunkBytes: Int { min(max(limits.chunkBytes, 4096), 64 << 20) }

    /// The maximum length of a body that is stored with its head.
    var inlineBytes: Int { min(max(limits.inlineBytes, 0), 16 << 20) }
}
