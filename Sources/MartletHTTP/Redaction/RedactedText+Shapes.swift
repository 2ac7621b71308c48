// The shapes that secrets have outside the members of JSON.

// MARK: - Pairs and lines

extension RedactedText {
    /// The name that ends before `end`: spaces and one quote may stand between.
    func nameBefore(_ end: Int) -> ArraySlice<UInt8> {
        let first = max(bytes.startIndex, end - SecretNames.longestName)
        var end = end
        while end > first, Token.isWhitespace(bytes[end - 1]) { end -= 1 }
        if end > first, bytes[end - 1] == UInt8(ascii: "'") || bytes[end - 1] == UInt8(ascii: "\"") { end -= 1 }
        var start = end
        while start > first, RedactedText.isNamePart(bytes[start - 1]) { start -= 1 }
        return bytes[start..<end]
    }

    /// Whether it is the `Code` of `Error Domain=… Code=2`, as Foundation prints errors, and no authorization code.
    func isCodeOfError(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.elementsEqual("Code".utf8), bytes[..<name.startIndex].last.map(Token.isWhitespace) == true else { return false }
        let word = bytes[..<name.startIndex].reversed().drop(while: Token.isWhitespace).prefix(100).prefix { !Token.isWhitespace($0) }
        return word.reversed().starts(with: "Domain=".utf8)
    }

    /// Hides what follows a `=` or a `=>`: a string, a bracketed value, the rest of the line after a space, or all up to the next
    /// separator.
    mutating func hidePairValue() {
        if position < bytes.endIndex, bytes[position] == UInt8(ascii: ">") {
            result.append(bytes[position])
            position += 1
        }
        let start = position
        copySpaces(Token.isWhitespace)
        guard position < bytes.endIndex else { return }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): hide(upTo: endOfString(from: position))
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let end = endOfValue(from: position)
            hide(upTo: bytes[end...].firstIndex(where: RedactedText.isPairSeparator) ?? bytes.endIndex)
        default: hide(until: start < position ? RedactedText.isLineBreak : RedactedText.isPairSeparator)
        }
    }

    /// Hides what follows `name:` outside JSON: a string, a bracketed value, or the rest of the line.
    mutating func hideLine() {
        copySpaces { $0 == UInt8(ascii: " ") }
        guard position < bytes.endIndex else { return }
        switch bytes[position] {
        case UInt8(ascii: "'"): hide(upTo: endOfString(from: position))
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): hideMemberValue()
        default: hide(until: RedactedText.isLineBreak)
        }
    }

    private mutating func hide(until isEnd: (UInt8) -> Bool) {
        let value = bytes[position...].prefix { !isEnd($0) }
        hide(upTo: value.endIndex)
        // `Authorization=Bearer …`: the secret is what comes after the space.
        guard RedactedText.schemes.contains(where: { RedactedText.isWord(value, $0) }) else { return }
        position += bytes[position...].prefix(while: Token.isWhitespace).count
        position += bytes[position...].prefix { !isEnd($0) }.count
    }

    private static let schemes = ["basic", "bearer", "digest", "dpop", "negotiate", "token", "apikey"]

    mutating func hide(upTo end: Int) {
        if end > position { result += Redaction.mask.utf8 }
        position = end
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    static func isPairSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"")
            || isWhitespace(byte)
    }
}

// MARK: - Tokens and users

extension RedactedText {
    /// Whether it is the name of a scheme that a token follows (RFC 6750 §2.1).
    static func isScheme(_ word: ArraySlice<UInt8>) -> Bool { isWord(word, "bearer") }

    /// Hides a token behind the name of its scheme: a word of eight characters or more.
    mutating func hideToken() {
        copySpaces(Token.isWhitespace)
        let token = bytes[position...].prefix { !RedactedText.isWhitespace($0) && !"\"',;<>".utf8.contains($0) }
        if token.count >= 8 { hide(upTo: token.endIndex) }
    }

    /// Hides the user and the password of a URL whose `//` comes next.
    mutating func hideUserInfo() {
        guard let end = RedactedText.endOfUser(bytes[(position + 2)...], isWithinText: true) else { return }
        result += "//".utf8
        position += 2
        hide(upTo: end)
    }

    /// Where the user and the password of a URL end, of which `rest` is what follows the `//`: at the `@`; nil when there are none.
    static func endOfUser(_ rest: ArraySlice<UInt8>, isWithinText: Bool) -> Int? {
        let authority = rest.prefix { !"/?#".utf8.contains($0) && !(isWithinText && isEndOfURL($0)) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
        // A password with a slash in it, or a text that was cut within one: what stands there is no port, or no host is so long.
        guard authority.count > longestHost || hasImpossiblePort(authority) else { return nil }
        let behind = rest[authority.endIndex...].prefix(reach).prefix { !isEndOfURL($0) }
        let word = isWithinText ? rest[..<behind.endIndex] : rest
        return word.lastIndex(of: UInt8(ascii: "@")) ?? (word.endIndex == rest.endIndex ? rest.endIndex : nil)
    }

    private static func isEndOfURL(_ byte: UInt8) -> Bool { isWhitespace(byte) || "\"'<>".utf8.contains(byte) }

    private static func hasImpossiblePort(_ authority: ArraySlice<UInt8>) -> Bool {
        var authority = authority
        // The end of a sentence is none of it.
        while let last = authority.last, ".,;:!)}".utf8.contains(last) { authority.removeLast() }
        guard authority.first != UInt8(ascii: "["), let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return !authority[colon...].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// RFC 1035 §2.3.4, and a port.
    private static var longestHost: Int { 253 + 6 }
}

// MARK: - A name beside a value

extension RedactedText {
    /// Whether the `value` of an object is a secret when a member of this name is called like one.
    static func isNameOfValue(_ name: ArraySlice<UInt8>) -> Bool { isWord(name, "name") || isWord(name, "key") }

    /// Whether the object around this place says further on that its `value` is a secret.
    func isNamedLater() -> Bool {
        var place = position
        var open = 0
        let end = bytes[position...].prefix(RedactedText.reach).endIndex
        while place < end {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                open -= 1
                if open < 0 { return false }
            case UInt8(ascii: "\""):
                let name = place
                place = endOfString(from: place)
                if open == 0, RedactedText.isNameOfValue(content(name, place)), let value = stringAfterColon(place) {
                    return Redaction.isSecret(name: value)
                }
                continue
            default: break
            }
            place += 1
        }
        return false
    }

    private func content(_ start: Int, _ end: Int) -> ArraySlice<UInt8> { bytes[start + 1..<max(start + 1, end - 1)] }

    private func stringAfterColon(_ start: Int) -> ArraySlice<UInt8>? {
        var rest = bytes[start...].drop(while: RedactedText.isWhitespace)
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        rest = rest.drop(while: RedactedText.isWhitespace)
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        return content(rest.startIndex, endOfString(from: rest.startIndex))
    }
}
