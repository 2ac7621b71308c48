/// Why there is no next page, although there should be one.
public struct PagingFailure: Sendable {
    /// What failed.
    @nonexhaustive public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The next page is one that has been got already: going on would never end.
        case loop
        /// The next page is where nobody may go: not `http` or `https`, from `https` to `http`, or no URL.
        case refusedTarget
        /// The answer says that there is more, and not where.
        case missingCursor
        /// There are more pages than `PagingOptions.maxPages`.
        case tooManyPages
    }

    /// What failed.
    public let kind: Kind
    /// In words for developers, secrets left out.
    public let explanation: String
    /// The request that led here, and what is around it.
    public var context: ErrorContext

    /// A failure of going from page to page.
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
