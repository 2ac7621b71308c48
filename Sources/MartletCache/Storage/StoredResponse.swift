public import MartletEssentials

/// A response in a cache, without its body: what decides whether it may answer a request (RFC 9111 §3).
public struct StoredResponse: Sendable, Hashable {
    /// Which part of the representation the body holds, when it is not the whole (RFC 9111 §3.3).
    package struct Part: Sendable, Hashable {
        /// The bytes that are there, first and last.
        package let bounds: ClosedRange<Int64>
        /// How many bytes the whole has; nil when it is not known.
        package let total: Int64?

        /// A part.
        package init(bounds: ClosedRange<Int64>, total: Int64?) {
            self.bounds = bounds
            self.total = total
        }
    }

    /// Names this response among all that were ever stored.
    public let id: String
    /// What it is found by.
    public let key: CacheKey
    /// The request's fields that `Vary` names. Stores find it by ``variantKey``.
    package let variant: CacheVariant
    /// Text that identifies the variant: the request's fields that `Vary` names, with their values. A store keeps one response for each key and
    /// variant. Its length is not limited, so a store may use a digest of it.
    public var variantKey: String { variant.text }
    /// The status: for a part, that of the whole.
    public let status: HTTPStatus
    /// The storable fields, without validators that are invalid in a request (RFC 9110 §5.5).
    public let headers: HTTPFields
    /// When the request was sent for which it came, or was last validated.
    public let requestTime: Date
    /// When it was received, or last validated.
    public let responseTime: Date
    /// Which part the body holds; nil for the whole.
    package let part: Part?
    /// Whether a content coding was undone, so that the body's bytes are not those that ranges and digests are about.
    public let wasContentCoded: Bool
    /// Whether it must be validated before it is used, whatever it says of itself.
    public let isInvalidated: Bool

    /// What its fields say, read once.
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

    /// Creates a whole response, for the tests of a store.
    ///
    /// - Parameters:
    ///   - id: The identifier, unique among all responses.
    ///   - key: The key.
    ///   - fields: The request's fields that `Vary` names, with their values; nil for a field that the request did not have.
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

    /// Compares what is stored.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.key == right.key && left.variant == right.variant && left.status == right.status
            && left.headers == right.headers && left.requestTime == right.requestTime && left.responseTime == right.responseTime
            && left.part == right.part && left.wasContentCoded == right.wasContentCoded && left.isInvalidated == right.isInvalidated
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension HTTPFields {
    /// The fields without an `ETag` or `Last-Modified` whose content is invalid (RFC 9110 §5.5): a request that carries it would be
    /// refused.
    fileprivate var withoutInvalidValidators: HTTPFields {
        guard !isEmpty else { return self }
        var fields = self
        for name in [HTTPFieldName.eTag, .lastModified] where bytes(for: name).contains(where: { !$0.allSatisfy(Token.isFieldContent) }) {
            fields.remove(name)
        }
        return fields
    }
}
