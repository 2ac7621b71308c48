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
        if text.hasPrefix("\"") { return headers[.eTag].map { $0 == text } ?? true }
        return headers[.lastModified].map { $0 == text } ?? true
    }

    private static func isStrongTag(_ text: String) -> Bool {
        text.utf8.count >= 2 && text.utf8.first == 0x22 && text.utf8.last == 0x22
            && text.utf8.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
    }
}
