internal import MartletEssentials

/// An error in one field of the user's input.
public struct FieldError: Sendable, Hashable {
    /// The field's name in the request, with dots between nested names, such as `items.0.first_name`. Empty if the error concerns the whole
    /// input.
    public let field: String
    /// The server's message about the field.
    public let message: String

    /// Creates an error for a field.
    public init(field: String, message: String) {
        self.field = field
        self.message = message
    }

    /// The field's name in English words, such as "First name" for `first_name` and `firstName`, or "Items 1 name" for `items.0.name`.
    public var label: String {
        let words = FieldError.shown(field).split(whereSeparator: { "._- \n".contains($0) }).flatMap { part in
            UInt16(part).map { ["\(Int($0) + 1)"] } ?? FieldError.words(inCamelCase: part)
        }
        guard let first = words.first else { return "" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
    }

    /// The server's message for people with the field's label: "First name is required", or "First name: Field required" for a message that
    /// starts in upper case. Such a message stays unchanged if it contains a word of the label, as "Enter your first name" does.
    ///
    /// Control characters are left out, except line breaks in the message, so that a server can't colour a terminal or turn text around.
    public var text: String {
        let label = label.contains(where: \.isLetter) ? label : "", message = FieldError.shown(message)
        guard !label.isEmpty, !message.isEmpty else { return label + message }
        guard message.first?.isUppercase == true else { return label + " " + message }
        let words = Set(message.lowercased().replacing("-", with: "").split { !$0.isLetter })
        let isNamed = label.lowercased().split { !$0.isLetter }.contains { $0.count > 1 && words.contains($0) }
        return isNamed ? message : label + ": " + message
    }

    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 == "\n" || !Redaction.isControl($0) }))
    }

    /// Returns the words of `firstName` in lower case. Abbreviations keep their case: `userID` is "user ID".
    private static func words(inCamelCase name: Substring) -> [String] {
        var words: [String] = []
        var previous: Character = "_"
        for character in name {
            if character.isUppercase, !previous.isUppercase || words.isEmpty { words.append("") }
            if words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
            previous = character
        }
        return words.map { $0.count > 1 && $0 == $0.uppercased() ? $0 : $0.lowercased() }
    }

    /// Returns the field errors in a body in one of the common formats, or an empty array if there are none.
    ///
    /// - `{"errors": [{"field": "name", "message": "is required"}]}`
    /// - `{"errors": {"name": ["is required"]}}` (Rails, Laravel, ASP.NET)
    /// - `{"detail": [{"loc": ["body", "name"], "msg": "is required"}]}` (FastAPI)
    /// - `{"errors": [{"pointer": "#/name", "detail": "is required"}]}` (RFC 9457 §3)
    /// - `{"errors": [{"source": {"pointer": "/data/attributes/name"}, "detail": "is required"}]}` (JSON:API)
    /// - `{"name": ["is required"]}` (Django), also nested, if all members have this form
    static func read(from body: Data) -> [FieldError] {
        guard let document = try? JSONValue(parsing: body) else { return [] }
        for key in ["errors", "detail", "fieldErrors", "violations"] {
            switch document[key] {
            case .array(let elements):
                let fields = elements.compactMap(read)
                if !fields.isEmpty { return fields }
            case .object(let members):
                let fields = members.flatMap { read(messages: $0.value, of: $0.key) }
                if !fields.isEmpty { return fields }
            default: continue
            }
        }
        guard case .object(let members) = document, members["errors"] == nil, members["error"] == nil else { return [] }
        return django(document, of: "", depth: 0) ?? []
    }

    /// Reads messages of Django: lists of messages, objects with a list for each field, and lists of such objects. Returns nil if the value
    /// has another form.
    private static func django(_ value: JSONValue, of field: String, depth: Int) -> [FieldError]? {
        guard depth <= maxDepth else { return nil }
        var errors: [FieldError] = []
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let message = element.stringValue ?? element["message"]?.stringValue {
                    errors.append(FieldError(field: field, message: message))
                    continue
                }
                guard element.objectValue != nil, let inner = django(element, of: "\(field).\(index)", depth: depth + 1) else { return nil }
                errors += inner
            }
        case .object(let members):
            for (key, value) in members {
                let isWhole = ["non_field_errors", "__all__", "detail"].contains(key)
                let name = isWhole ? field : field.isEmpty ? key : "\(field).\(key)"
                guard let inner = django(value, of: name, depth: depth + 1) else { return nil }
                errors += inner
            }
        default: return nil
        }
        return errors
    }

    /// The maximum nesting of Django's messages.
    private static let maxDepth = 8

    private static func read(_ element: JSONValue) -> FieldError? {
        guard let message = firstText(in: element, ["message", "msg", "detail", "title", "defaultMessage"]) else { return nil }
        if let field = firstText(in: element, ["field", "name", "path", "param", "propertyPath"]) {
            return FieldError(field: field, message: message)
        }
        if let location = element["loc"]?.arrayValue {
            // The location in invalid JSON is a byte offset: `["body", 5]`.
            let isOffset = element["type"]?.stringValue == "json_invalid"
            return FieldError(field: isOffset ? "" : name(ofLocation: location), message: message)
        }
        if let pointer = (element["pointer"] ?? element["source"]?["pointer"])?.stringValue {
            return FieldError(field: name(ofPointer: pointer), message: message)
        }
        if let parameter = element["source"]?["parameter"]?.stringValue { return FieldError(field: parameter, message: message) }
        return nil
    }

    private static func read(messages: JSONValue, of field: String) -> [FieldError] {
        switch messages {
        case .string(let message): [FieldError(field: field, message: message)]
        case .array(let elements): elements.compactMap { $0.stringValue.map { FieldError(field: field, message: $0) } }
        default: []
        }
    }

    private static func firstText(in element: JSONValue, _ keys: [String]) -> String? {
        keys.lazy.compactMap { element[$0]?.stringValue }.first
    }

    /// Returns the field's name for a FastAPI location: `items.0.name` for `["body", "items", 0, "name"]`.
    private static func name(ofLocation location: JSONArray) -> String {
        let parts = location.compactMap { $0.stringValue ?? $0.intValue.map(String.init) }
        let sources = ["body", "query", "path", "header", "cookie"]
        return (parts.first.map(sources.contains) == true ? parts.dropFirst() : parts[...]).joined(separator: ".")
    }

    /// Returns the field's name for a JSON pointer (RFC 6901): `items.0.name` for `#/items/0/name`.
    private static func name(ofPointer pointer: String) -> String {
        var parts = pointer.split(separator: "/")[...]
        if parts.first == "#" { parts = parts.dropFirst() }
        if parts.starts(with: ["data", "attributes"]) { parts = parts.dropFirst(2) }
        return parts.map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }.joined(separator: ".")
    }
}
