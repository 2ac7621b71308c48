/// Hides what is secret in a text, in one pass over its bytes: the values of JSON members, of `name=value` pairs and `name: value` lines,
/// the content of XML elements, users in URLs, and tokens after the name of their scheme.
///
/// Bytes, not characters: a quote with an accent upon it is one character, and must not hide a secret's end. The text may be cut
/// anywhere or be no JSON at all; in doubt more is hidden rather than less.
struct RedactedText {
    let bytes: ArraySlice<UInt8>
    /// How many strings this text is within: JSON in a JSON string has its secrets hidden too.
    private let depth: Int
    var position: Int
    var result: [UInt8] = []
    /// The word that is being read.
    private var word: Range<Int>
    /// The name of the XML element whose tag is being read.
    private var tag: ArraySlice<UInt8>?
    /// The content of the string that has just ended: the name that a `:` would end.
    private var lastString: ArraySlice<UInt8>?

    static func hide(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> [UInt8] {
        var text = RedactedText(bytes, depth: depth)
        while text.position < bytes.endIndex { text.step() }
        return text.result
    }

    private init(_ bytes: ArraySlice<UInt8>, depth: Int) {
        self.bytes = bytes
        self.depth = depth
        position = bytes.startIndex
        word = bytes.startIndex..<bytes.startIndex
        result.reserveCapacity(bytes.count)
    }

    private mutating func step() {
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") { return copyString() }
        result.append(byte)
        position += 1
        switch byte {
        case UInt8(ascii: "="): if Redaction.isSecret(name: nameBefore(position - 1)) { hidePairValue() }
        case UInt8(ascii: ":"): endName()
        case UInt8(ascii: "<"): tag = bytes[position...].prefix(while: RedactedText.isNamePart)
        case UInt8(ascii: ">"):
            if let name = tag.take(), Redaction.isSecret(name: name, isJSONMember: true) { hide { $0 == UInt8(ascii: "<") } }
        case UInt8(ascii: " "): if RedactedText.isScheme(bytes[word]) { hideToken() }
        default: break
        }
        if !RedactedText.isWhitespace(byte) { lastString = nil }
        word = RedactedText.isNamePart(byte) ? min(word.lowerBound, position - 1)..<position : position..<position
    }

    /// Hides what follows a colon, when what stands before it names a secret.
    private mutating func endName() {
        if let name = lastString {
            if Redaction.isSecret(name: name, isJSONMember: true) || name.elementsEqual("value".utf8) && isValueOfSecret() {
                hideMemberValue()
            }
        } else if bytes[position...].starts(with: "//".utf8) {
            hideUserInfo()
        } else if Redaction.isSecret(name: nameBefore(position - 1), isJSONMember: true) {
            hideLine()
        }
    }

    /// Copies a quoted string, secrets within it hidden.
    private mutating func copyString() {
        let end = endOfString(from: position)
        let isClosed = end > position + 1 && bytes[end - 1] == UInt8(ascii: "\"") && isStringClosed(from: position, end: end)
        let content = bytes[position + 1..<(isClosed ? end - 1 : end)]
        result.append(UInt8(ascii: "\""))
        result += hiddenContent(content)
        if isClosed { result.append(UInt8(ascii: "\"")) }
        lastString = content
        position = end
        word = end..<end
    }

    private func hiddenContent(_ content: ArraySlice<UInt8>) -> [UInt8] {
        guard content.contains(UInt8(ascii: "\\")), depth < 4 else { return RedactedText.hide(content, depth: depth + 1) }
        let unescaped = RedactedText.unescaped(content)
        let hidden = RedactedText.hide(unescaped[...], depth: depth + 1)
        return hidden == unescaped ? Array(content) : RedactedText.escaped(hidden)
    }

    /// Hides what follows a `=`: a quoted string, or all up to the next separator.
    private mutating func hidePairValue() {
        copySpaces()
        guard position < bytes.endIndex else { return }
        let quote = bytes[position]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            position = endOfString(from: position)
        } else {
            let start = position
            position = bytes[start...].firstIndex(where: RedactedText.isPairSeparator) ?? bytes.endIndex
            if position == start { return }
        }
        result += Redaction.mask.utf8
    }

    /// Hides what follows a `:`: a string, a bracketed value, or a bare word.
    mutating func hideMemberValue() {
        copySpaces()
        result += "\"\(Redaction.mask)\"".utf8
        var open = 0
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(from: position)
                if open == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open <= 1 {
                    position += open
                    return
                }
                open -= 1
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): if open == 0 { return }
            default: break
            }
            position += 1
        }
    }

    mutating func copySpaces() {
        while position < bytes.endIndex, RedactedText.isWhitespace(bytes[position]) {
            result.append(bytes[position])
            position += 1
        }
    }

    /// The place after the closing quote of the string that begins at `start`; the text's end when it is not closed.
    func endOfString(from start: Int) -> Int {
        let quote = bytes[start]
        var place = start + 1
        while place < bytes.endIndex {
            if bytes[place] == quote { return place + 1 }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.endIndex
    }

    /// Whether the quote before `end` closes the string, and is not one that a backslash escapes at the end of a cut text.
    private func isStringClosed(from start: Int, end: Int) -> Bool {
        let backslashes = bytes[start + 1..<end - 1].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return backslashes.isMultiple(of: 2)
    }

    private static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "\\") && (rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "\\"))
            plain.append(isEscape ? rest.removeFirst() : byte)
        }
        return plain
    }

    private static func escaped(_ content: [UInt8]) -> [UInt8] {
        content.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isPairSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"")
            || isWhitespace(byte)
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"): true
        default: byte >= 0x80
        }
    }
}
