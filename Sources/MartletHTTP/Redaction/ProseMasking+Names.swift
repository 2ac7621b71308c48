extension ProseMasking {
    // MARK: Values

    /// Masks the value of a name: after `=` or `:`, or the token after `Bearer`.
    mutating func maskValue(of name: ArraySlice<UInt8>) {
        let mark = word(from: position) { " \t\"'\\".utf8.contains($0) }.endIndex
        let sign = mark < bytes.endIndex ? bytes[mark] : 0
        guard sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else {
            guard name.elementsEqual("bearer".utf8, by: { Token.lowercased($0) == $1 }) else { return }
            let start = word(from: position, while: ProseMasking.isSpace).endIndex
            let token = word(from: start, while: ProseMasking.isInURL)
            return token.count >= 8 ? mask(upTo: token.endIndex) : ()
        }
        let value = word(from: mark) { " \t=:>".utf8.contains($0) }.endIndex, isMember = sign == UInt8(ascii: ":")
        if masking.rules.isSecret(name, isMember: isMember) && !isCodeOfError(name) || isMember && isSecretMember(name, value) {
            copy(value - position)
            mask(upTo: endOfValue(value))
        } else if sign == UInt8(ascii: "="), value >= decodedUpTo, masking.decodesValues {
            let word = word(from: value) { ProseMasking.isInURL($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: ";") }
            decodedUpTo = word.endIndex
            guard word.contains(UInt8(ascii: "%")), masking.hidesSecret(word) else { return }
            copy(word.startIndex - position)
            mask(upTo: word.endIndex)
        }
    }

    /// Whether the value of a JSON member within a line is a secret: because of a quoted name with spaces, or as in `"name": "password",
    /// "value": …`, in either order.
    private mutating func isSecretMember(_ name: ArraySlice<UInt8>, _ value: Int) -> Bool {
        if ["name", "key"].contains(where: { name.elementsEqual($0.utf8, by: { Token.lowercased($0) == $1 }) }) {
            if masking.rules.isSecret(namedMember(value), isMember: false) { isValueSecret = true }
        }
        if name.elementsEqual("value".utf8, by: { Token.lowercased($0) == $1 }) {
            defer { isValueSecret = false }
            return isValueSecret || objectNamesSecret(after: value)
        }
        let quote = UInt8(ascii: "\"")
        guard bytes[name.endIndex...].first == quote else { return false }
        let before = bytes[max(bytes.startIndex, name.endIndex - 256)..<name.endIndex].lastIndex(of: quote)
        masking.budget.spend(name.endIndex - (before ?? name.endIndex - 256))
        return before.map { masking.rules.isSecret(bytes[$0 + 1..<name.endIndex], isMember: true) } ?? false
    }

    /// Returns the name that a `name` member contains: a quoted text, or the text up to a quote, a colon or the end of the line.
    private func namedMember(_ value: Int) -> ArraySlice<UInt8> {
        let quote = value < bytes.endIndex ? bytes[value] : 0
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return word(from: value) { !"\"':".utf8.contains($0) && !ProseMasking.isLineBreak($0) }
        }
        return word(from: value + 1) { $0 != quote && !ProseMasking.isLineBreak($0) }
    }

    /// Returns the end of a secret value: its closing quote, the end of the line, or the end of the text for a value of several lines.
    private func endOfValue(_ value: Int) -> Int {
        let quote = value < bytes.endIndex ? bytes[value] : 0
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            var place = value + 1
            while place < bytes.endIndex, bytes[place] != quote { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
            masking.budget.spend(place - value)
            return min(place + 1, bytes.endIndex)
        }
        let line = word(from: value) { !ProseMasking.isLineBreak($0) }
        return line.isEmpty || line.starts(with: "-----BEGIN".utf8) || line.contains { "\"'([{<|".utf8.contains($0) }
            ? bytes.endIndex : line.endIndex
    }

    /// Whether the name is the `Code` of `Error Domain=… Code=2`, as Foundation prints errors, and not an authorization code.
    private func isCodeOfError(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.elementsEqual("Code".utf8), bytes[..<name.startIndex].last.map(ProseMasking.isSpace) == true else { return false }
        let word = bytes[..<name.startIndex].reversed().dropFirst().prefix(100).prefix { !ProseMasking.isSpace($0) }
        return word.reversed().starts(with: "Domain=".utf8)
    }

    // MARK: Secret names

    /// Whether a word of the text is a secret name.
    func namesSecret(_ text: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        nextName(in: text, isMember: isMember) != nil
    }

    /// Whether a secret name follows in the object of a `value` member. The names of an object are read once.
    private mutating func objectNamesSecret(after value: Int) -> Bool {
        if value >= objectEnd {
            let object = word(from: value) { $0 != UInt8(ascii: "}") }
            objectEnd = object.endIndex
            lastNameInObject = -1
            var rest = object
            while let name = nextName(in: rest, isMember: true) {
                lastNameInObject = name.lowerBound
                rest = rest[name.upperBound...]
            }
        }
        return lastNameInObject >= value
    }

    /// Returns the range of the next secret name: a word, or words in quotes before a colon.
    private func nextName(in text: ArraySlice<UInt8>, isMember: Bool) -> Range<Int>? {
        var place = text.startIndex, quote: Int?
        while place < text.endIndex {
            let byte = text[place]
            if ProseMasking.isNamePart(byte) {
                let word = text[place...].prefix(while: ProseMasking.isNamePart)
                masking.budget.spend(word.count)
                if masking.rules.isSecret(word, isMember: isMember) { return word.startIndex..<word.endIndex }
                place = word.endIndex
                continue
            }
            if byte == UInt8(ascii: "\"") {
                let name = text[(quote.map { $0 + 1 } ?? text.startIndex)..<place]
                if bytes[(place + 1)...].first == UInt8(ascii: ":"), name.contains(UInt8(ascii: " ")),
                    masking.rules.isSecret(name, isMember: isMember)
                {
                    return name.startIndex..<place + 1
                }
                quote = place
            }
            masking.budget.spend(1)
            place += 1
        }
        return nil
    }

    // MARK: Bytes

    /// Whether a word looks like a JSON Web Token (RFC 7519).
    static func isJSONWebToken(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "eyJ".utf8) && word.count >= 20 && word.contains(UInt8(ascii: "."))
    }

    static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte of a text may belong to a URL.
    static func isInURL(_ byte: UInt8) -> Bool { !isSpace(byte) && !"\"'<>".utf8.contains(byte) }

    static func isNamePart(_ byte: UInt8) -> Bool {
        Token.isAlphanumeric(byte) || byte >= 0x80 || "_-.[]%".utf8.contains(byte)
    }
}
