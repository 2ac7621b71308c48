/// Masks secrets in unstructured text, such as error messages and bodies of type `text/plain`.
///
/// It reads URLs, queries and lines of JSON by their structure. It masks tokens after `Bearer`, JSON Web Tokens, private keys, and the text
/// after a secret name: a quoted value, otherwise the rest of the line. If it can't read a structure (a tag, a part, broken JSON) that
/// contains a secret name, it masks the text from the start of the structure. In doubt it masks too much.
///
/// It reads bytes and not characters: a quote with a combining accent is one character, and must not hide the end of a secret.
struct ProseMasking {
    private let redactor: Redactor
    private let bytes: [UInt8]
    /// Whether the text continues after the last byte.
    private let isCut: Bool
    /// The first byte after white space and byte order marks.
    private let start: Int
    private var position: Int
    private var result: [UInt8]
    private var isJSONTried = false
    /// Whether no secret name follows. Determined once.
    private var namesNoSecret = false
    /// Whether a `name` or `key` member declared the `value` next to it a secret.
    private var isValueSecret = false
    /// The position up to which values were searched for percent-encoded secrets.
    private var decodedUpTo = 0

    static func masked(_ bytes: ArraySlice<UInt8>, by redactor: Redactor, isCut: Bool) -> [UInt8] {
        let plain = unescaped(bytes)
        var prose = ProseMasking(redactor: redactor, bytes: plain, isCut: isCut)
        while prose.position < plain.endIndex { prose.step() }
        return prose.result == plain ? Array(bytes) : prose.result
    }

    private init(redactor: Redactor, bytes: [UInt8], isCut: Bool) {
        self.redactor = redactor
        self.bytes = bytes
        self.isCut = isCut
        start = bytes.firstIndex { !ProseMasking.isSpace($0) && ![0xEF, 0xBB, 0xBF].contains($0) } ?? bytes.endIndex
        position = start
        result = Array(bytes[..<start])
    }

