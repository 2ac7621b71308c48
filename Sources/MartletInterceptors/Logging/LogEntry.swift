/// One entry that a ``LoggingInterceptor`` writes about a request, as text and as values. Its message contains no secrets.
public struct LogEntry: Sendable {
    /// The importance of an entry.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A detail for finding faults, such as that a request is about to be sent, or the content of a stream.
        case debug
        /// A normal event, such as a status from 100 to 399, or a cancellation.
        case info
        /// A request that the server rejected with a status from 400 to 499.
        case warning
        /// A failure, such as a status of 500 or above, or no response.
        case error

        /// Returns whether the left level is less important.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The event that an entry describes.
    public enum Event: Sendable {
        /// A request is about to be sent.
        case request
        /// A response with this status has arrived, this time after the request.
        case response(HTTPStatus, Duration)
        /// The request has failed with this error, this time after it was sent.
        case failure(HTTPError, Duration)
        /// The start of a streamed body, or the whole body, has been read and is part of the message.
        case streamedBody
    }

    /// The importance of the entry.
    public let level: Level
    /// The event that the entry describes.
    public let event: Event
    /// The number of the request among those of its interceptor, from 1. Entries with the same number belong to the same request.
    public let number: Int
    /// The request as the interceptor received it. Its description contains no secrets, but its properties may.
    public let request: HTTPRequest
    /// The text: one line, and indented lines with details. Secrets are hidden, and control characters are made visible.
    public let message: String
}
