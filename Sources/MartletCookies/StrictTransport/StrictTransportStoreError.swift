/// The failure of a store to load or save the hosts that require `https`.
public struct StrictTransportStoreError: HTTPErrorCausedError, Sendable, CustomStringConvertible {
    /// The reason why a store failed.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// The file or its folder can't be read or written, or belongs to another user, or is a symbolic link.
        case unavailable
        /// The stored data is damaged. A ``FileStrictTransportStore`` renames the file, reports this error, and begins without hosts.
        case corrupt
        /// The disk or the user's quota is full.
        case full
        /// The caller's task was cancelled.
        case cancelled
        /// Any other failure, for stores of your own.
        case other
    }

    /// The reason of the failure.
    public let kind: Kind
    /// The failure as text for developers.
    public let detail: String
    /// The error that caused the failure, or nil.
    public let underlying: (any Error)?

    /// Creates an error of a store.
    public init(_ kind: Kind, _ detail: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlying = underlying
    }

    package var httpCause: HTTPError? { kind == .cancelled ? .cancelled : underlying.flatMap { HTTPError.cause(of: $0) } }

    /// The kind and the detail, for developers.
    public var description: String { Redaction.visible("\(kind): \(detail)") }
}
