/// The fields of an HTML form, in order (`application/x-www-form-urlencoded`, WHATWG URL §5).
///
/// ```swift
/// let body: RequestBody = .form(["grant_type": "refresh_token", "n": 1, "scope": scope])  // nil is dropped
/// ```
///
/// Values are encoded as in a ``Query``. A space is written as `+`.
public struct Form: Sendable {
    private var parameters = Parameters()
    /// The style in which arrays are written. Default: one pair for each element.
    public var arrays: Query.ArrayStyle

    /// Creates an empty form.
    public init(arrays: Query.ArrayStyle = .repeated) {
        self.arrays = arrays
    }

    /// Creates a form from the encoded members of a value, in the order of their names.
    public init<Members: Encodable & Sendable>(_ members: Members, arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(members: members)
        self.arrays = arrays
    }

    /// Creates a form from a dictionary of values of any types, in the order of their names.
    public init(_ values: [String: any Encodable & Sendable], arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(values)
        self.arrays = arrays
    }

    /// Creates a form from a dictionary whose values the compiler does not know, in the order of their names; nil and `NSNull` are dropped.
    ///
    /// With a value that can't be encoded, the call throws `.encodingFailed`, which names the key and the type: see
    /// ``RequestBody/json(untyped:)``.
    public init(untyped values: [String: Any], arrays: Query.ArrayStyle = .repeated) {
        parameters = Parameters(members: MixedValue(untyped: values))
        self.arrays = arrays
    }

    /// Unavailable: a value of the dictionary is not known to be `Encodable`.
    @available(*, unavailable, message: "each value must be Encodable & Sendable; a [String: Any] is sent with Form(untyped:)")
    @_disfavoredOverload
    public init(_ values: [String: Any], arrays: Query.ArrayStyle = .repeated) { self.init(untyped: values, arrays: arrays) }

    /// Appends a name and its value, or nothing if the value is nil; an array is written in the form's style.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) { parameters.append(name, value) }

    /// Returns the percent-encoded text of the form, for a request body.
    ///
    /// - Parameter encoder: Encodes the values. Default: JSON.
    /// - Throws: `.encodingFailed` if a value can't be encoded.
    public func encoded(with encoder: any BodyEncoder = .json) throws(HTTPError) -> String {
        try parameters.resolve(with: encoder, arrays: arrays, kind: "form")
            .map { PercentEncoding.escapeForm($0.name) + "=" + PercentEncoding.escapeForm($0.value ?? "") }.joined(separator: "&")
    }
}

extension Form: ExpressibleByDictionaryLiteral {
    /// Creates a form from pairs in the order in which they are written, except pairs with nil. A name may occur several times.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
