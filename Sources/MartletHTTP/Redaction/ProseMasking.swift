/// Masks secrets in unstructured text, such as error messages and bodies of type `text/plain`.
///
/// It reads URLs, queries and lines of JSON by their structure. It masks tokens after `Bearer` and `Basic`, the keys of ``KnownSecrets``,
/// private keys, and the text after a secret name: a quoted value, otherwise the rest of the line. If it can't read a structure (a tag, a
/// part, broken JSON) that contains a secret name, it masks the text from the start of the structure. In doubt it masks too much.
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
    /// The last byte that is not white space.
    private let lastByte: UInt8
    var position: Int
    private var result: [UInt8]
    private var isJSONTried = false
    /// Whether no secret name follows. Determined once.
    private var namesNoSecret = false
    private var closingTags: ClosingTags?
    /// Whether a member such as `name` declared the value next to it a secret: see ``RejectedValue``.
    private var isValueSecret = false
    /// The end of the list of names that was read last.
    private var namesEnd = 0
    /// Whether the last line that begins without a space is only a secret name, as the location in Pydantic's text of errors.
    private var isInputSecret = false
    /// The variables that the text declares if it is a GraphQL document. Read once.
    private var variables: GraphQLVariables?
    /// The end of the current object, and the place of the last secret name in it.
    private var objectEnd = 0, lastNameInObject = -1
    /// The position up to which values were searched for percent-encoded secrets.
    private var decodedUpTo = 0

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
        lastByte = bytes.last { !ProseMasking.isSpace($0) } ?? 0
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
            noteLocation()
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

    /// Notes whether the line is a secret name, in the line of Pydantic before `  too short [type=…, input_value='…', …]`.
    private mutating func noteLocation() {
        guard !ProseMasking.isSpace(bytes[position]) else { return }
        let name = word(from: position, while: ProseMasking.isNamePart)
        isInputSecret = bytes[name.endIndex...].first.map(ProseMasking.isLineBreak) == true && masking.rules.isSecret(name, isMember: true)
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
        if maskNamedElement() { return true }
        let isBehindName = position > 0 && ProseMasking.isNamePart(bytes[position - 1])
        let name = word(from: position + 1) { ProseMasking.isNamePart($0) || $0 == UInt8(ascii: ":") }
        let tag = word(from: position + 1) { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        guard !name.isEmpty, name.last != UInt8(ascii: ":"), namesSecret(tag, isMember: true) else { return false }
        let hasContent = tag.last != UInt8(ascii: "/"), isSecret = hasContent && !isBehindName && namesSecret(name, isMember: true)
        let closing = hasContent ? closingTag(of: name, after: tag.endIndex) : nil
        guard let end = closing ?? (isBehindName ? nil : tag.endIndex) else { return false }
        copy(1 + name.count)
        // The element's end may follow where the text was cut.
        let isOpen = hasContent && end == tag.endIndex && (isSecret || isCut && !ProseMasking.isVoid(name))
        mask(upTo: isOpen ? bytes.endIndex : end)
        return true
    }

    /// Whether an HTML element of this name never has content.
    private static func isVoid(_ name: ArraySlice<UInt8>) -> Bool {
        ["input", "meta", "link", "img", "source", "embed"].contains { isWord($0, name) }
    }

    /// Masks the content of an element after one that contains a secret name: `<name>password</name><value>…</value>` in XML-RPC,
    /// `<key>password</key><string>…</string>` in a property list.
    private mutating func maskNamedElement() -> Bool {
        let name = bytes[(position + 1)...].prefix(5).prefix(while: Token.isAlphanumeric)
        guard ProseMasking.isWord("name", name) || ProseMasking.isWord("key", name), bytes[name.endIndex...].first == UInt8(ascii: ">")
        else {
            return false
        }
        let content = word(from: name.endIndex + 1) { $0 != UInt8(ascii: "<") }
        let text = content.drop(while: ProseMasking.isSpace)
        guard text.count <= ProseMasking.maxNameLength, bytes[content.endIndex...].starts(with: "</".utf8),
            masking.rules.isSecret(text.prefix { !ProseMasking.isSpace($0) }, isMember: true)
        else { return false }
        let closing = word(from: content.endIndex) { $0 != UInt8(ascii: ">") }
        let next = word(from: min(closing.endIndex + 1, bytes.endIndex), while: ProseMasking.isSpace).endIndex
        guard next < bytes.endIndex, bytes[next] == UInt8(ascii: "<") else { return false }
        let tag = word(from: next + 1) { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        let kind = tag.prefix(while: Token.isAlphanumeric)
        guard tag.last != UInt8(ascii: "/"),
            ["value", "string", "data", "array", "dict", "integer"].contains(where: { ProseMasking.isWord($0, kind) })
        else { return false }
        copy(min(tag.endIndex + 1, bytes.endIndex) - position)
        mask(upTo: endOfElement(kind))
        return true
    }

    /// Returns the place of the closing tag of the element whose content begins here, or the end of the text.
    private func endOfElement(_ name: ArraySlice<UInt8>) -> Int {
        var depth = 1, place = position
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            let isClosing = bytes[(start + 1)...].first == UInt8(ascii: "/")
            let tag = word(from: start + (isClosing ? 2 : 1)) { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
            place = tag.endIndex
            guard tag.prefix(while: Token.isAlphanumeric).elementsEqual(name, by: { Token.lowercased($0) == Token.lowercased($1) }),
                tag.last != UInt8(ascii: "/")
            else { continue }
            depth += isClosing ? -1 : 1
            if depth == 0 { return start }
        }
        return bytes.endIndex
    }

    /// The maximum length of the name that an element contains.
    private static let maxNameLength = 100

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
        } else if KnownSecrets.isJSONWebToken(word) || KnownSecrets.isKey(word) {
            mask(upTo: word.endIndex)
        } else if let end = KnownSecrets.endOfBotToken(word, in: bytes[...]) {
            mask(upTo: end)
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

    // MARK: Values

    /// Masks the value of a name: after `=` or `:`, or the credential after `Bearer` or `Basic`.
    private mutating func maskValue(of name: ArraySlice<UInt8>) {
        let mark = word(from: position) { " \t\"'\\".utf8.contains($0) }.endIndex
        let sign = mark < bytes.endIndex ? bytes[mark] : 0
        guard sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else {
            let isBasic = ProseMasking.isWord("basic", name)
            guard isBasic || ProseMasking.isWord("bearer", name) else { return }
            let start = word(from: position, while: ProseMasking.isSpace).endIndex
            let token = word(from: start, while: isBasic ? KnownSecrets.isBase64 : ProseMasking.isInURL)
            guard isBasic ? KnownSecrets.isBasicCredential(token) : token.count >= 8 else { return }
            copy(start - position)
            return mask(upTo: token.endIndex)
        }
        let value = word(from: mark) { " \t=:>".utf8.contains($0) }.endIndex, isMember = sign == UInt8(ascii: ":")
        let isSecret = masking.rules.isSecret(name, isMember: isMember) && !isCodeOfError(name) && !isVariable(name, value)
        if isSecret || isMember && isSecretMember(name, value) || isInputSecret && ProseMasking.isWord("input_value", name) {
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
    /// "value": …`, in either order. Only `name`, `key` and `value` count without quotes: the other words of ``RejectedValue`` are common.
    private mutating func isSecretMember(_ name: ArraySlice<UInt8>, _ value: Int) -> Bool {
        let quote = UInt8(ascii: "\""), end = bytes[name.endIndex...].first, isQuoted = end == quote || end == UInt8(ascii: "'")
        let kind = RejectedValue.kind(of: name)
        if kind == .location, isQuoted || ProseMasking.isWord("name", name) || ProseMasking.isWord("key", name), namesSecret(at: value) {
            isValueSecret = true
        }
        if kind == .value, isQuoted || ProseMasking.isWord("value", name) {
            defer { isValueSecret = false }
            return isValueSecret || objectNamesSecret(after: value) || isQuoted && isObjectCut(at: value)
        }
        guard end == quote else { return false }
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

    /// Whether a location names a secret: a text, or a list of texts. A list is read once.
    private mutating func namesSecret(at value: Int) -> Bool {
        guard value < bytes.endIndex, bytes[value] == UInt8(ascii: "[") else {
            return RejectedValue.namesSecret(namedMember(value), masking.rules)
        }
        guard value >= namesEnd else { return false }
        let list = word(from: value) { $0 != UInt8(ascii: "]") }
        namesEnd = list.endIndex
        return list.split { "\"'".utf8.contains($0) }.contains { RejectedValue.namesSecret($0, masking.rules) }
    }

    /// Whether the text is broken JSON that ends within the object of a `value` member, so that the name may be missing.
    private func isObjectCut(at value: Int) -> Bool {
        guard "{[".utf8.contains(bytes[start]) else { return false }
        return objectEnd == bytes.endIndex || value < bytes.endIndex && "{[".utf8.contains(bytes[value]) && !"]}".utf8.contains(lastByte)
    }

    /// Whether the name is a variable that a GraphQL document declares here, or the value is one that it declares.
    private mutating func isVariable(_ name: ArraySlice<UInt8>, _ value: Int) -> Bool {
        let dollar = UInt8(ascii: "$"), isDeclared = bytes[..<name.startIndex].last == dollar
        guard isDeclared || value < bytes.endIndex && bytes[value] == dollar else { return false }
        if variables == nil { masking.budget.spend(bytes.count) }
        let known = variables ?? GraphQLVariables(in: bytes[start...])
        variables = known
        guard !isDeclared else { return known.declares(name, as: word(from: value, while: GraphQLVariables.isInType), in: bytes[...]) }
        return known.contains(word(from: value + 1, while: GraphQLVariables.isInName))
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
    private func namesSecret(_ text: ArraySlice<UInt8>, isMember: Bool) -> Bool {
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

    /// Whether some bytes are a word in any case.
    private static func isWord(_ word: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.elementsEqual(word.utf8) { Token.lowercased($0) == $1 }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte of a text may belong to a URL.
    private static func isInURL(_ byte: UInt8) -> Bool { !isSpace(byte) && !"\"'<>".utf8.contains(byte) }

    static func isNamePart(_ byte: UInt8) -> Bool {
        Token.isAlphanumeric(byte) || byte >= 0x80 || "_-.[]%".utf8.contains(byte)
    }
}
