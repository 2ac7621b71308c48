internal import MartletEssentials

/// What tells one state of a resource from another, strongly enough for its parts to be put together (RFC 9110 §8.8.1).
package struct Validator: Sendable, Hashable {
    /// As it is written in `If-Range` (RFC 9110 §13.1.5).
    package let text: String

    /// The strong validator of an answer: an entity tag that is not weak, or else a `Last-Modified` that is at least a second before the
    /// answer's `Date` (RFC 9110 §8.8.2.2). Nil when it has neither.
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

    /// A validator as it was kept; nil when it is none.
    package init?(kept text: String) {
        guard text.utf8.allSatisfy(Token.isFieldContent), Validator.isStrongTag(text) || HTTPDate(text) != nil else { return nil }
        self.text = text
    }

    /// Whether an answer may be about the same state: it is not when it has a validator of the same kind that is another.
    package func allows(_ headers: HTTPFields) -> Bool {
        if text.hasPrefix("\"") { return headers[.eTag].map { $0 == text } ?? true }
        return headers[.lastModified].map { $0 == text } ?? true
    }

    private static func isStrongTag(_ text: String) -> Bool {
        text.utf8.count >= 2 && text.utf8.first == 0x22 && text.utf8.last == 0x22
            && text.utf8.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
    }
}
