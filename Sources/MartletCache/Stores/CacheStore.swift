public import MartletEssentials

/// Where a cache stores its responses: in memory, on disk, or on a shared server.
///
/// A store contains no HTTP logic. One store may serve many clients, and its methods may be called concurrently. Its duties, in the order
/// of a response's life:
///
/// 1. Write the body as it arrives (``writer(for:length:)``), and refuse a response that is too large. Nothing is found before
///    ``CacheWriter/finish()``, and nothing remains of a writer that is released earlier.
/// 2. Keep one response for each ``StoredResponse/key`` and ``StoredResponse/variantKey``: a finished one replaces the earlier one. Write
///    the head as ``StoredResponse/encoded``, and read it with ``StoredResponse/init(encoded:)``.
/// 3. Find all responses of a key (``entries(for:)``). A body can be read more than once, and is the bytes that were written or an error.
/// 4. Replace a head (``update(_:)``) or remove a response (``remove(_:)``) only if the stored one has the same id.
/// 5. When the store is full, remove responses, the least recently used first.
/// 6. Throw a ``CacheStoreError`` in time instead of waiting. It never fails a call: the cache continues without the store and reports the
///    error. This also holds for an unreadable body, except one that is delivered as a stream.
///
/// The article "Choosing a cache store" of the module `Martlet` shows a store, which `CacheStoreConformance` of the product
/// `MartletConformance` checks.
public protocol CacheStore: Sendable {
    /// Returns all complete responses for a key with their bodies, in any order. The lookup counts as a use.
    ///
    /// A body that is not in memory must be readable more than once. It must return exactly the bytes that were written, and throw instead
    /// of ending early.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// Begins to store a response, and returns a writer for its body, or nil if the response is too large. It must not be found before the
    /// writer has finished.
    ///
    /// - Parameters:
    ///   - response: The head of the response to store.
    ///   - length: The size of the body in bytes, if it is known.
    /// - Returns: A writer, or nil if the response is too large to be stored.
    func writer(for response: StoredResponse, length: Int64?) async throws(CacheStoreError) -> (any CacheWriter)?

    /// Replaces the head of the stored response with the same id and key, and keeps its body; does nothing if none is stored.
    func update(_ response: StoredResponse) async throws(CacheStoreError)

    /// Removes the response with the same id and key, if it exists.
    func remove(_ response: StoredResponse) async throws(CacheStoreError)

    /// Removes all responses for a target URI, in every scope.
    func removeAll(for uri: String) async throws(CacheStoreError)

    /// Removes all responses.
    func removeAll() async throws(CacheStoreError)

    /// Registers a closure for notices: events that are not thrown as errors, such as a damaged file that was set aside, as text for
    /// developers. The closure is used until the returned registration is released. Default: does nothing.
    func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration
}

extension CacheStore {
    /// Does nothing, for stores without notices.
    public func reportNotices(to report: @escaping @Sendable (_ notice: String) -> Void) -> NoticeRegistration { NoticeRegistration() }
}

/// A registration for a store's notices, which ends when this object is released.
public final class NoticeRegistration: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a registration that calls `end` when it is released. Default: does nothing.
    public init(end: @escaping @Sendable () -> Void = {}) { self.end = end }

    deinit { end() }
}

/// An object that writes the body of one response into a store. Only one task uses it at a time.
///
/// A writer that is released before it has finished stores nothing.
public protocol CacheWriter: AnyObject, Sendable {
    /// Writes the next bytes of the body, or returns false if the response has become too large, so that nothing of it is stored.
    func write(_ chunk: Data) async throws(CacheStoreError) -> Bool

    /// Makes the response available, in place of one with the same key and variant key. Called once, after the whole body.
    func finish() async throws(CacheStoreError)
}

/// A stored response with its body.
public struct CacheEntry: Sendable {
    /// The head of the response.
    public let response: StoredResponse
    /// The body, which can be read more than once.
    public let body: HTTPBody

    /// Creates an entry from the head of a response and its body.
    public init(response: StoredResponse, body: HTTPBody) {
        self.response = response
        self.body = body
    }
}

/// The failure of an operation on a cache store.
public struct CacheStoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// Something that the store depends on is missing or can't be reached: a library, a server or a directory.
        case unavailable
        /// The stored data cannot be read.
        case corrupt
        /// The store, or the disk that it is on, has no space left.
        case full
        /// The operation exceeded its time limit.
        case timeout
        /// The caller's task was cancelled.
        case cancelled
        /// Any other failure.
        case failed
    }

    /// The kind of failure.
    public let kind: Kind
    /// The failure as text for developers. If a library is missing, it names the package to install.
    public let detail: String
    /// The error that caused the failure, or nil.
    public let underlying: (any Error)?
    /// Whether the store could not be opened or reached, so that every operation fails in the same way. A cache reports such a failure
    /// once, and again when it changes. Default: true for `.unavailable`.
    public let isOfOpening: Bool

    /// Creates an error of a cache store.
    public init(_ kind: Kind, _ detail: String, underlying: (any Error)? = nil, isOfOpening: Bool? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
        self.isOfOpening = isOfOpening ?? (kind == .unavailable)
    }

    /// The kind and the description, for developers.
    public var description: String { "\(kind): \(detail)" }
}

/// Decides which opening failures to report. A store that cannot be opened fails every call in the same way, which is reported once.
package struct FailureReports: Sendable {
    private var last: (kind: CacheStoreError.Kind, detail: String)?

    package init() {}

    /// Returns whether to report an opening failure: it is the first since the store was last open, or it differs from the last one.
    package mutating func isNews(_ error: CacheStoreError) -> Bool {
        defer { last = (error.kind, error.detail) }
        return last.map { $0 != (error.kind, error.detail) } ?? true
    }

    /// Records that the store could be opened.
    package mutating func succeeded() { last = nil }
}
