internal import MartletEssentials

extension StoredResponse {
    /// Whether the response may be used for requests that differ in fields other than credentials.
    var isForAnyone: Bool { facts.isForAnyone }

    /// The parsed fields that decide about the age and use of a response.
    final class Facts: Sendable {
        enum Expiry: Equatable {
            case absent
            /// Present but not a valid date, which counts as expired (RFC 9111 §5.3).
            case invalid
            case at(Date)
        }

        let control: CacheControl
        let maxAge: Int?
        let sharedMaxAge: Int?
        /// The `Date` field, if it is valid.
        let date: Date?
        let expires: Expiry
        let lastModified: Date?
        /// `Age` in seconds. 0 if it is absent or invalid.
        let age: Int
        let tag: EntityTag?
        /// Whether the whole response must be validated before each use.
        let requiresValidation: Bool
        /// Whether the server declares the response as public.
        let isForAnyone: Bool

        init(_ headers: HTTPFields, now: Date) {
            control = CacheControl(headers)
            maxAge = control.seconds("max-age").orZero
            sharedMaxAge = control.seconds("s-maxage").orZero
            date = headers[.date].flatMap { HTTPDate($0, now: now)?.date }
            lastModified = headers[.lastModified].flatMap { HTTPDate($0, now: now)?.date }
            // Several values, which are an error, do not parse as a date.
            expires = headers[.expires].map { HTTPDate(strict: $0, now: now).map { .at($0.date) } ?? .invalid } ?? .absent
            age = Facts.age(headers)
            // In If-None-Match, "*" would match any representation.
            tag = headers[.eTag].flatMap { EntityTag($0) }.flatMap { $0.text == "*" ? nil : $0 }
            requiresValidation = control.requiresValidation
            isForAnyone = headers.areForAnyone(control)
        }

        /// Parses the first number of the `Age` field (RFC 9111 §5.1). 0 if it is invalid.
        private static func age(_ headers: HTTPFields) -> Int {
            guard let text = headers.values(for: .age).first else { return 0 }
            let first = text.prefix { $0 != "," }.trimmingWhitespace
            return CacheControl.deltaSeconds(first) ?? 0
        }
    }
}

extension HTTPFields {
    /// Whether these fields of a response permit its use for requests that differ in fields other than credentials. `Set-Cookie` forbids
    /// it, because the cookie may be one user's.
    var areForAnyone: Bool { areForAnyone(CacheControl(self)) }

    fileprivate func areForAnyone(_ control: CacheControl) -> Bool { control.isForAnyone && !contains(.setCookie) }
}
