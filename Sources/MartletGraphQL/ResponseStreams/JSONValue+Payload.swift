package import MartletEssentials

extension JSONValue {
    /// Parses a part of a response that arrives in parts. Numbers keep their exact values, also beyond the range of `Double`. A whole
    /// number may lose an exponent and a fraction of zeros.
    package init(payload json: Data, limits: JSONLimits = .payload) throws(JSONSyntaxError) {
        self = try JSONNode(parsing: json, limits: limits).value
    }

    /// The JSON text, without white space.
    package var json: Data { Data(description.utf8) }

    /// The number of values in this value, itself included.
    package var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}

extension JSONLimits {
    /// The limits of a response that arrives in parts.
    package static let payload = JSONLimits(maxDepth: 100, maxValues: 4_000_000)
}
