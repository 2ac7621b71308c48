public import MartletEssentials

/// Where a cache keeps its responses: in memory, on disk, in a server that many share.
///
/// A store decides nothing about HTTP: it finds by ``StoredResponse/key``, keeps one response for each key and
/// ``StoredResponse/variantKey``, and lets go of some when it is full. It writes a head as ``StoredResponse/encoded``, and reads it with
/// ``StoredResponse/init(encoded:)``. The
/// same store may serve many clients at once, and a method may be called by any number of tasks.
///
/// An error that is thrown never fails a call: the cache goes on without the store, and reports it. So it does with a body that can't be read, but
/// for one that is handed on as a stream.
public protocol CacheStore: Sendable {
    /// All responses that are stored whole for a key, with their bodies, in any order. Finding counts as use.
    ///
    /// A body that is not in memory is made anew for each reader, gives exactly the bytes that were written, and ends with an error when it
    /// can't: never short.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// Begins to store a response. Nothing of it can be found until the writer has finished.
    ///
    /// - Parameter length: how many bytes the body will have, when it is known.
    /// - Returns: nil when it is too large to be kept.
    func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)?

    /// Replaces the head of the stored response that has the same id and key, and leaves its body; does nothing when that is not there.
    func update(_ response: StoredResponse) async throws(CacheStoreError)

    /// Removes the response that has this one's id and key, if it is there.
    func remove(_ response: StoredResponse) async throws(CacheStoreError)

    /// Removes all responses for a target URI, in whatever scope.
    func removeAll(for uri: String) async throws(CacheStoreError)

    /// Removes everything.
    func removeAll() async throws(CacheStoreError)

    /// Has the store report what happens to it besides the failures it throws, such as a damaged file that it set aside, in words for
    /// developers. The closure is kept as long as the registration that is returned. Default: does nothing.
    func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration
}

extension CacheStore {
    /// Does nothing: the store has no notices.
    public func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration { NoticeRegistration() }
}

/// A closure that a store reports its notices to: it ends when the value is released.
public final class NoticeRegistration: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a registration that calls `end` when it is released. Default: does nothing.
    public init(end: @escaping @Sendable () -> Void = {}) { self.end = end }

    deinit { end() }
}

/// A response on its way into a store. One task uses it at a time.
///
/// A writer that is let go of without having finished leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes of the body. False when it has become too large to be kept: nothing of it is, and no more is wanted.
    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool

    /// Makes the response findable, in place of one that has the same key and variant key. To be called once, after the whole body.
    func finish() async throws(CacheStoreError)
}

/// A stored response with its body.
public struct CacheEntry: Sendable {
    /// The response's head.
    public let response: StoredResponse
    /// The body, which can be read more than once.
    public let body: HTTPBody

    /// A stored response with its body.
    public init(response: StoredResponse, body: HTTPBody) {
        self.response = response
        self.body = body
    }
}
