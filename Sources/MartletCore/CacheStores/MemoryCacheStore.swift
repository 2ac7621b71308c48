#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Keeps responses in memory: for as long as the process lives, and within a number of bytes.
///
/// ```swift
/// let store = MemoryCacheStore(capacity: 64 << 20)
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: store)])
/// ```
///
/// What has been used more than once stays longer than what was stored and never asked for again: each is let go of when what was not used
/// for longest among its kind must make room. Finding, storing and letting go take the same time however much is stored.
public final class MemoryCacheStore: CacheStore {
    private let shelf: Locked<CacheShelf>
    private let largestEntry: Int

    /// A store.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes bodies and fields may take together. Default: 64 MiB.
    ///   - largestEntry: how many bytes one response may take; a larger one is not kept. Default: an eighth of the capacity.
    public init(capacity: Int = 64 << 20, largestEntry: Int? = nil) {
        self.largestEntry = min(largestEntry ?? capacity / 8, capacity)
        shelf = Locked(CacheShelf(capacity: capacity))
    }

    /// How many responses are kept.
    public var count: Int { shelf.withLock { $0.count } }

    /// About how many bytes they take.
    public var byteCount: Int { shelf.withLock { $0.bytes } }

    /// The responses for a key, with their bodies as they are in memory.
    public func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry] { shelf.withLock { $0.entries(for: key) } }

    /// Collects a body, as long as it is no larger than the largest entry.
    public func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)? {
        let room = largestEntry - CacheShelf.overhead(of: response)
        guard room >= 0, length ?? 0 <= Int64(room) else { return nil }
        return MemoryCacheWriter(response, room: room) { [self] entry in keep(entry) }
    }

    /// Replaces a head.
    public func update(_ response: StoredResponse) async throws(CacheStoreError) { shelf.withLock { $0.update(response) } }

    /// Removes a response.
    public func remove(_ response: StoredResponse) async throws(CacheStoreError) { shelf.withLock { $0.remove(response) } }

    /// Removes the responses for a target.
    public func removeAll(for uri: String) async throws(CacheStoreError) { shelf.withLock { $0.removeAll(for: uri) } }

    /// Removes everything.
    public func removeAll() async throws(CacheStoreError) { shelf.withLock { $0.removeAll() } }

    private func keep(_ entry: CacheEntry) { shelf.withLock { $0.keep(entry) } }
}

/// Collects a body, as long as there is room.
private final class MemoryCacheWriter: CacheWriter {
    private let response: StoredResponse
    private let room: Int
    private let keep: @Sendable (CacheEntry) -> Void
    private let bytes = Locked<Data?>(Data())

    init(_ response: StoredResponse, room: Int, keep: @escaping @Sendable (CacheEntry) -> Void) {
        self.response = response
        self.room = room
        self.keep = keep
    }

    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool {
        bytes.withLock { bytes in
            guard let count = bytes?.count, count + chunk.count <= room else {
                bytes = nil
                return false
            }
            // One chunk is kept as it is: a body in memory is not copied.
            if count == 0 { bytes = chunk } else { bytes?.append(chunk) }
            return true
        }
    }

    func finish() async throws(CacheStoreError) {
        let whole = bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
        if let whole { keep(CacheEntry(response: response, body: HTTPBody(whole))) }
    }
}
