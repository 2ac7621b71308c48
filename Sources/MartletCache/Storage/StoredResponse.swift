public import MartletEssentials

/// The head of a stored response, with everything that decides whether it may be used for a request (RFC 9111 §3).
public struct StoredResponse: Sendable, Hashable {
    /// The range of the representation that a partial body holds (RFC 9111 §3.3).
    package struct Part: Sendable, Hashable {
        /// The first and the last byte held.
        let bounds: ClosedRange<Int64>
        /// The size of the whole representation in bytes, or nil if it is unknown.
        let total: Int64?

        /// Creates a part.
        package init(bounds: ClosedRange<Int64>, total: Int64?) {
            self.bounds = bounds
            self.total = total
        }
    }

    /// The identifier, unique among all stored responses.
    public let id: String
    /// The key under which the response is stored.
    public let key: CacheKey
    /// The request's fields named by `Vary`. Stores use ``variantKey``.
    package let variant: CacheVariant
    /// Text that identifies the variant: the request's fields named by `Vary`, with their values. A store keeps one response for each key
    /// and variant. The length is not limited, so a store may use a digest of it.
    public var variantKey: String { variant.text }
    /// The status of the response; 200 if only a part of the body is stored (from a 206).
    public let status: HTTPStatus
    /// The header fields that may be stored, without an `ETag` or `Last-Modified` that a request could not repeat (RFC 9110 §5.5).
    public let headers: HTTPFields
    /// When the request was sent that returned or last validated the response.
    public let requestTime: Date
    /// When the response was received or last validated.
    public let responseTime: Date
    /// The range that the body holds, or nil for the whole.
    let part: Part?
    /// Whether the body was decoded from a content coding such as gzip before it was stored. The body's bytes then differ from those that
    /// ranges and digests refer to.
    public let wasContentCoded: Bool
    /// Whether the response must be validated before use, whatever its fields say.
    public let isInvalidated: Bool

    /// The parsed fields.
    let facts: Facts

    package init(
        id: String, key: CacheKey, variant: CacheVariant = CacheVariant(), status: HTTPStatus, headers: HTTPFields, requestTime: Date,
        responseTime: Date, part: Part? = nil, wasContentCoded: Bool = false, isInvalidated: Bool = false
    ) {
        self.id = id
        self.key = key
        self.variant = variant
        self.status = status
        self.headers = headers.withoutInvalidValidators
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.part = part
        self.wasContentCoded = wasContentCoded
        self.isInvalidated = isInvalidated
        facts = Facts(self.headers, now: responseTime)
    }

    /// Creates the head of a response with a complete body, for the tests of a store.
    ///
    /// - Parameters:
    ///   - id: The identifier, unique among all stored responses.
    ///   - key: The key.
    ///   - fields: The request's fields named by `Vary`, with their values; nil for a field that the request did not have.
    ///   - status: The status.
    ///   - headers: The header fields.
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the response was received.
    public init(
        id: String, key: CacheKey, varying fields: [String: String?], status: HTTPStatus, headers: HTTPFields, requestTime: Date,
        responseTime: Date
    ) {
        let selectors = fields.map { CacheVariant.Selector(name: $0.key.lowercased(), value: $0.value) }
        self.init(
            id: id, key: key, variant: CacheVariant(selectors), status: status, headers: headers, requestTime: requestTime,
            responseTime: responseTime)
    }

    /// Whether both responses are equal in every property, including the identifier and the times.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.key == right.key && left.variant == right.variant && left.status == right.status
            && left.headers == right.headers && left.requestTime == right.requestTime && left.responseTime == right.responseTime
            && left.part == right.part && left.wasContentCoded == right.wasContentCoded && left.isInvalidated == right.isInvalidated
    }

    /// Hashes only the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Returns the response with some properties replaced.
    func with(
        id: String? = nil, key: CacheKey? = nil, headers: HTTPFields? = nil, requestTime: Date? = nil, responseTime: Date? = nil,
        part: Part?? = nil,
        isInvalidated: Bool? = nil
    ) -> StoredResponse {
        StoredResponse(
            id: id ?? self.id, key: key ?? self.key, variant: variant, status: status, headers: headers ?? self.headers,
            requestTime: requestTime ?? self.requestTime, responseTime: responseTime ?? self.responseTime, part: part ?? self.part,
            wasContentCoded: wasContentCoded, isInvalidated: isInvalidated ?? self.isInvalidated)
    }

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
    /// The fields without an `ETag` or `Last-Modified` with invalid content (RFC 9110 §5.5). A request with such a validator would be
    /// rejected.
    fileprivate var withoutInvalidValidators: HTTPFields {
        guard !isEmpty else { return self }
        var fields = self
        for name in [HTTPFieldName.eTag, .lastModified] where bytes(for: name).contains(where: { !$0.allSatisfy(Token.isFieldContent) }) {
            fields.remove(name)
        }
        return fields
    }

    /// Whether these fields of a response permit its use for requests that differ in fields other than credentials. `Set-Cookie` forbids
    /// it, because the cookie may be one user's.
    var areForAnyone: Bool { areForAnyone(CacheControl(self)) }

    fileprivate func areForAnyone(_ control: CacheControl) -> Bool { control.isForAnyone && !contains(.setCookie) }
}
