public import MartletEssentials

/// A body that could not be decoded: which type was wanted, where it failed, and how the body begins.
public struct DecodingFailure: Sendable {
    /// The name of the type that was wanted.
    public let type: String
    /// Where in the document: `items[3].id`; empty at its root.
    public let codingPath: String
    /// The decoder's words.
    public let reason: String
    /// The response, its body whole.
    public let response: HTTPResponse<Data>
    /// The request, stage and cause around it.
    public var context: ErrorContext

    /// A decoding failure.
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
