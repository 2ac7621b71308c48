extension HTTPFields {
    /// Creates fields from the names and values of a dictionary, sorted by name.
    public init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { append(HTTPFieldName(name), value) }
    }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Creates fields with one line for each pair, in order. Names may repeat.
    public init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
