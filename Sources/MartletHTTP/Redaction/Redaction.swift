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

    /// The longest body that is read as JSON for a text, in bytes.
    package static let maxJSONLength = 1 << 18

    /// Returns the start of a body as text with secrets masked. A body that can't be read structurally is shown as type and length.
    ///
    /// - Parameters:
    ///   - type: The value of `Content-Type`.
    ///   - limit: The maximum number of code points.
    ///   - isStart: Whether `body` is only the start of one.
    package static func body(_ body: Data, type: String?, limit: Int = 200, isStart: Bool = false) -> String {
        if let text = readable(body, type: type, limit: limit * 20, shown: limit, isStart: isStart) {
            return cut(text, limit, wasCut: isStart)
        }
        let essence = type.flatMap { MediaType($0) }?.essence ?? "no type"
        return "<\(cut(essence, 100)), \(isStart ? "more than " : "")\(body.count) bytes>"
    }

    /// Returns a body with its secrets masked: JSON and forms by member names; XML, HTML, and text of the types below, or without a type,
    /// as prose, and so is the start of invalid JSON. Nil for other types, for truncated JSON, and if all of invalid JSON is masked.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes that are read of a body that is not JSON, or not valid JSON.
    ///   - shown: The number of code points that are shown. What follows may be left out, and is then not masked.
    package static func readable(_ body: Data, type: String?, limit: Int, shown: Int = .max, isStart: Bool = false) -> String? {
        let media = type.flatMap { MediaType($0) }, isTyped = type?.isEmpty == false
        let count = media?.isJSON == true || !isTyped ? max(limit, maxJSONLength) : limit
        let isCut = isStart || body.count > count
        // A text in UTF-16 contains zeros, which would prevent names from being recognised.
        let read = body.count > count || isStart ? body.prefix(count).droppingPartialScalar : body
        guard let text = String(validUTF8: read), !text.utf8.contains(0) else { return nil }
        if media?.isJSON == true {
            return isCut ? nil : Redactor().json(text, limit: shown) ?? invalidJSON(body, limit: limit, shown: shown)
        }
        if media?.essence == "application/x-www-form-urlencoded" { return Redactor().form(text, limit: shown) }
        guard !isTyped || media.map(isText) == true else { return nil }
        return Redactor().text(text, isCut: isCut, limit: shown)
    }

    /// Returns the start of a body that should be JSON, such as HTML, a truncated document or one with `NaN`. Nil if all of it is masked.
    private static func invalidJSON(_ body: Data, limit: Int, shown: Int) -> String? {
        let isCut = body.count > limit
        let read = isCut ? body.prefix(limit).droppingPartialScalar : body
        let text = Redactor().text(String(decoding: read, as: UTF8.self), isCut: isCut, limit: shown)
        return text == mask ? nil : text
    }

    private static func isText(_ media: MediaType) -> Bool {
        textTypes.contains(media.essence) || media.subtype == "xml" || media.subtype.hasSuffix("+xml")
    }

    /// The media types, beside those of XML, that are shown as text with likely secrets masked.
    private static let textTypes: Set = ["text/plain", "text/event-stream", "application/x-ndjson", "text/html"]
}

extension Data {
    /// The bytes without a truncated UTF-8 character at the end.
    fileprivate var droppingPartialScalar: Data {
        guard let lead = lastIndex(where: { $0 & 0b1100_0000 != 0b1000_0000 }), endIndex - lead <= 4, self[lead] >= 0b1100_0000 else {
            return self
        }
        let wanted = self[lead] >= 0b1111_0000 ? 4 : self[lead] >= 0b1110_0000 ? 3 : 2
        return endIndex - lead < wanted ? self[..<lead] : self
    }
}

/// A type that may contain secrets: `dump`, `Mirror` and debuggers show only its `description`.
///
/// A conforming type also declares `CustomReflectable`, so that this conformance is public, and `CustomDebugStringConvertible` if it has a
/// description.
package protocol RedactedReflection: CustomReflectable {}

extension RedactedReflection {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The description, which leaves secrets out.
    public var debugDescription: String { String(describing: self) }
}

extension HTTPFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The lines as `Name: value`, with the values of credentials redacted. Limited to the first lines if there are very many.
    public var description: String {
        var text = ""
        for (index, field) in enumerated() {
            if text.utf8.count > HTTPFields.longestText { return text + ", and \(count - index) more" }
            text += (text.isEmpty ? "" : ", ") + field.description
        }
        return text
    }

    private static let longestText = 4_000
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The line as `Name: value`, with the value of a credential redacted.
    public var description: String {
        "\(Redaction.line(name.rawName, limit: 60)): \(isCredential ? Redaction.mask : Redaction.line(value))"
    }
}
