/// Where in a value coding failed, and why, in words without secrets.
package enum CodingPath {
    /// `items[3].id`, cut when it is very long.
    static func text(_ path: [any CodingKey]) -> String {
        let text = path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text.isEmpty ? key.stringValue : text + "." + key.stringValue
        }
        return Redaction.line(text)
    }

    /// What a coder said, which may quote the value: it is left out where the path names a secret.
    private static func reason(_ words: String, at path: [any CodingKey]) -> String {
        let isSecret = path.contains { Redaction.isSecret($0.stringValue, isMember: true) }
        return isSecret ? "the value, which is not shown, does not fit" : Redaction.quote(words)
    }

    /// Why a value could not be decoded, and where.
    package static func explain(decoding error: DecodingError) -> (path: String, reason: String) {
        switch error {
        case .keyNotFound(let key, let context): return (text(context.codingPath + [key]), "the key is missing")
        case .valueNotFound(let type, let context): return (text(context.codingPath), "\(type) was expected and null was found")
        case .typeMismatch(let type, let context):
            return (text(context.codingPath), "\(type) was expected; " + reason(context.debugDescription, at: context.codingPath))
        case .dataCorrupted(let context): return (text(context.codingPath), reason(context.debugDescription, at: context.codingPath))
        @unknown default: return ("", "of a kind that is not known")
        }
    }

    /// An error in words: of one that comes from coding, the place and the type, never the value itself.
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
