/// Why a store could not do what it was asked.
public struct CacheStoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// What the store is made on is not there: a library, a server, a directory.
        case unavailable
        /// What was stored can't be read.
        case corrupt
        /// There is no room.
        case full
        /// It took longer than it may.
        case timeout
        /// The caller's task was cancelled.
        case cancelled
        /// Anything else.
        case failed
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// What happened, for developers: with the package to install where one is missing.
    public let detail: String
    /// The error behind it.
    public let underlying: (any Error)?
    /// Whether the store could not be opened or reached, so that every call fails in the same way. A cache reports such a failure once, and
    /// again when it changes. Default: true for `.unavailable`.
    public let isOfOpening: Bool

    /// A failure.
    public init(_ kind: Kind, _ detail: String, underlying: (any Error)? = nil, isOfOpening: Bool? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
        self.isOfOpening = isOfOpening ?? (kind == .unavailable)
    }

    /// The kind and what happened.
    public var description: String { "\(kind): \(detail)" }
}
