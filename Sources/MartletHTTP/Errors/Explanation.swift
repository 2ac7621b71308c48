extension HTTPError {
    /// An explanation of a failure for developers, with its context. Errors that differ only in their explanations are equal.
    public struct Explanation: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
        /// The explanation, without secrets.
        public var text: String { makeText() }
        /// The request, the stage, the number of attempts and the underlying error.
        public var context: ErrorContext

        /// A closure, which shows nothing of what it captures.
        private let makeText: @Sendable () -> String

        /// Creates an explanation from a text that contains no secrets.
        public init(_ text: String, context: ErrorContext = .init()) { self.init(lazily: text, context: context) }

        /// Creates an explanation whose text is built each time it is read. It may quote values of a server, with their secrets masked.
        package init(lazily text: @autoclosure @escaping @Sendable () -> String, context: ErrorContext = .init()) {
            makeText = text
            self.context = context
        }

        /// Creates an explanation without a context.
        public init(stringLiteral value: String) { self.init(value) }

        /// The explanation, without secrets.
        public var description: String { text }
    }
}

extension HTTPError.Explanation: CustomDebugStringConvertible, CustomReflectable, RedactedReflection {}

package typealias Explanation = HTTPError.Explanation

extension Explanation: ErrorPayload {
    package func isSame(as other: Explanation) -> Bool { true }
}
