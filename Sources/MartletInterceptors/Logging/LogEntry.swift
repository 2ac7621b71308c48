/// What a ``LoggingInterceptor`` has to say at one moment of a call. Its message is without secrets.
public struct LogEntry: Sendable {
    /// How much an entry matters.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// For whoever looks for a fault: a request on its way, the content of a stream.
        case debug
        /// As usual: an answer from 100 to 399, a cancellation.
        case info
        /// Something was refused: an answer from 400 to 499.
        case warning
        /// Something failed: an answer from 500 on, or none.
        case error

        /// Compares by importance.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What an entry is about.
    public enum Event: Sendable {
        /// A request sets out.
        case request
        /// A response has come, after this time.
        case response(HTTPStatus, Duration)
        /// The call failed, after this time.
        case failure(HTTPError, Duration)
        /// The start of a body that came as a stream, once so much was read of it, or all.
        case streamedBody
    }

    /// How much it matters.
    public let level: Level
    /// What it is about.
    public let event: Event
    /// Which request of its interceptor it is about: entries with the same number belong together.
    public let number: Int
    /// The request. Its description is without secrets; its parts are as they are.
    public let request: HTTPRequest
    /// The text: one line, and for details further lines, indented. Secrets are hidden and control characters made visible.
    public let message: String
}
