/// Why the next page could not be loaded.
public struct PagingFailure: Sendable {
    /// The kind of paging failure.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The next page was already loaded, so paging would never end.
        case loop
        /// The URL of the next page is not allowed: invalid, neither `http` nor `https`, or a change from `https` to `http`.
        case refusedTarget
        /// The response says that more pages exist, but has no cursor for the next one.
        case missingCursor
        /// More pages follow than `PagingOptions.maxPages` allows.
        case tooManyPages
    }

    /// The kind of failure.
    public let kind: Kind
    /// An explanation for developers, without secrets.
    public let explanation: String
    /// The request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext

    /// Creates a paging failure.
    public init(_ kind: Kind, _ explanation: String = "", context: ErrorContext = .init()) {
        self.kind = kind
        self.explanation = explanation
        self.context = context
    }
}

extension PagingFailure: ErrorPayload {
    package var text: String { kind.rawValue + explanation.inParentheses }

    package func isSame(as other: PagingFailure) -> Bool { kind == other.kind }
}
