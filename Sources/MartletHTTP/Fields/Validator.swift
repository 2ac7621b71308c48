internal import MartletEssentials

/// A strong validator of a representation, which allows parts of it to be combined (RFC 9110 §8.8.1).
package struct Validator: Sendable, Hashable {
    /// The validator as sent in `If-Range` (RFC 9110 §13.1.5).
    package let text: String

    /// The strong validator of a response: an entity tag that is not weak or, if it has no tag, a `Last-Modified` at least one second
    /// before its `Date` (RFC 9110 §8.8.2.2). Nil if there is neither.
    package init?(of headers: HTTPFields) {
        if let tag = headers[.eTag] {
            guard Validator.isStrongTag(tag) else { return nil }
            text = tag
            return
        }
        guard let modified = headers[.lastModified], modified.utf8.allSatisfy(Token.isFieldContent),
            let modification = HTTPDate(modified)?.date,
            let date = headers[.date].flatMap({ HTTPDate($0)?.date }), date.timeIntervalSince(modification) >= 1
        else { return nil }
        text = modified
    }

    /// Creates a validator from stored text. Nil if the text is not a strong validator.
    package init?(kept text: String) {
        guard text.utf8.allSatisfy(Token.isFieldContent), Validator.isStrongTag(text) || HTTPDate(text) != nil else { return nil }
        self.text = text
    }

    /// Whether a response may be of the same representation: it has no validator of this kind, or the same one.
    package func allows(_ headers: HTTPFields) -> Bool {
        headers[text.hasPrefix("\"") ? .eTag : .lastModified].map(matches) ?? true
    }

    /// Whether a validator in a field, such as the condition of `If-Range` (RFC 9110 §13.1.5), is this one.
    package func matches(_ value: String) -> Bool { text.hasSameBytes(as: String(value.trimmingWhitespace)) }

    /// Compares bytes: texts that are equal in Unicode can be different validators.
    package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    private static func isStrongTag(_ text: String) -> Bool {
        text.utf8.count >= 2 && text.utf8.first == 0x22 && text.utf8.last == 0x22
            && text.utf8.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
    }
}

/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The tag as sent, with its quotes and its `W/` prefix if it is weak.
    package let text: String
    /// Whether the tag is weak: it may be equal for representations that are equivalent but not identical.
    package var isWeak: Bool { text.hasPrefix("W/") }

    /// Creates a tag from an `ETag` field value. An unquoted tag, which is invalid but common, is accepted unchanged. Returns nil for an
    /// empty value and for invalid field content (RFC 9110 §5.5).
    package init?(_ text: some StringProtocol) {
        let trimmed = text.trimmingWhitespace
        guard !trimmed.isEmpty, trimmed.utf8.allSatisfy(Token.isFieldContent) else { return nil }
        self.text = String(trimmed)
    }

    /// Whether the tags match under weak comparison (RFC 9110 §8.8.3.2).
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque.elementsEqual(other.opaque) }

    /// Compares bytes: texts that are equal in Unicode can be different tags.
    package static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

    private var opaque: Substring.UTF8View { (isWeak ? text.dropFirst(2) : text[...]).utf8 }

    /// Parses a list of tags, as in `If-None-Match` (RFC 9110 §13.1.2). A comma within quotes is part of a tag.
    package static func list(_ text: some StringProtocol) -> [EntityTag] {
        // This is not a quoted string: a backslash in a tag escapes nothing.
        var isQuoted = false
        let tags = text.utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == FieldReader.comma && !isQuoted
        }
        return tags.compactMap { EntityTag(String(decoding: $0, as: UTF8.self)) }
    }
}
