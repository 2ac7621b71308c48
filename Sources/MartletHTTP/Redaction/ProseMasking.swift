/// Masks secrets in unstructured text, such as error messages and bodies of type `text/plain`.
///
/// It reads URLs, queries and lines of JSON by their structure. It masks tokens after `Bearer`, JSON Web Tokens, private keys, and the text
/// after a secret name: a quoted value, otherwise the rest of the line. If it can't read a structure (a tag, a part, broken JSON) that
/// contains a secret name, it masks the text from the start of the structure. In doubt it masks too much.
///
/// It reads bytes and not characters: a quote with a combining accent is one character, and must not hide the end of a secret. Each byte is
/// read a few times at most: as a part of a word, of a tag, of an object and of a value.
struct ProseMasking {
    let masking: Masking
    let bytes: [UInt8]
    /// Whether the text continues after the last byte.
    private let isCut: Bool
    /// The first byte after white space and byte order marks.
    private let start: Int
    var position: Int
    private var result: [UInt8]
    private var isJSONTried = false
    /// Whether no secret name follows. Determined once.
    private var namesNoSecret = false
    private var closingTags: ClosingTags?
    /// Whether a `name` or `key` member declared the `value` next to it a secret.
    var isValueSecret = false
    /// The end of the current object, and the place of the last secret name in it.
    var objectEnd = 0, lastNameInObject = -1
    /// The position up to which values were searched for percent-encoded secrets.
    var decodedUpTo = 0

    /// The number of bytes that are read. In a longer text, the rest is masked.
    static let maxLength = 1 << 20

    static func masked(_ bytes: ArraySlice<UInt8>, by masking: Masking, isCut: Bool) -> [UInt8] {
        masking.budget.spend(bytes.count)
        let plain = unescaped(bytes)
        var prose = ProseMasking(masking: masking, bytes: plain, isCut: isCut)
        prose.run()
        return prose.result == plain ? Array(bytes) : prose.result
    }

    private init(masking: Masking, bytes: [UInt8], isCut: Bool) {
        self.masking = masking
        self.bytes = bytes
        self.isCut = isCut
        start = bytes.firstIndex { !ProseMasking.isSpace($0) && ![0xEF, 0xBB, 0xBF].contains($0) } ?? bytes.endIndex
        position = start
        result = Array(bytes[..<start])
    }

    private mutating func run() {
        while position < bytes.endIndex, result.count < masking.limit {
            if masking.budget.isSpent || position >= ProseMasking.maxLength { mask(upTo: bytes.endIndex) } else { step() }
        }
    }

    /// Returns the text without JSON escapes of ASCII characters (`\u0070`) and the zeros of UTF-16, which would hide a name.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "\\")) || bytes.contains(0) else { return Array(bytes) }
        var plain: [UInt8] = [], rest = bytes
        plain.reserveCapacity(bytes.count)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"), let code = code(rest.dropFirst().prefix(4)) {
                plain.append(code)
                rest = rest.dropFirst(5)
            } else if byte != 0 {
                plain.append(byte)
            }
        }
        return plain
    }

    /// The printable ASCII character that four hexadecimal digits stand for, or nil.
    private static func code(_ digits: ArraySlice<UInt8>) -> UInt8? {
        var code = 0
        for digit in digits {
            guard let value = Hex.value(digit) else { return nil }
            code = code << 4 | Int(value)
        }
        return digits.count == 4 && (0x20..<0x7F).contains(code) ? UInt8(code) : nil
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
            result += masking.query(query, masking.limit - result.count)
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
        var inner = masking
        inner.limit -= result.count
        if let json = inner.jsonInText(line) {
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
        let closing = hasContent ? closingTag(of: name, after: tag.endIndex) : nil
        guard let end = closing ?? (isBehindName ? nil : tag.endIndex) else { return false }
        copy(1 + name.count)
        mask(upTo: isSecret && end == tag.endIndex ? bytes.endIndex : end)
        return true
    }

    private mutating func closingTag(of name: ArraySlice<UInt8>, after place: Int) -> Int? {
        if closingTags == nil { masking.budget.spend(bytes.count) }
        let tags = closingTags ?? ClosingTags(in: bytes)
        closingTags = tags
        return tags.first(of: name, from: place)
    }

    // MARK: Words

    /// Copies a word. Masks it if it is a secret, or the value that it names.
    private mutating func copyWord() {
        let word = word(from: position, while: ProseMasking.isNamePart)
        guard !word.isEmpty else { return copy(1) }
        let rest = bytes[word.endIndex...]
        if rest.starts(with: "://".utf8) {
            let url = url
            var inner = masking
            inner.limit -= result.count
            result += inner.address(url)
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

    /// The URL or query at the current position, without a last item whose value is in quotes.
    private var url: ArraySlice<UInt8> {
        // An apostrophe ends a URL only if one precedes the URL.
        let apostrophe = UInt8(ascii: "'"), isQuoted = position > 0 && bytes[position - 1] == apostrophe
        let word = word(from: position) { ProseMasking.isInURL($0) || $0 == apostrophe && !isQuoted }
        guard word.last == UInt8(ascii: "="), let mark = word.lastIndex(where: { "/?#&;".utf8.contains($0) }) else { return word }
        return word[...mark]
    }

    // MARK: Reading and writing

    /// Returns the bytes from a position on that belong together.
    func word(from start: Int, while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let word = bytes[start...].prefix(while: isPart)
        masking.budget.spend(word.count + 1)
        return word
    }

    mutating func copy(_ count: Int) {
        result += bytes[position..<position + count]
        position += count
    }

    mutating func mask(upTo end: Int) {
        if end > position { result += Redaction.mask.utf8 }
        position = end
    }
}
