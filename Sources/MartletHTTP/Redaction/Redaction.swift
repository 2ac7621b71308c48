#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What is hidden in everything that is written for people: errors, logs, recordings.
package enum Redaction {
    package static let mask = "‹redacted›"

    /// Whether a field, query item, form field or JSON member of this name is a secret.
    ///
    /// The name may be percent-encoded and may have parts: `user[password]`, `card.pin`.
    package static func isSecret(_ name: some StringProtocol) -> Bool { isSecret(name: Array(name.utf8)[...]) }

    /// `code` and `key` are secrets in a query or form (an authorization code, an API key) and plain words in JSON (an error's code).
    static func isSecret(name: ArraySlice<UInt8>, isJSONMember: Bool = false) -> Bool {
        SecretNames.contain(name, isJSONMember: isJSONMember)
    }

    /// Decodes percent escapes (RFC 3986 §2.1) and leaves malformed ones unchanged.
    package static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] { SecretNames.percentDecoded(bytes) }

    /// How much of a text is quoted where nothing else is said.
    package static let longestQuote = 500

    /// A URL as text, its password, user and secret query items hidden, and cut when it is very long.
    package static func url(_ url: URL) -> String { address(url.absoluteString, limit: 2000) }

    /// What was meant for a URL, or for a part of one, and may be none: hidden and cut as in a URL.
    package static func address(_ address: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(address, limit * 4)
        return cut(hiddenAddress(start), limit, wasCut: wasCut)
    }

    /// A text by whoever wrote it, its secrets hidden, and cut when it is very long.
    package static func quote(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(text, limit * 4)
        return cut(self.text(start), limit, wasCut: wasCut)
    }

    /// As ``quote(_:limit:)``, in one line: control characters are made visible.
    package static func line(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        visible(quote(text, limit: limit))
    }

    /// A text in one line, with its control characters made visible.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += isControl($1) ? $1.escaped(asASCII: true) : String($1) }
    }

    /// Whether a character is acted on and not shown: it moves the cursor of a terminal, colours it, ends a line, or turns the direction
    /// of what is written after it, so that a text by somebody else could pass for another line.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func cut(_ text: String, _ limit: Int, wasCut: Bool) -> String {
        guard wasCut || text.utf8.count > limit, text.unicodeScalars.count > limit || wasCut else { return text }
        return bounded(text, limit).start + "…"
    }

    /// At most so many code points of a text: a single character may consist of any number of them.
    private static func bounded(_ text: some StringProtocol, _ limit: Int) -> (start: String, wasCut: Bool) {
        let start = text.unicodeScalars.prefix(limit)
        return (String(String.UnicodeScalarView(start)), start.endIndex < text.unicodeScalars.endIndex)
    }

    /// Text in which the values of secret members are hidden: JSON members and `name=value` pairs.
    package static func text(_ text: some StringProtocol) -> String {
        String(decoding: RedactedText.hide(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// The start of a body as text, secrets hidden; what is not text is only counted.
    ///
    /// - Parameter isStart: whether `body` is only the start of one.
    package static func snippet(of body: Data, limit: Int = 200, isStart: Bool = false) -> String {
        // Hidden before it is cut: a cut secret would not be recognised. What is scanned is bounded all the same.
        let scanned = body.prefix(limit * 20).droppingPartialScalar
        // A text in UTF-16 would pass for one with zeros in it, and no name in it be recognised.
        guard String(validUTF8: scanned) != nil, !scanned.contains(0) else { return "\(body.count) bytes that are not text" }
        let isCut = isStart || body.count > limit * 20
        // What is near a cut may belong to a name behind it.
        let known = isCut ? max(0, scanned.count - RedactedText.reach) : scanned.count
        let hidden = String(decoding: RedactedText.hide(Array(scanned)[...], showing: known), as: UTF8.self)
        return cut(hidden, limit, wasCut: isCut)
    }

    private static func hiddenAddress(_ address: some StringProtocol) -> String {
        let (user, rest) = splitUser(address)
        let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) ?? rest.endIndex
        // Parameters of a path have a `=`; without one, what looks like a name in a path is none.
        let path = rest[..<mark].utf8.contains(UInt8(ascii: "=")) ? text(rest[..<mark]) : String(rest[..<mark])
        return user + path + (mark < rest.endIndex ? text(rest[mark...]) : "")
    }

    /// An address in two: up to the end of its user and password, which are hidden, and the rest.
    private static func splitUser<Address: StringProtocol>(_ address: Address) -> (user: String, rest: Address.SubSequence) {
        let mark = address.firstIndex(where: { $0 == "?" || $0 == "#" }) ?? address.endIndex
        if let slashes = address[..<mark].firstRange(of: "//") {
            let bytes = Array(address[slashes.upperBound...].utf8)
            guard let end = RedactedText.endOfUser(bytes[...], isWithinText: false) else { return ("", address[...]) }
            return (address[..<slashes.upperBound] + mask, address[address.utf8.index(slashes.upperBound, offsetBy: end)...])
        }
        // mailto:user:password@host, user:password@host
        guard let at = address[..<mark].lastIndex(of: "@"), let colon = address[..<at].firstIndex(of: ":"),
            address[..<colon].lowercased() != "mailto" || address[address.index(after: colon)..<at].contains(":")
        else { return ("", address[...]) }
        return (address[...colon] + mask, address[at...])
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
