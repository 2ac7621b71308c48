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
