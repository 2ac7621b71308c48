/// Hides what is secret in a text, in one pass over its bytes: the values of JSON members, of `name=value` pairs and `name: value` lines,
/// the content of XML elements, users in URLs, and tokens after the name of their scheme.
///
/// Bytes, not characters: a quote with an accent upon it is one character, and must not hide a secret's end. The text may be cut
/// anywhere or be no JSON at all; in doubt more is hidden rather than less.
package struct RedactedText {
    let bytes: ArraySlice<UInt8>
    /// How many strings this text is within: JSON in a JSON string has its secrets hidden too.
    let depth: Int
    var position: Int
    var result: [UInt8] = []
    /// The word that is being read.
    private var word: Range<Int>
    /// The XML element whose tag is being read.
    var tag: Tag?
    /// Up to where `value` and `content` are those of an HTML tag whose name is a secret's.
    var valuesHiddenUpTo = 0
    /// The content of the string that has just ended: the name that a `:` would end.
    private var lastString: ArraySlice<UInt8>?
    /// The name of the member whose value comes next.
    private var member: ArraySlice<UInt8>?
    /// For each object around this place, whether its `name` says that its `value` is a secret, as in HAR and in forms in JSON.
    private var objects: [Bool] = []

    /// How far is looked ahead, so that the time is in proportion to the text.
    package static let reach = 1024
    static let deepest = SecretNames.maxEncodings
    /// How far pairs have been looked into for secrets that are percent-encoded.
    var decodedUpTo = 0

    /// A text, its secrets hidden. Of one that was cut, only what begins in the first `count` bytes is shown, with the rest known.
    static func hide(_ bytes: ArraySlice<UInt8>, depth: Int = 0, showing count: Int? = nil) -> [UInt8] {
        var text = RedactedText(bytes, depth: depth)
        let end = count.map { bytes.startIndex + $0 } ?? bytes.endIndex
        while text.position < end {
            let (start, shown) = (text.position, text.result.count)
            text.step()
            // A string that begins before the end and ends behind it is not shown; a mask may be.
            if count != nil, text.position > end, bytes[start] == UInt8(ascii: "\"") { return Array(text.result[..<shown]) }
        }
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
        let start = position
        if hideBareSecret(isAtWordStart: word.isEmpty) {
            (lastString, member) = (nil, nil)
            word = position..<position
            return
        }
        let name = lastString
        result.append(byte)
        position += 1
        if !RedactedText.isWhitespace(byte) { (lastString, member) = (nil, nil) }
        switch byte {
        case UInt8(ascii: "="):
            let name = nameBefore(start)
            if isValueOfNamedTag(name) || Redaction.isSecret(name: name), !isCodeOfError(name) {
                hidePairValue()
            } else {
                hideEncodedValue()
            }
        case UInt8(ascii: ":"): endName(name)
        case UInt8(ascii: "{"): objects.append(false)
        case UInt8(ascii: "}"): _ = objects.popLast()
        case UInt8(ascii: "<"): beginTag()
        case UInt8(ascii: ">"): endTag()
        case UInt8(ascii: " "), UInt8(ascii: "\t"): if RedactedText.isScheme(bytes[word]) { hideToken() }
        default: break
        }
        word = RedactedText.isNamePart(byte) ? min(word.lowerBound, start)..<position : position..<position
    }

    /// Hides what follows a colon, when what stands before it names a secret.
    private mutating func endName(_ name: ArraySlice<UInt8>?) {
        if let name {
            let isSecret = Redaction.isSecret(name: name, isJSONMember: true)
            if isSecret || RedactedText.isWord(name, "value") && (objects.last == true || isNamedLater()) {
                hideMemberValue()
            } else {
                member = name
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
        if let name = member.take(), RedactedText.isNameOfValue(name), let last = objects.indices.last {
            objects[last] = Redaction.isSecret(name: content)
        }
        lastString = content
        position = end
        word = end..<end
    }

    private func hiddenContent(_ content: ArraySlice<UInt8>) -> [UInt8] {
        guard content.contains(UInt8(ascii: "\\")) else { return RedactedText.hide(content, depth: depth + 1) }
        // Not looked into for ever.
        if depth >= RedactedText.deepest { return Array(Redaction.mask.utf8) }
        let plain = JSONEscapes.undone(content)
        let hidden = RedactedText.hide(plain[...], depth: depth + 1)
        return hidden == plain ? Array(content) : JSONEscapes.done(hidden)
    }

    /// Hides what follows a `:`: a string, a bracketed value, or a bare word.
    mutating func hideMemberValue() {
        copySpaces(RedactedText.isWhitespace)
        result += "\"\(Redaction.mask)\"".utf8
        position = endOfValue(from: position)
    }

    /// The place after a string, a bracketed value or a bare word.
    func endOfValue(from start: Int) -> Int {
        var place = start
        var open = 0
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place = endOfString(from: place)
                if open == 0 { return place }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open <= 1 { return place + open }
                open -= 1
            case UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"): if open == 0 { return place }
            default: break
            }
            place += 1
        }
        return bytes.endIndex
    }

    mutating func copySpaces(_ isSpace: (UInt8) -> Bool) {
        while position < bytes.endIndex, isSpace(bytes[position]) {
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

    static func isWord(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        text.elementsEqual(word.utf8) { Token.lowercased($0) == $1 }
    }

    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"): true
        default: byte >= 0x80
        }
    }
}
