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

    private static let secretWords: Set<String> = ["auth", "jwt", "otp", "pass", "pin", "pwd", "sid", "sig"]
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
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    /// A URL as text, its password, user and secret query items hidden.
    package static func url(_ url: URL) -> String {
        let address = url.absoluteString
        guard let mark = address.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return withoutUserInfo(address) }
        return withoutUserInfo(address[..<mark]) + text(address[mark...])
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

    private static func withoutUserInfo(_ address: some StringProtocol) -> String {
        guard let colon = address.firstIndex(of: ":"), address[colon...].hasPrefix("://") else { return String(address) }
        let start = address.index(colon, offsetBy: 3)
        guard let at = address[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return String(address) }
        return address[..<start] + mask + address[at...]
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
