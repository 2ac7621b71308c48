/// The failure of a response that exceeded a limit on its size.
public struct SizeLimitFailure: Sendable {
    /// The part of a response that a limit applies to.
    @nonexhaustive public enum Subject: String, Sendable, Hashable {
        /// The decoded bytes of the body, or of one message of a GraphQL stream. The limit is `ResponseLimits.bodyBytes`,
        /// `ResponseLimits.streamBytes` for a streamed body, or one of the operation, such as `DownloadOptions.maxBytes`.
        case body
        /// The head of the response, or of a proxy's response to `CONNECT` (`ResponseLimits.headBytes`). With libcurl, interim responses
        /// and trailers count too.
        case head
        /// The number of fields in the head or in the trailers (`ResponseLimits.fieldCount`).
        case fields
        /// One line of a body that is read line by line, or one text of a JSON text sequence.
        case line
        /// One event of an event stream.
        case event
        /// One element of a streamed JSON array.
        case element
        /// The head of one part of a multipart body, or the text before the first part.
        case part
        /// The number of parts of a multipart body.
        case parts

        /// Whether the limit is a number of items and not of bytes.
        public var isCounted: Bool { self == .fields || self == .parts }
    }

    /// The part of the response that was too large.
    public let subject: Subject
    /// The limit in bytes, or a number of items if ``Subject/isCounted``.
    public let limit: Int
    /// The request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext

    /// Creates a failure for an exceeded limit.
    public init(_ subject: Subject = .body, limit: Int, context: ErrorContext = .init()) {
        self.subject = subject
        self.limit = limit
        self.context = context
    }
}

extension SizeLimitFailure: ErrorPayload {
    package var text: String {
        "its \(subject.rawValue) " + (subject.isCounted ? "exceed the limit of \(limit)" : "exceeds the limit of \(limit) bytes")
    }

    package func isSame(as other: SizeLimitFailure) -> Bool { subject == other.subject && limit == other.limit }
}
