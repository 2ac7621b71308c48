/// What was wrong, in words for developers, with the context around it. Two are equal when their words are.
public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// What was wrong. Secrets are left out by whoever writes it.
    public let text: String
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// An explanation.
    public init(_ text: String, context: ErrorContext = .init()) {
        self.text = text
        self.context = context
    }

    /// An explanation without a context.
    public init(stringLiteral value: String) { self.init(value) }

    /// The words.
    public var description: String { text }
}

extension Explanation: ErrorPayload {
    package func isSame(as other: Explanation) -> Bool { text == other.text }
}
