#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What is hidden in everything that is written for people: errors, logs, recordings.
package enum Redaction {
    package static let mask = "‹redacted›"

    /// Whether a query item, form field or JSON member of this name looks like a secret.
    ///
    /// The name may be percent-encoded, and have parts: `user[password]`, `card.pin`.
    package static func isSecret(_ name: some StringProtocol) -> Bool { isSecret(name: Array(name.utf8)[...]) }

    /// `code` and `key` are secrets in a query or form (an authorization code, an API key) and plain words in JSON (an error's code).
    static func isSecret(name: ArraySlice<UInt8>, isJSONMember: Bool = false) -> Bool {
        var parts: [[UInt8]] = [[]]
        for byte in percentDecoded(name) {
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"): continue
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "."): parts.append([])
            default: parts[parts.count - 1].append(Token.lowercased(byte))
            }
        }
        let words = isJSONMember ? secretWords : secretWords.union(secretPairWords)
        return parts.contains { words.contains(String(decoding: $0, as: UTF8.self)) }
            || secretParts.contains { Array(parts.joined()).contains($0) }
    }

    private static let secretWords: Set<String> = [
        "auth", "bearer", "cardnumber", "cvc", "cvv", "jwt", "otp", "pass", "pin", "pwd", "sid", "sig", "ssn",
    ]
    private static let secretPairWords: Set<String> = ["code", "key"]
    private static let secretParts: [[UInt8]] = [
        "accesskey", "apikey", "assertion", "authorization", "codeverifier", "cookie", "credential", "passphrase", "passwd",
        "password", "privatekey", "secret", "session", "signature", "token",
    ].map { Array($0.utf8) }

    private static func percentDecoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 {
                rest = rest.dropFirst(2)
                decoded.append(code)
            } else if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "u"), rest.count >= 5,
                let code = UInt8(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16)
            {
                // A character of a JSON string that is written by its number.
                rest = rest.dropFirst(5)
                decoded.append(code)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// How much of a text is quoted where nothing else is said.
    package static let longestQuote = 500

    /// A URL as text, its password, user and secret query items hidden, and cut when it is very long.
    package static func url(_ url: URL) -> String { address(url.absoluteString, limit: 2000) }

    /// What was meant for a URL, or for a part of one, and may be none: hidden and cut as in a URL.
    package static func address(_ address: some StringProtocol, limit: Int = longestQuote) -> String {
        let start = address.prefix(limit * 4)
        let mark = start.firstIndex(where: { $0 == "?" || $0 == "#" }) ?? start.endIndex
        let hidden = withoutUserInfo(start[..<mark]) + (mark < start.endIndex ? text(start[mark...]) : "")
        return cut(hidden, limit, wasCut: start.endIndex < address.endIndex)
    }

    /// A text by whoever wrote it, its secrets hidden, and cut when it is very long.
    package static func quote(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        let start = text.prefix(limit * 4)
        return cut(self.text(start), limit, wasCut: start.endIndex < text.endIndex)
    }

    private static func cut(_ text: String, _ limit: Int, wasCut: Bool) -> String {
        guard wasCut || text.utf8.count > limit, text.count > limit || wasCut else { return text }
        return text.prefix(limit) + "…"
    }

    /// Text in which the values of secret members are hidden: JSON members and `name=value` pairs.
    package static func text(_ text: some StringProtocol) -> String {
        String(decoding: RedactedText.hide(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// The start of a body as text, secrets hidden; what is not text is only counted.
    package static func snippet(of body: Data, limit: Int = 200) -> String {
        // Hidden before it is cut: a cut secret would not be recognised. What is scanned is bounded all the same.
        guard let start = String(validUTF8: body.prefix(limit * 20).droppingPartialScalar) else {
            return "\(body.count) bytes that are not text"
        }
        let hidden = text(start)
        return hidden.count > limit || body.count > limit * 20 ? hidden.prefix(limit) + "…" : hidden
    }

    /// An address without what stands before the `@` of its authority, or, where there is no `//`, of the whole.
    private static func withoutUserInfo(_ address: some StringProtocol) -> String {
        if let slashes = address.firstRange(of: "//") {
            let authority = address[slashes.upperBound...].prefix { $0 != "/" }
            guard let at = authority.lastIndex(of: "@") else { return String(address) }
            return address[..<slashes.upperBound] + mask + address[at...]
        }
        // mailto:user:password@host, user:password@host
        guard let at = address.lastIndex(of: "@"), let colon = address[..<at].firstIndex(of: ":"),
            address[..<colon].lowercased() != "mailto" || address[address.index(after: colon)..<at].contains(":")
        else { return String(address) }
        return address[...colon] + mask + address[at...]
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
