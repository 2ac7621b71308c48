/// A limit that the answer passed.
public struct SizeLimitFailure: Sendable {
    /// What there was too much of.
    @nonexhaustive public enum Subject: String, Sendable, Hashable {
        /// The decoded bytes of the body: `ResponseLimits.bodyBytes`, or `ResponseLimits.streamBytes` of a streamed one.
        case body
        /// Status line and fields: `ResponseLimits.headBytes`.
        case head
        /// How many fields the head has, or the trailers: `ResponseLimits.fieldCount`.
        case fields
        /// One line of a body that is read by lines.
        case line
        /// One event of an event stream.
        case event
        /// One element of a streamed JSON array.
        case element
        /// The head of one part of a multipart body.
        case part
        /// The parts of a multipart body: the limit is their number.
        case parts

        /// Whether the limit is a number of things, and not of bytes.
        public var isCounted: Bool { self == .fields || self == .parts }
    }

    /// What there was too much of.
    public let subject: Subject
    /// The limit, in bytes; for ``Subject/fields`` a number of lines.
    public let limit: Int
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A limit that was passed.
    public init(_ subject: Subject = .body, limit: Int, context: ErrorContext = .init()) {
        self.subject = subject
        self.limit = limit
        self.context = context
    }
}

extension SizeLimitFailure: ErrorPayload {
    package var text: String {
        "its \(subject.rawValue) " + (subject.isCounted ? "are more than \(limit)" : "passes the limit of \(limit) bytes")
    }

    package func isSame(as other: SizeLimitFailure) -> Bool { subject == other.subject && limit == other.limit }
}
