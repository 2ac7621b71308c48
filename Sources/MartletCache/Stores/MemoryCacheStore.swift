internal import MartletEssentials
internal import MartletSystem

/// Keeps responses in memory: for as long as the process lives, and within a number of bytes.
///
/// ```swift
/// let store = MemoryCacheStore(capacity: 64 << 20)
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: store)])
/// ```
///
/// What has been used more than once stays longer than what was stored and never asked for again: each is let go of when what was not used
/// for longest among its kind must make room. Finding, storing and letting go take the same time however much is stored. Bodies that are
/// still being read take no more than the capacity besides: past it they are not kept.
public final class MemoryCacheStore: CacheStore {
    private let lru: Locked<SegmentedLRU>
    private let maxEntryBytes: Int
    private let pending: PendingBytes

    /// A store.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes bodies and fields may take together. Default: 64 MiB.
    ///   - maxEntryBytes: how many bytes one response may take; a larger one is not kept. Default: an eighth of the capacity.
    public init(capacity: Int = 64 << 20, maxEntryBytes: Int? = nil) {
        self.maxEntryBytes = min(maxEntryBytes ?? capacity / 8, capacity)
        lru = Locked(SegmentedLRU(capacity: capacity))
        pending = PendingBytes(limit: capacity)
    }

    /// How many responses are kept.
    public var count: Int { lru.withLock { $0.count } }

    /// About how many bytes they take.
    public var byteCount: Int { lru.withLock { $0.bytes } }

    /// How many bytes of bodies are there that are not whole yet: for tests.
    package var pendingByteCount: Int { pending.count }

    /// The responses for a key, with their bodies as they are in memory.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { lru.withLock { $0.entries(for: key) } }

    /// Collects a body, as long as it is no larger than the largest entry.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        let room = maxEntryBytes - SegmentedLRU.overhead(of: response)
        guard room >= 0, length ?? 0 <= Int64(room) else { return nil }
        return MemoryCacheWriter(response, room: room, pending) { [lru] entry in lru.withLock { $0.keep(entry) } }
    }

    /// Replaces a head.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) { lru.withLock { $0.update(response) } }

    /// Removes a response.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) { lru.withLock { $0.remove(response) } }

    /// Removes the responses for a target.
    public func removeAll(for uri: String) async throws(CacheStoreError) { lru.withLock { $0.removeAll(for: uri) } }

    /// Removes everything.
    public func removeAll() async throws(CacheStoreError) { lru.withLock { $0.removeAll() } }
}

/// Counts the bytes of all bodies that are being collected.
private final class PendingBytes: Sendable {
    private let limit: Int
    private let taken = Locked(0)

    init(limit: Int) { self.limit = limit }

    var count: Int { taken.withLock { $0 } }

    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    func giveBack(_ count: Int) { taken.withLock { $0 -= count } }
}

/// Collects a body, as long as there is room.
private final class MemoryCacheWriter: CacheWriter {
    private let response: StoredResponse
    private let room: Int
    private let pending: PendingBytes
    private let keep: @Sendable (CacheEntry) -> Void
    private let bytes = Locked<Data?>(Data())

    init(_ response: StoredResponse, room: Int, _ pending: PendingBytes, keep: @escaping @Sendable (CacheEntry) -> Void) {
        self.response = response
        self.room = room
        self.pending = pending
        self.keep = keep
    }

    deinit { _ = letGo() }

    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
        guard pending.take(chunk.count) else {
            _ = letGo()
            return false
        }
        let isKept = bytes.withLock { bytes in
            guard let count = bytes?.count, count + chunk.count <= room else { return false }
            // One chunk is kept as it is: a body in memory is not copied. But bodies begin at 0.
            if count == 0 { bytes = chunk.startIndex == 0 ? chunk : Data(chunk) } else { bytes?.append(chunk) }
            return true
        }
        if !isKept {
            pending.giveBack(chunk.count)
            _ = letGo()
        }
        return isKept
    }

    func finish() async throws(CacheStoreError) {
        if let whole = letGo() { keep(CacheEntry(response: response, body: HTTPBody(whole))) }
    }

    private func letGo() -> Data? {
        let collected = bytes.withLock { $0.take() }
        if let collected { pending.giveBack(collected.count) }
        return collected
    }
}
