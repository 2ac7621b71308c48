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
        let words = field.split(whereSeparator: { "._- ".contains($0) }).flatMap { part in
            UInt16(part).map { ["\(Int($0) + 1)"] } ?? FieldError.words(inCamelCase: part)
        }
        guard let first = words.first else { return "" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
    }

    /// The server's message for people, after the field's label unless the message starts in upper case.
    public var text: String {
        if message.first?.isUppercase == true { return message }
        return [label, message].filter { !$0.isEmpty }.joined(separator: " ")
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
}
