public import MartletClient

/// One entry that a ``LoggingObserver`` or a ``LoggingInterceptor`` writes, as text and as values. Its message contains no secrets.
public struct LogEntry: Sendable {
    /// The importance of an entry.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A detail for finding faults, such as that a request is about to be sent, or the content of a stream.
        case debug
        /// A normal event, such as a status from 100 to 399, or a cancellation.
        case info
        /// A status from 400 to 499.
        case warning
        /// A failure, such as a status of 500 or above, no response, or one that could not be decoded.
        case error

        /// The importance of a response with this status.
        init(_ status: HTTPStatus) {
            self =
                switch status.kind {
                case .clientError: .warning
                case .serverError: .error
                default: .info
                }
        }

        /// The level of a failure. A cancellation is not an error.
        init(_ error: HTTPError) { self = error == .cancelled ? .info : .error }

        /// Returns whether the left level is less important.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The event that an entry describes.
    @nonexhaustive public enum Event: Sendable {
        /// A request is about to be sent, or a call begins with it.
        case request
        /// A response with this status has arrived, this time after the request. For an observer, the call has ended with it: its value was
        /// decoded, its body was read to the end, or its status was rejected.
        case response(HTTPStatus, Duration)
        /// The attempt with this number begins with the request of the entry, or has ended without a response. Observers that log attempts
        /// only.
        case attempt(Int)
        /// The head of a response with this status has arrived, this time after the start of a call that reads the body as it arrives, or
        /// whose attempts are logged. Observers only.
        case head(HTTPStatus, Duration)
        /// The call has ended without an error and without a response of its own, such as a subscription. Observers only.
        case end(Duration)
        /// The request or the call has failed with this error, this time after its start. For an observer, it may be the failure to
        /// validate or decode the response.
        case failure(HTTPError, Duration)
        /// The start of a streamed body, or the whole body, has been read and is part of the message. Observers only.
        case streamedBody
        /// A message of a WebSocket was sent, or has arrived. Observers only.
        case message(CallMessage)
    }

    /// The importance of the entry.
    public let level: Level
    /// The event that the entry describes.
    public let event: Event
    /// The number of the call or request among those of its observer or interceptor, from 1. Entries with the same number belong together.
    public let number: Int
    /// The first request of the call, the request of an attempt, or the request as the interceptor received it. It is nil if none could be
    /// created. Its description contains no secrets, but its properties may.
    public let request: HTTPRequest?
    /// The call, or nil for an entry of an interceptor.
    public let call: CallInfo?
    /// The text: one line, and indented lines with details. Secrets are hidden, and control characters are made visible.
    public let message: String
}
