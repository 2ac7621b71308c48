#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What is hidden in everything that is written for people: errors, logs, recordings.
package enum Redaction {
    package static let mask = "‹redacted›"

    /// Whether a query item, form field or JSON member of this name looks like a secret.
    package static func isSecret(_ name: some StringProtocol) -> Bool {
        var plain: [UInt8] = []
        for byte in name.utf8 where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") {
            plain.append(Token.lowercased(byte))
        }
        let word = String(decoding: plain, as: UTF8.self)
        return secretWords.contains(word) || secretParts.contains { word.firstRange(of: $0) != nil }
    }

    private static let secretWords: Set<String> = ["auth", "code", "jwt", "key", "otp", "pass", "pin", "pwd", "sid", "sig"]
    private static let secretParts = [
        "accesskey", "apikey", "assertion", "authorization", "codeverifier", "cookie", "credential", "passphrase", "passwd",
        "password", "privatekey", "secret", "session", "signature", "token",
    ]

    /// A URL as text, its password, user and secret query items hidden.
    package static func url(_ url: URL) -> String {
        let text = url.absoluteString
        guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return withoutUserInfo(text) }
        return withoutUserInfo(text[..<mark]) + pairs(text[mark...])
    }

    /// Text in which the values of secret members are hidden: JSON members and `name=value` pairs.
    package static func text(_ text: some StringProtocol) -> String { pairs(jsonMembers(text)) }

    /// The start of a body as text, secrets hidden; what is not text is only counted.
    package static func snippet(of body: Data, limit: Int = 200) -> String {
        // Hidden before it is cut: a cut secret would not be recognised. What is scanned is bounded all the same.
        guard let start = String(validating: body.prefix(limit * 20).droppingPartialScalar, as: UTF8.self) else {
            return "\(body.count) bytes that are not text"
        }
        let hidden = text(start)
        return hidden.count > limit || body.count > limit * 20 ? hidden.prefix(limit) + "…" : hidden
    }

    private static func withoutUserInfo(_ text: some StringProtocol) -> String {
        guard let slashes = text.firstRange(of: "://") else { return String(text) }
        let authority = text[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(text) }
        return text[..<slashes.upperBound] + mask + text[at...]
    }

    /// Hides the value of each `name=value` whose name is a secret, up to the next separator.
    private static func pairs(_ text: some StringProtocol) -> String {
        var result = "", word = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            result.append(character)
            if character == "=", isSecret(word) {
                let value = rest.prefix { !isPairSeparator($0) }
                rest = rest[value.endIndex...]
                if !value.isEmpty { result += mask }
            }
            if character.isLetter || character.isNumber || "_-.[]%".contains(character) { word.append(character) } else { word = "" }
        }
        return result
    }

    private static func isPairSeparator(_ character: Character) -> Bool {
        character == "&" || character == ";" || character == "#" || character == "\"" || character.isWhitespace
    }

    /// Hides the value of each `"name": value` whose name is a secret.
    private static func jsonMembers(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = text[...]
        var lastString: Substring?
        while let character = rest.first {
            if character == "\"" {
                let string = quoted(rest)
                result += string
                rest = rest[string.endIndex...]
                lastString = string.dropFirst().dropLast()
            } else {
                rest.removeFirst()
                result.append(character)
                if character == ":", let name = lastString, isSecret(name) {
                    let gap = rest.prefix(while: \.isWhitespace)
                    result += gap + "\"" + mask + "\""
                    rest = rest[value(rest[gap.endIndex...]).endIndex...]
                }
                if !character.isWhitespace { lastString = nil }
            }
        }
        return result
    }

    /// The quoted string at the start of `text`, its quotes included; to the end when it is not closed.
    private static func quoted<Text: StringProtocol>(_ text: Text) -> Substring where Text.SubSequence == Text {
        var isEscaped = false
        var end = text.index(after: text.startIndex)
        while end < text.endIndex {
            let character = text[end]
            end = text.index(after: end)
            if character == "\"", !isEscaped { break }
            isEscaped = character == "\\" && !isEscaped
        }
        return Substring(text)[text.startIndex..<end]
    }

    /// The JSON value at the start of `text`: a string, a bracketed value, or a bare word.
    private static func value<Text: StringProtocol>(_ text: Text) -> Substring where Text.SubSequence == Text {
        guard let first = text.first else { return Substring(text) }
        if first == "\"" { return quoted(text) }
        guard first == "{" || first == "[" else {
            return Substring(text)[text.startIndex..<(text.firstIndex { ",}] \n\r\t".contains($0) } ?? text.endIndex)]
        }
        var depth = 0
        var place = text.startIndex
        while place < text.endIndex {
            let character = text[place]
            if character == "\"" {
                place = quoted(text[place...]).endIndex
                continue
            }
            place = text.index(after: place)
            if character == "{" || character == "[" { depth += 1 }
            if character == "}" || character == "]" { depth -= 1 }
            if depth == 0 { break }
        }
        return Substring(text)[text.startIndex..<place]
    }
}

extension Data {
    /// The bytes without a UTF-8 character that was cut at the end.
    fileprivate var droppingPartialScalar: Data {
        guard let lead = lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }), endIndex - lead <= 4, self[lead] >= 0b1100_0000 else {
            return self
        }
        let wanted = self[lead] >= 0b1111_0000 ? 4 : self[lead] >= 0b1110_0000 ? 3 : 2
        return endIndex - lead < wanted ? self[..<lead] : self
    }
}

extension StringProtocol {
    /// The first place where `needle` stands.
    fileprivate func firstRange(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].utf8.starts(with: needle.utf8) {
                return start..<(utf8.index(start, offsetBy: needle.utf8.count))
            }
            start = index(after: start)
        }
        return nil
    }
}