    /// Returns the text without JSON escapes of ASCII characters (`\u0070`) and the zeros of UTF-16, which would hide a name.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) || bytes.contains(0) else { return Array(bytes) }
        var plain: [UInt8] = [], rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"), rest.count >= 5,
                let code = UInt8(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16), (0x20..<0x7F).contains(code)
            {
                plain.append(code)
                rest = rest.dropFirst(5)
            } else if byte != 0 {
                plain.append(byte)
            }
        }
        return plain
    }

    private mutating func step() {
        let byte = bytes[position], isLineStart = position == start || ProseMasking.isLineBreak(bytes[position - 1])
        if isLineStart {
            isJSONTried = false
            if startsPart() { return mask(upTo: bytes.endIndex) }
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): if !maskJSON() { copyWord() }
        case UInt8(ascii: "<"): if !maskElement() { copy(1) }
        case UInt8(ascii: "?"):
            let query = url
            result += redactor.query(query)
            position = query.endIndex
        default: copyWord()
        }
    }

    // MARK: Structures

    /// Whether the line begins a part of a multipart body with a secret name.
    private mutating func startsPart() -> Bool {
        let rest = bytes[position...]
        guard !namesNoSecret, rest.starts(with: "--".utf8), !rest.starts(with: "-----BEGIN ".utf8) else { return false }
        namesNoSecret = !namesSecret(rest, isMember: false)
        return !namesNoSecret
    }

    /// Masks the JSON that fills the rest of the line, and broken JSON that fills the rest of the text.
    private mutating func maskJSON() -> Bool {
        guard !isJSONTried else { return false }
        isJSONTried = true
        let line = word(from: position) { !ProseMasking.isLineBreak($0) }
        if let json = redactor.json(line) {
            result += json
            position = line.endIndex
            return true
        }
        // An array, not a word in brackets.
        let opensValue =
            line.first == UInt8(ascii: "{")
            || bytes[position...].dropFirst().first { !ProseMasking.isSpace($0) }
                .map { "[{\"'".utf8.contains($0) } == true
        guard position == start, opensValue, isCut || namesSecret(bytes[position...], isMember: true) else { return false }
        mask(upTo: bytes.endIndex)
        return true
    }

    /// Masks an XML or HTML element whose tag names a secret.
    private mutating func maskElement() -> Bool {
        // Behind a name, this is a generic type (`Array<Token>`), unless a closing tag follows.
        let isBehindName = position > 0 && ProseMasking.isNamePart(bytes[position - 1])
        let name = word(from: position + 1) { ProseMasking.isNamePart($0) || $0 == UInt8(ascii: ":") }
        let tag = word(from: position + 1) { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        guard !name.isEmpty, name.last != UInt8(ascii: ":"), namesSecret(tag, isMember: true) else { return false }
        let hasContent = tag.last != UInt8(ascii: "/"), isSecret = hasContent && !isBehindName && namesSecret(name, isMember: true)
        // Limited, because the element may have no closing tag.
        let reach = isSecret ? bytes.count : hasContent ? 1_024 : 0
        guard let end = closingTag(of: name, in: bytes[tag.endIndex...].prefix(reach)) ?? (isBehindName ? nil : tag.endIndex) else {
            return false
        }
        copy(1 + name.count)
        mask(upTo: isSecret && end == tag.endIndex ? bytes.endIndex : end)
        return true
    }

    private func closingTag(of name: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[mark...].dropFirst()
            let closing = rest.dropFirst().prefix(name.count)
            if rest.first == UInt8(ascii: "/"), closing.elementsEqual(name, by: { Token.lowercased($0) == Token.lowercased($1) }) {
                return mark
            }
        }
        return nil
    }

    /// Whether a word of the text is a secret name.
    private func namesSecret(_ text: ArraySlice<UInt8>, isMember: Bool) -> Bool {
        text.split { !ProseMasking.isNamePart($0) }.contains { redactor.isSecret($0, isMember: isMember) }
            || text.split(separator: UInt8(ascii: "\"")).contains { name in
                name.contains(UInt8(ascii: " ")) && bytes[name.endIndex...].dropFirst().first == UInt8(ascii: ":")
                    && redactor.isSecret(name, isMember: isMember)
            }
    }

    // MARK: Words

    /// Copies a word. Masks it if it is a secret, or the value that it names.
    private mutating func copyWord() {
        let word = word(from: position, while: ProseMasking.isNamePart)
        guard !word.isEmpty else { return copy(1) }
        let rest = bytes[word.endIndex...]
        if rest.starts(with: "://".utf8) {
            let url = url
            result += redactor.address(url)
            position = url.endIndex
        } else if ProseMasking.isJSONWebToken(word) {
            mask(upTo: word.endIndex)
        } else if word.reversed().starts(with: "-----BEGIN".utf8.reversed()), rest.prefix(40).firstRange(of: "PRIVATE KEY".utf8) != nil {
            mask(upTo: bytes.endIndex)
        } else {
            copy(word.count)
            maskValue(of: word)
        }
    }

    /// Masks the value of a name: after `=` or `:`, or the token after `Bearer`.
    private mutating func maskValue(of name: ArraySlice<UInt8>) {
        let sign = bytes[position...].drop { " \t\"'\\".utf8.contains($0) }
        guard sign.first == UInt8(ascii: "=") || sign.first == UInt8(ascii: ":") else {
            guard name.elementsEqual("bearer".utf8, by: { Token.lowercased($0) == $1 }) else { return }
            let token = bytes[position...].drop(while: ProseMasking.isSpace).prefix(while: ProseMasking.isInURL)
            return token.count >= 8 ? mask(upTo: token.endIndex) : ()
        }
        let value = sign.drop { " \t=:>".utf8.contains($0) }, isMember = sign.first == UInt8(ascii: ":")
        if redactor.isSecret(name, isMember: isMember) && !isCodeOfError(name) || isMember && isSecretMember(name, value) {
            copy(value.startIndex - position)
            mask(upTo: endOfValue(value))
        } else if sign.first == UInt8(ascii: "="), value.startIndex >= decodedUpTo {
            let word = value.prefix { ProseMasking.isInURL($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: ";") }
            decodedUpTo = word.endIndex
            guard word.contains(UInt8(ascii: "%")), redactor.hidesSecret(word) else { return }
            copy(word.startIndex - position)
            mask(upTo: word.endIndex)
        }
    }

    /// Whether the value of a JSON member within a line is a secret: because of a quoted name with spaces, or as in
    /// `"name": "password", "value": …`, in either order.
    private mutating func isSecretMember(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool {
        let quote = UInt8(ascii: "\"")
        if ["name", "key"].contains(where: { name.elementsEqual($0.utf8, by: { Token.lowercased($0) == $1 }) }) {
            let named = value.drop { $0 == quote }.prefix(256).prefix { $0 != quote && !ProseMasking.isLineBreak($0) }
            if redactor.isSecret(named, isMember: false) { isValueSecret = true }
        }
        if name.elementsEqual("value".utf8, by: { Token.lowercased($0) == $1 }) {
            defer { isValueSecret = false }
            return isValueSecret || namesSecret(value.prefix(1_024).prefix { $0 != UInt8(ascii: "}") }, isMember: true)
        }
        guard bytes[name.endIndex...].first == quote else { return false }
        let before = bytes[max(bytes.startIndex, name.endIndex - 256)..<name.endIndex].lastIndex(of: quote)
        return before.map { redactor.isSecret(bytes[$0 + 1..<name.endIndex], isMember: true) } ?? false
    }

    /// Returns the end of a secret value: its closing quote, the end of the line, or the end of the text for a value of several lines.
    private func endOfValue(_ value: ArraySlice<UInt8>) -> Int {
        if let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            var place = value.startIndex + 1
            while place < bytes.endIndex, bytes[place] != quote { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
            return min(place + 1, bytes.endIndex)
        }
        let line = value.prefix { !ProseMasking.isLineBreak($0) }
        return line.isEmpty || line.starts(with: "-----BEGIN".utf8) || line.contains { "\"'([{<|".utf8.contains($0) }
            ? bytes.endIndex : line.endIndex
    }

    /// Whether the name is the `Code` of `Error Domain=… Code=2`, as Foundation prints errors, and not an authorization code.
    private func isCodeOfError(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.elementsEqual("Code".utf8), bytes[..<name.startIndex].last.map(ProseMasking.isSpace) == true else { return false }
        let word = bytes[..<name.startIndex].reversed().dropFirst().prefix(100).prefix { !ProseMasking.isSpace($0) }
        return word.reversed().starts(with: "Domain=".utf8)
    }

    // MARK: Bytes

    private func word(from start: Int, while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> { bytes[start...].prefix(while: isPart) }

    /// The URL or query at the current position, without a last item whose value is in quotes.
    private var url: ArraySlice<UInt8> {
        // An apostrophe ends a URL only if one precedes the URL.
        let apostrophe = UInt8(ascii: "'"), isQuoted = position > 0 && bytes[position - 1] == apostrophe
        let word = word(from: position) { ProseMasking.isInURL($0) || $0 == apostrophe && !isQuoted }
        guard word.last == UInt8(ascii: "="), let mark = word.lastIndex(where: { "/?#&;".utf8.contains($0) }) else { return word }
        return word[...mark]
    }

    private mutating func copy(_ count: Int) {
        result += bytes[position..<position + count]
        position += count
    }

    private mutating func mask(upTo end: Int) {
        if end > position { result += Redaction.mask.utf8 }
        position = end
    }

    /// Whether a word looks like a JSON Web Token (RFC 7519).
    static func isJSONWebToken(_ word: ArraySlice<UInt8>) -> Bool {
        word.starts(with: "eyJ".utf8) && word.count >= 20 && word.contains(UInt8(ascii: "."))
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte of a text may belong to a URL.
    private static func isInURL(_ byte: UInt8) -> Bool { !isSpace(byte) && !"\"'<>".utf8.contains(byte) }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        Token.isAlphanumeric(byte) || byte >= 0x80 || "_-.[]%".utf8.contains(byte)
    }
}
