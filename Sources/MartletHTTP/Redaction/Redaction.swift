package import MartletEssentials

/// Text for people, in errors, logs and descriptions. Secrets are masked by their names, and every text is bounded.
package enum Redaction {
    package static let mask = "‹redacted›"

    /// Whether the value of a field, query item, form field or JSON member of this name is a secret.
    ///
    /// The name may be percent-encoded and may have parts: `user[password]`, `card.pin`.
    ///
    /// - Parameter isMember: Whether the name is that of a JSON member, where `code` and `key` are plain words.
    package static func isSecret(_ name: some StringProtocol, isMember: Bool = false) -> Bool {
        isMember ? SecretNames.contains(Array(name.utf8)[...], isMember: true) : SecretNames.contains(String(name))
    }

    /// The default limit of a quoted text, in code points.
    package static let longestQuote = 500

    /// A URL as text, its password, user and secret query items hidden, and cut when it is very long.
    package static func url(_ url: URL) -> String { address(url.absoluteString, limit: 2000) }

    /// A URL, a part of one, or a text that should be one: secrets hidden, and cut when it is very long.
    package static func address(_ address: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(address, limit * 4)
        return cut(Redactor().address(start), limit, wasCut: wasCut)
    }

    /// A text from outside, its secrets hidden, and cut when it is very long.
    package static func quote(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(text, limit * 4)
        return cut(Redactor().text(start, isCut: wasCut), limit, wasCut: wasCut)
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

    /// A text that has no secrets, cut when it has more code points than `limit`.
    package static func cut(_ text: String, _ limit: Int, wasCut: Bool = false) -> String {
        guard wasCut || text.utf8.count > limit, text.unicodeScalars.count > limit || wasCut else { return text }
        return bounded(text, limit).start + "…"
    }

    /// At most so many code points of a text: a single character may consist of any number of them.
    private static func bounded(_ text: some StringProtocol, _ limit: Int) -> (start: String, wasCut: Bool) {
        let start = text.unicodeScalars.prefix(limit)
        return (String(String.UnicodeScalarView(start)), start.endIndex < text.unicodeScalars.endIndex)
    }

    /// A text whole, its secrets masked.
    package static func text(_ text: some StringProtocol) -> String { Redactor().text(text) }
}
