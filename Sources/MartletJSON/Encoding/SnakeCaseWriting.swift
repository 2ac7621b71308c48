/// The conversion of keys from camel case to snake case.
enum SnakeCaseWriting {
    /// Converts `myProperty` to `my_property` and `myURLProperty` to `my_url_property`, by the rules of Foundation.
    ///
    /// Underscores are kept, and the first character never begins a second word.
    static func convert(_ key: String) -> String {
        let characters = Array(key)
        let starts = wordStarts(characters)
        guard !starts.isEmpty else { return key.lowercased() }
        var result = ""
        result.reserveCapacity(key.utf8.count + starts.count)
        var wordStart = 0
        for start in starts + [characters.count] {
            if wordStart > 0 { result += "_" }
            result += String(characters[wordStart..<start]).lowercased()
            wordStart = start
        }
        return result
    }

    /// The indices at which a word begins, apart from the first word.
    ///
    /// A single capital begins a word. A run of capitals is one word up to the character before the next lower-case letter, which begins
    /// another word.
    private static func wordStarts(_ characters: [Character]) -> [Int] {
        var starts: [Int] = []
        var position = 1
        while let capital = characters.indices.dropFirst(position).first(where: { isUpper(characters[$0]) }) {
            starts.append(capital)
            guard let lower = characters.indices.dropFirst(capital).first(where: { isLower(characters[$0]) }) else { break }
            if lower > capital + 1 { starts.append(lower - 1) }
            position = lower + 1
        }
        return starts
    }

    private static func isUpper(_ character: Character) -> Bool {
        character.unicodeScalars.contains {
            $0.properties.generalCategory == .uppercaseLetter || $0.properties.generalCategory == .titlecaseLetter
        }
    }

    private static func isLower(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter }
    }
}
