/// An entry of a ``LoggingInterceptor``. Its message contains no secrets.
public struct LogEntry: Sendable {
    /// The importance of an entry.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Details for finding faults: a request is sent, the content of a stream.
        case debug
        /// Normal events: a status from 100 to 399, a cancellation.
        case info
        /// A rejected request: a status from 400 to 499.
        case warning
        /// A failure: a status of 500 or above, or no response.
        case error

        /// Compares by importance.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The event of an entry.
    public enum Event: Sendable {
        /// A request is about to be sent.
        case request
        /// A response has arrived, after this time.
        case response(HTTPStatus, Duration)
        /// The call has failed, after this time.
        case failure(HTTPError, Duration)
        /// The start of a streamed body, after that start or the whole body was read.
        case streamedBody
    }

    /// The importance of the entry.
    public let level: Level
    /// The event that the entry describes.
    public let event: Event
    /// The number of the request within its interceptor. Entries with the same number belong to the same request.
    public let number: Int
    /// The request. Its description contains no secrets, but its properties may.
    public let request: HTTPRequest
    /// The text: one line, and indented lines with details. Secrets are hidden, and control characters are made visible.
    public let message: String
}
