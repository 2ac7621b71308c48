package import MartletEssentials

/// Prepares text for errors, logs and descriptions. Masks secrets by their names and limits the length of every text.
package enum Redaction {
    package static let mask = "‹redacted›"

    /// Whether the value of a field, query item, form field or JSON member with this name is a secret.
    ///
    /// The name may be percent-encoded and may have parts: `user[password]`, `card.pin`.
    ///
    /// - Parameter isMember: Whether the name is that of a JSON member, where `code` and `key` are plain words.
    package static func isSecret(_ name: some StringProtocol, isMember: Bool = false) -> Bool {
        isMember ? SecretNames.contains(Array(name.utf8)[...], isMember: true) : SecretNames.contains(String(name))
    }

    /// The default limit of a quoted text, in code points.
    static let longestQuote = 500

    /// Returns a URL as text, with password, user name and secret query items masked. Truncated at 2,000 code points.
    package static func url(_ url: URL) -> String { address(url.absoluteString, limit: 2000) }

    /// Returns a URL, a part of one, or a text that should be one, with secrets masked. Truncated at the limit.
    package static func address(_ address: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(address, limit * 4)
        return cut(Redactor().address(start), limit, wasCut: wasCut)
    }

    /// Returns a text from outside with secrets masked. Truncated at the limit.
    package static func quote(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        let (start, wasCut) = bounded(text, limit * 4)
        return cut(Redactor().text(start, isCut: wasCut, limit: limit), limit, wasCut: wasCut)
    }

    /// Returns a text like ``quote(_:limit:)``, in one line with visible control characters.
    package static func line(_ text: some StringProtocol, limit: Int = longestQuote) -> String {
        visible(quote(text, limit: limit))
    }

    /// Returns a text in one line, with visible control characters.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += isControl($1) ? $1.escaped(asASCII: true) : String($1) }
    }

    /// Whether a character has an effect and is not shown: it moves the cursor, changes colours, ends a line or changes the direction of
    /// writing. With such characters, a text from outside could imitate another line of a log.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns a text without secrets, truncated to `limit` code points.
    package static func cut(_ text: String, _ limit: Int, wasCut: Bool = false) -> String {
        guard wasCut || text.utf8.count > limit, text.unicodeScalars.count > limit || wasCut else { return text }
        return bounded(text, limit).start + "…"
    }

    /// Returns at most `limit` code points of a text. Code points, because one character may consist of any number of them.
    private static func bounded(_ text: some StringProtocol, _ limit: Int) -> (start: String, wasCut: Bool) {
        if text.utf8.count <= limit { return (String(text), false) }
        let start = text.unicodeScalars.prefix(limit)
        return (String(String.UnicodeScalarView(start)), start.endIndex < text.unicodeScalars.endIndex)
    }

    /// Returns a whole text with its secrets masked.
    package static func text(_ text: some StringProtocol) -> String { Redactor().text(text) }
}
