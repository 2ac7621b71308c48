extension APIError {
    /// The cause of an error: another error, or a text for developers.
    public struct Cause: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
        /// The error that is the cause, or nil if there is only a text.
        public let underlying: (any Error)?
        private let text: String

        /// Creates a cause from the error that caused the failure.
        public init(_ underlying: any Error) {
            self.underlying = underlying
            text = ""
        }

        /// Creates a cause from a text for developers.
        public init(_ text: String) {
            underlying = nil
            self.text = text
        }

        /// Creates a cause from a text for developers.
        public init(stringLiteral text: String) { self.init(text) }

        /// The text for developers.
        public var description: String { underlying.map { "\($0)" } ?? text }

        /// The text after a colon, or an empty string.
        var afterColon: String {
            let text = description
            return text.isEmpty ? "" : ": \(text)"
        }
    }
}
