internal import MartletEssentials

extension StoredResponse {
    /// What a response's fields say of its age and its use, read once.
    final class Facts: Sendable {
        enum Expiry: Equatable {
            case absent
            /// There, but no date: in the past (RFC 9111 §5.3).
            case invalid
            case at(Date)
        }

        let control: CacheControl
        let maxAge: Int?
        let sharedMaxAge: Int?
        /// `Date`, when it can be read.
        let date: Date?
        let expires: Expiry
        let lastModified: Date?
        /// `Age` in seconds; 0 when it is absent or can't be read.
        let age: Int
        let tag: EntityTag?
        /// Whether the whole response must be validated before each use.
        let requiresValidation: Bool

        init(_ headers: HTTPFields, now: Date) {
            control = CacheControl(headers)
            maxAge = control.seconds("max-age").orZero
            sharedMaxAge = control.seconds("s-maxage").orZero
            date = headers[.date].flatMap { HTTPDate($0, now: now)?.date }
            lastModified = headers[.lastModified].flatMap { HTTPDate($0, now: now)?.date }
            // Of several, which there should not be, none is a date.
            expires = headers[.expires].map { HTTPDate(strict: $0, now: now).map { .at($0.date) } ?? .invalid } ?? .absent
            age = Facts.age(headers)
            // A star is no tag: asked for, it would stand for any.
            tag = headers[.eTag].flatMap { EntityTag($0) }.flatMap { $0.text == "*" ? nil : $0 }
            requiresValidation = control.requiresValidation
        }

        /// The first of the numbers (RFC 9111 §5.1), if it is one.
        private static func age(_ headers: HTTPFields) -> Int {
            guard let text = headers.values(for: .age).first else { return 0 }
            let first = text.prefix { $0 != "," }.trimmingWhitespace
            return CacheControl.deltaSeconds(first) ?? 0
        }
    }
}
