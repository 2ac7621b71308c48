/// The members of an HTML form as a body (`application/x-www-form-urlencoded`, WHATWG URL §5): ordered.
///
/// ```swift
/// .form(["grant_type": "refresh_token", "n": 1, "scope": scope])  // nil is dropped
/// ```
///
/// Values are encoded as in a ``Query``; a space is written `+`.
public struct Form: Sendable {
    private var parameters = Parameters()
    /// How arrays are written. Default: repeated.
    public var arrays: Query.ArrayStyle

    /// An empty form.
    public init(arrays: Query.ArrayStyle = .repeated) {
        self.arrays = arrays
    }

    /// The members of a value.
    public init<Members: Encodable & Sendable>(_ members: Members, arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(members: members)
        self.arrays = arrays
    }

    /// Creates a form from a dictionary of values of any types, in the order of their names.
    public init(_ values: [String: any Encodable & Sendable], arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(values)
        self.arrays = arrays
    }

    /// Adds a pair at the end; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) { parameters.append(name, value) }

    /// The form as it is sent. Throws `.encodingFailed` when a value can't be encoded.
    public func encoded(with encoder: any BodyEncoder = .json) throws(HTTPError) -> String {
        try parameters.resolve(with: encoder, arrays: arrays, kind: "form")
            .map { PercentEncoding.escapeForm($0.name) + "=" + PercentEncoding.escapeForm($0.value ?? "") }.joined(separator: "&")
    }
}

extension Form: ExpressibleByDictionaryLiteral {
    /// Pairs in the order they are written; a name may come twice, and nil is dropped.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
