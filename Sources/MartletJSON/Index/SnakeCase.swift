internal import MartletEssentials

/// The conversion of names between snake case and camel case, with the results of Foundation's coders.
enum SnakeCase {
    // MARK: Reading

    /// Returns `fullName` for `full_name`.
    ///
    /// Underscores at the start and end are kept. A name without other underscores is unchanged.
    static func camelCase(_ name: String) -> String {
        let bytes = Array(name.utf8), underscore = UInt8(ascii: "_")
        guard let first = bytes.firstIndex(where: { $0 != underscore }), let last = bytes.lastIndex(where: { $0 != underscore }) else {
            return name
        }
        let words = bytes[first...last].split(separator: underscore)
        guard let head = words.first, words.count > 1 else { return name }
        var result = Array(bytes[..<first])
        result += lowercased(head)
        for word in words.dropFirst() { result += capitalized(word) }
        result += bytes[(last + 1)...]
        return String(decoding: result, as: UTF8.self)
    }

    private static func lowercased(_ word: ArraySlice<UInt8>) -> [UInt8] {
        guard word.allSatisfy({ $0 < 0x80 }) else { return Array(String(decoding: word, as: UTF8.self).lowercased().utf8) }
        return word.map { isUppercase($0) ? $0 | 0x20 : $0 }
    }

    /// Converts letters that follow another character to upper case, and all others to lower case.
    private static func capitalized(_ word: ArraySlice<UInt8>) -> [UInt8] {
        guard word.allSatisfy({ isLetter($0) || $0 &- UInt8(ascii: "0") < 10 }) else {
            return Array(String(decoding: word, as: UTF8.self).capitalized.utf8)
        }
        var isInWord = false
        return word.map { byte in
            defer { isInWord = isLetter(byte) }
            guard isLetter(byte) else { return byte }
            return isInWord ? byte | 0x20 : byte & ~0x20
        }
    }

    private static func isUppercase(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }

    // MARK: Writing

    /// Returns `my_property` for `myProperty` and `my_url_property` for `myURLProperty`.
    ///
    /// Underscores are kept, and the first character never begins a second word.
    static func snakeCase(_ key: String) -> String {
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
