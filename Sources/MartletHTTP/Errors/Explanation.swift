extension HTTPError {
    /// An explanation of a failure for developers, with its context. Errors that differ only in their explanations are equal.
    public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The explanation, without secrets.
        public let text: String
        /// The request, the stage, the number of attempts and the underlying error.
        public var context: ErrorContext

        /// Creates an explanation from a text that contains no secrets.
        public init(_ text: String, context: ErrorContext = .init()) {
            self.text = text
            self.context = context
        }

        /// Creates an explanation without a context.
        public init(stringLiteral value: String) { self.init(value) }

        /// The explanation, without secrets.
        public var description: String { text }
    }
}

package typealias Explanation = HTTPError.Explanation

extension Explanation: ErrorPayload {
    package func isSame(as other: Explanation) -> Bool { true }
}
