public import MartletEssentials

/// The query of a request, in order and strictly escaped.
///
/// ```swift
/// let search: Query = ["q": text, "language": language, "page": 2, "topic": ["http", "client"]]  // nil is dropped
/// let users = Query(user)  // any Encodable
/// ```
///
/// A value can be any `Encodable`: a string, a number, a Boolean, a date, a UUID, an enum, or an array of these. The client's encoder
/// encodes the values when the request is created, so that keys and dates look as in its JSON bodies. Nested members are written as
/// `filter[name]`. The members of an `Encodable` are written in the order of their names.
///
/// Every character except the unreserved ones of RFC 3986 §2.3 is escaped: a `+` in a value becomes `%2B`.
public struct Query: Sendable {
    private var parameters = Parameters()
    /// Pairs that replace all other values of their names. They are written last.
    private var replacements: [(name: String, value: String)] = []
    /// The style in which arrays are written. Default: one pair for each element.
    public var arrays: ArrayStyle

    /// Creates an empty query.
    public init(arrays: ArrayStyle = .repeated) {
        self.arrays = arrays
    }

    /// Creates a query from the encoded members of a value, in the order of their names.
    public init<Members: Encodable & Sendable>(_ members: Members, arrays: ArrayStyle = .repeated) {
        parameters = Parameters(members: members)
        self.arrays = arrays
    }

    /// Creates a query from a dictionary of values of any types, in the order of their names.
    public init(_ values: [String: any Encodable & Sendable], arrays: ArrayStyle = .repeated) {
        parameters = Parameters(values)
        self.arrays = arrays
    }

    /// Creates a query from a dictionary whose values the compiler does not know, in the order of their names; nil and `NSNull` are
    /// dropped.
    ///
    /// With a value that can't be encoded, the call throws `.encodingFailed`, which names the key and the type: see
    /// ``RequestBody/json(untyped:)``.
    public init(untyped values: [String: Any], arrays: ArrayStyle = .repeated) {
        parameters = Parameters(members: MixedValue(untyped: values))
        self.arrays = arrays
    }

    /// Unavailable: a value of the dictionary is not known to be `Encodable`.
    @available(*, unavailable, message: "each value must be Encodable & Sendable; a [String: Any] is sent with Query(untyped:)")
    @_disfavoredOverload
    public init(_ values: [String: Any], arrays: ArrayStyle = .repeated) { self.init(untyped: values, arrays: arrays) }

    /// Creates a query from URL query items. An item without a value has no equals sign.
    public init(_ items: [URLQueryItem]) {
        self.init()
        for item in items {
            if let value = item.value { append(item.name, value) } else { parameters.append(nameOnly: item.name) }
        }
    }

    /// Appends a name and its value, or nothing if the value is nil; an array is written in the query's style.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) { parameters.append(name, value) }

    /// Appends the pairs of another query.
    public mutating func append(_ other: Query) {
        parameters.append(other.parameters)
        replacements += other.replacements
    }

    /// Sets the only value of a name. It replaces every other value of that name in the encoded query.
    package mutating func replace(_ name: String, with value: String) {
        replacements.removeAll { $0.name.hasSameBytes(as: name) }
        replacements.append((name, value))
    }

    /// Returns the query with its arrays written in another style.
    public func arrays(_ style: ArrayStyle) -> Query {
        var query = self
        query.arrays = style
        return query
    }

    /// Whether the query has no pairs.
    public var isEmpty: Bool { parameters.isEmpty && replacements.isEmpty }

    /// Returns the percent-encoded text of the query, without a `?`.
    ///
    /// - Parameter encoder: Encodes the values. Default: JSON.
    /// - Throws: `.encodingFailed` if a value can't be encoded.
    public func encoded(with encoder: any BodyEncoder = .json) throws(HTTPError) -> String {
        if isEmpty { return "" }
        let pairs = try parameters.resolve(with: encoder, arrays: arrays, kind: "query")
            .filter { pair in !replacements.contains { $0.name.hasSameBytes(as: pair.name) } }
        return (pairs + replacements.map { ($0.name, $0.value) })
            .map { PercentEncoding.escape($0.name) + ($0.value.map { "=" + PercentEncoding.escape($0) } ?? "") }.joined(separator: "&")
    }
}

extension Query {
    /// The style in which a query or form writes an array.
    public enum ArrayStyle: Sendable, Hashable {
        /// Writes one pair for each element, as in `tag=a&tag=b`. This is the default.
        case repeated
        /// Writes one pair for each element with brackets after the name, as in `tag[]=a&tag[]=b`. The brackets are percent-encoded.
        case brackets
        /// Writes one pair with all elements, as in `tag=a,b`. The commas are percent-encoded.
        case commas
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// Creates a query from pairs in the order in which they are written, except pairs with nil. A name may occur several times.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
