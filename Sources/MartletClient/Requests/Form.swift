/// The fields of an HTML form, in order (`application/x-www-form-urlencoded`, WHATWG URL §5).
///
/// ```swift
/// let body: RequestBody = .form(["grant_type": "refresh_token", "n": 1, "scope": scope])  // nil is dropped
/// ```
///
/// Values are encoded as in a ``Query``. A space is written as `+`.
public struct Form: Sendable {
    private var parameters = Parameters()
    /// How arrays are written. Default: one pair for each element.
    public var arrays: Query.ArrayStyle

    /// Creates an empty form.
    public init(arrays: Query.ArrayStyle = .repeated) {
        self.arrays = arrays
    }

    /// Creates a form from the members of a value, in the order of their names.
    public init<Members: Encodable & Sendable>(_ members: Members, arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(members: members)
        self.arrays = arrays
    }

    /// Creates a form from a dictionary of values of any types, in the order of their names.
    public init(_ values: [String: any Encodable & Sendable], arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(values)
        self.arrays = arrays
    }

    /// Appends a pair. A nil value appends nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) { parameters.append(name, value) }

    /// Returns the escaped form.
    ///
    /// - Parameter encoder: Encodes the values. Default: JSON.
    /// - Throws: `.encodingFailed` if a value can't be encoded.
    public func encoded(with encoder: any BodyEncoder = .json) throws(HTTPError) -> String {
        try parameters.resolve(with: encoder, arrays: arrays, kind: "form")
            .map { PercentEncoding.escapeForm($0.name) + "=" + PercentEncoding.escapeForm($0.value ?? "") }.joined(separator: "&")
    }
}

extension Form: ExpressibleByDictionaryLiteral {
    /// Creates a form from pairs, in the order in which they are written. A name may occur several times. Pairs with nil are dropped.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
