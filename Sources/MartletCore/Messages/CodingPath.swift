/// Where in a value coding failed, and why, in words without secrets.
enum CodingPath {
    /// `items[3].id`
    static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text.isEmpty ? key.stringValue : text + "." + key.stringValue
        }
    }

    /// What a coder said, which may quote the value: it is left out where the path names a secret.
    static func reason(_ words: String, at path: [any CodingKey]) -> String {
        if path.contains(where: { Redaction.isSecret($0.stringValue) }) { return "the value, which is not shown, does not fit" }
        return Redaction.quote(words)
    }

    /// Why a value could not be encoded: its type and place, never the value itself.
    static func explain(encoding error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return Redaction.quote("\(error)") }
        let place = text(context.codingPath)
        return "a value of type \(type(of: value))" + (place.isEmpty ? "" : " at \(place)") + ": "
            + reason(context.debugDescription, at: context.codingPath)
    }
}
