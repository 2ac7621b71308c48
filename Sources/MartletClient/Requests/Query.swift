public import MartletEssentials

/// The query of a request: ordered, strictly escaped.
///
/// ```swift
/// ["q": text, "language": language, "page": 2, "topic": ["http", "client"]]  // nil is dropped
/// Query(Filter(createdAfter: date, tags: ["x"]))                             // any Encodable
/// ```
///
/// Values are texts, numbers, truth values, dates, UUIDs, enums and arrays of them: whatever is `Encodable`. They are encoded
/// when the request is made, with the client's encoder, so keys and dates look as in its JSON bodies; nested members become
/// `filter[name]`. The members of an `Encodable` come in the order of their names.
///
/// Everything but the unreserved characters of RFC 3986 §2.3 is escaped: a `+` in a value is `%2B`.
public struct Query: Sendable {
    private var parameters = Parameters()
    /// What stands in place of whatever else has these names, at the end.
    private var replacements: [(name: String, value: String)] = []
    /// How arrays are written. Default: repeated.
    public var arrays: ArrayStyle

    /// An empty query.
    public init(arrays: ArrayStyle = .repeated) {
        self.arrays = arrays
    }

    /// The members of a value.
    public init<Members: Encodable & Sendable>(_ members: Members, arrays: ArrayStyle = .repeated) {
        parameters = Parameters(members: members)
        self.arrays = arrays
    }

    /// Creates a query from a dictionary of values of any types, in the order of their names.
    public init(_ values: [String: any Encodable & Sendable], arrays: ArrayStyle = .repeated) {
        parameters = Parameters(values)
        self.arrays = arrays
    }

    /// Creates a query from URL query items. An item without a value has no equals sign.
    public init(_ items: [URLQueryItem]) {
        self.init()
        for item in items {
            if let value = item.value { append(item.name, value) } else { parameters.append(nameOnly: item.name) }
        }
    }

    /// Adds a pair at the end; nil adds nothing.
    public mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) { parameters.append(name, value) }

    /// Adds the pairs of another query.
    public mutating func append(_ other: Query) {
        parameters.append(other.parameters)
        replacements += other.replacements
    }

    /// Lets a name have one value, whatever else was to have that name when the query is made.
    package mutating func replace(_ name: String, with value: String) {
        replacements.removeAll { $0.name == name }
        replacements.append((name, value))
    }

    /// The same query with its arrays written in another style.
    public func arrays(_ style: ArrayStyle) -> Query {
        var query = self
        query.arrays = style
        return query
    }

    /// Whether nothing was added.
    public var isEmpty: Bool { parameters.isEmpty && replacements.isEmpty }

    /// The query as it is sent, without a `?`. Throws `.encodingFailed` when a value can't be encoded.
    public func encoded(with encoder: any BodyEncoder = .json) throws(HTTPError) -> String {
        if isEmpty { return "" }
        let pairs = try parameters.resolve(with: encoder, arrays: arrays, kind: "query")
            .filter { pair in !replacements.contains { $0.name == pair.name } }
        return (pairs + replacements.map { ($0.name, $0.value) })
            .map { PercentEncoding.escape($0.name) + ($0.value.map { "=" + PercentEncoding.escape($0) } ?? "") }.joined(separator: "&")
    }
}

extension Query {
    /// How a query or form writes an array.
    public enum ArrayStyle: Sendable, Hashable {
        /// `tag=a&tag=b`: the default.
        case repeated
        /// `tag[]=a&tag[]=b`, the brackets escaped.
        case brackets
        /// `tag=a,b`, the commas escaped.
        case commas
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// Pairs in the order they are written; a name may come twice, and nil is dropped.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
