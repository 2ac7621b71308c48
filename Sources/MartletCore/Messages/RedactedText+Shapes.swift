// The shapes that secrets have outside JSON and forms.
extension RedactedText {
    /// The name that ends before `end`: spaces and one quote may stand between.
    func nameBefore(_ end: Int) -> ArraySlice<UInt8> {
        var end = end
        while end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") { end -= 1 }
        if end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: "'") { end -= 1 }
        var start = end
        while start > bytes.startIndex, RedactedText.isNamePart(bytes[start - 1]) { start -= 1 }
        return bytes[start..<end]
    }

    /// Hides all up to the first byte that `isEnd` says ends it.
    mutating func hide(upTo isEnd: (UInt8) -> Bool) {
        let end = bytes[position...].firstIndex(where: isEnd) ?? bytes.endIndex
        if end > position { result += Redaction.mask.utf8 }
        position = end
    }

    /// Hides what follows `name:` outside JSON: a string, a bracketed value, or the rest of the line.
    mutating func hideLine() {
        while position < bytes.endIndex, bytes[position] == UInt8(ascii: " ") {
            result.append(bytes[position])
            position += 1
        }
        guard position < bytes.endIndex else { return }
        switch bytes[position] {
        case UInt8(ascii: "'"):
            position = endOfString(from: position)
            result += Redaction.mask.utf8
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): hideMemberValue()
        default: hide { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
    }

    /// Hides the user and the password of a URL whose `//` comes next.
    mutating func hideUserInfo() {
        let start = position + 2
        let end = bytes[start...].firstIndex { "/?#\"'<>".utf8.contains($0) || RedactedText.isWhitespace($0) } ?? bytes.endIndex
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        result += "//\(Redaction.mask)".utf8
        position = at
    }

    /// Whether it is the name of a scheme that a token follows (RFC 6750 §2.1).
    static func isScheme(_ word: ArraySlice<UInt8>) -> Bool {
        word.count == 6 && word.elementsEqual("bearer".utf8) { Token.lowercased($0) == $1 }
    }

    /// Hides a token behind the name of its scheme: a word of eight characters or more.
    mutating func hideToken() {
        let token = bytes[position...].prefix { !RedactedText.isWhitespace($0) && !"\"',;<>".utf8.contains($0) }
        guard token.count >= 8 else { return }
        result += Redaction.mask.utf8
        position = token.endIndex
    }

    /// Whether the object around this place says by its `name` that its `value` is a secret, as HAR and forms in JSON do.
    func isValueOfSecret() -> Bool {
        let reach = 4096
        let before = bytes[..<position].suffix(reach)
        let after = bytes[position...].prefix(reach)
        let start = before.lastIndex(of: UInt8(ascii: "{")) ?? before.startIndex
        let end = after.firstIndex(of: UInt8(ascii: "}")) ?? after.endIndex
        var strings: [ArraySlice<UInt8>] = []
        var place = start
        while place < end, let quote = bytes[place..<end].firstIndex(of: UInt8(ascii: "\"")) {
            place = endOfString(from: quote)
            strings.append(bytes[(quote + 1)..<max(quote + 1, place - 1)])
        }
        return zip(strings, strings.dropFirst()).contains { name, value in
            (name.elementsEqual("name".utf8) || name.elementsEqual("key".utf8)) && Redaction.isSecret(name: value)
        }
    }
}
