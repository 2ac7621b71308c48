public import MartletEssentials

/// A response body that could not be decoded: the expected type, the path of the failure, the reason and the response.
public struct DecodingFailure: Sendable {
    /// The name of the expected type.
    public let type: String
    /// The path in the document, such as `items[3].id`. Empty at the root.
    public let codingPath: String
    /// The decoder's explanation.
    public let reason: String
    /// The response, with the part of its body that could not be decoded. It is the complete body for a call that returns one value, the
    /// element, line, event or part for a stream of values, at most the first 64 KiB of a response that is not an event stream, and empty
    /// for a malformed JSON array.
    public let response: HTTPResponse<Data>
    /// The request, the stage, the number of attempts and the underlying error.
    public var context: ErrorContext

    /// Creates a decoding failure.
    public init(
        type: String, codingPath: String = "", reason: String, response: HTTPResponse<Data>, context: ErrorContext = .init()
    ) {
        self.type = type
        self.codingPath = codingPath
        self.reason = reason
        self.response = response
        self.context = context
    }
}

extension DecodingFailure: ErrorPayload {
    package var text: String { reason }

    package func isSame(as other: DecodingFailure) -> Bool {
        type == other.type && codingPath == other.codingPath && reason == other.reason
    }
}
