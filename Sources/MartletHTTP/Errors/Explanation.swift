extension HTTPError {
    /// An explanation of a failure for developers, with its context. Errors that differ only in their explanation are equal.
    public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// What was wrong, without secrets.
        public let text: String
        /// The request, stage and cause around it.
        public var context: ErrorContext

        /// Creates an explanation.
        public init(_ text: String, context: ErrorContext = .init()) {
            self.text = text
            self.context = context
        }

        /// Creates an explanation without a context.
        public init(stringLiteral value: String) { self.init(value) }

        /// The text.
        public var description: String { text }
    }
}

package typealias Explanation = HTTPError.Explanation

extension Explanation: ErrorPayload {
    package func isSame(as other: Explanation) -> Bool { true }
}
