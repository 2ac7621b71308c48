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

/// Describes coding errors, with the path of the value and the reason and without secrets.
package enum CodingPath {
    /// Returns a path such as `items[3].id`, truncated if it is very long. The server chooses the keys of a dictionary.
    package static func text(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path where text.utf8.count < maxLength {
            if let index = key.intValue { text += "[\(index)]" } else { text += (text.isEmpty ? "" : ".") + key.stringValue }
        }
        return Redaction.line(text)
    }

    /// The number of bytes after which no more keys are added to a path: four for each code point that may be shown.
    private static let maxLength = Redaction.longestQuote * 4

    /// Returns a coder's reason, which may quote the value. If the path names a secret, returns a text without the value.
    private static func reason(_ words: String, at path: [any CodingKey]) -> String {
        let isSecret = path.contains { Redaction.isSecret($0.stringValue, isMember: true) }
        return isSecret ? "the value has the wrong format and is not shown, because its name is that of a secret" : Redaction.quote(words)
    }

    /// Returns the path at which decoding failed, and the reason.
    package static func explain(decoding error: DecodingError) -> (path: String, reason: String) {
        switch error {
        case .keyNotFound(let key, let context): return (text(context.codingPath + [key]), "the key is missing")
        case .valueNotFound(let type, let context): return (text(context.codingPath), "\(type) was expected and null was found")
        case .typeMismatch(let type, let context):
            return (text(context.codingPath), "\(type) was expected; " + reason(context.debugDescription, at: context.codingPath))
        case .dataCorrupted(let context): return (text(context.codingPath), reason(context.debugDescription, at: context.codingPath))
        @unknown default: return ("", "an unknown kind of decoding error")
        }
    }

    /// Describes an error. For a coding error, gives the path and the type of the value, never the value itself.
    package static func explain(_ error: any Error) -> String {
        switch error {
        case EncodingError.invalidValue(let value, let context):
            return "a value of type \(type(of: value))" + at(text(context.codingPath)) + ": "
                + reason(context.debugDescription, at: context.codingPath)
        case let error as DecodingError:
            let (path, reason) = explain(decoding: error)
            return "decoding failed" + at(path) + ": " + reason
        default: return Redaction.quote("\(error)")
        }
    }

    private static func at(_ place: String) -> String { place.isEmpty ? "" : " at \(place)" }
}
