internal import MartletEssentials
internal import MartletSystem

/// A cache store in memory, with a limited size. Its responses last as long as the store.
///
/// ```swift
/// let store = MemoryCacheStore(capacity: 64 << 20)
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: store)])
/// ```
///
/// Responses that have been used since they were stored stay longer than unused ones. Within each group, the least recently used is
/// removed first. Every operation takes constant time. Bodies that are still being read may use as much memory as the capacity again;
/// beyond that they are not stored.
public final class MemoryCacheStore: CacheStore {
    private let lru: Locked<SegmentedLRU>
    private let maxEntryBytes: Int
    private let pending: PendingBytes

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - capacity: The maximum size of all responses with their fields, in bytes. Default: 64 MiB.
    ///   - maxEntryBytes: The maximum size of one response, in bytes. A larger one is not stored. Default: an eighth of the capacity.
    public init(capacity: Int = 64 << 20, maxEntryBytes: Int? = nil) {
        self.maxEntryBytes = min(maxEntryBytes ?? capacity / 8, capacity)
        lru = Locked(SegmentedLRU(capacity: capacity))
        pending = PendingBytes(limit: capacity)
    }

    /// The number of stored responses.
    public var count: Int { lru.withLock { $0.count } }

    /// The approximate size of all stored responses, in bytes.
    public var byteCount: Int { lru.withLock { $0.bytes } }

    /// The size of the bodies that are still being read, in bytes. For tests.
    var pendingByteCount: Int { pending.count }

    /// Returns the responses for a key with their bodies.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { lru.withLock { $0.entries(for: key) } }

    /// Begins to store a response, and returns a writer for its body, or nil if the response exceeds the maximum size of one.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        let room = maxEntryBytes - SegmentedLRU.overhead(of: response)
        guard room >= 0, length ?? 0 <= Int64(room) else { return nil }
        return MemoryCacheWriter(response, room: room, pending) { [lru] entry in lru.withLock { $0.keep(entry) } }
    }

    /// Replaces the head of the stored response with the same id and key; does nothing if none is stored.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) { lru.withLock { $0.update(response) } }

    /// Removes the response with the same id and key, if it is stored.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) { lru.withLock { $0.remove(response) } }

    /// Removes the responses for a target URI, in every scope.
    public func removeAll(for uri: String) async throws(CacheStoreError) { lru.withLock { $0.removeAll(for: uri) } }

    /// Removes all responses.
    public func removeAll() async throws(CacheStoreError) { lru.withLock { $0.removeAll() } }
}

/// Counts the bytes of all bodies that are being read.
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

/// Collects a body while it stays within the limits.
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
            // A single chunk is kept without copying. `Data` must begin at index 0, which a slice may not.
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
