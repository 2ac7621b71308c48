/// An explanation of a failure for developers, with its context. Errors that differ only in their explanation are equal.
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
    package func isSame(as other: Explanation) -> Bool { true }
}
