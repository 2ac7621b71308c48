extension JSONArray: Codable {
    /// Decodes an array, and throws for a JSON value of another kind.
    public init(from decoder: any Decoder) throws {
        guard case .array(let elements) = try JSONValue(from: decoder) else { throw decoder.mismatch(JSONArray.self) }
        self = elements
    }

    /// Encodes the elements.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(.array(self)) }
}

extension JSONObject: Codable {
    /// Decodes an object, and throws for a JSON value of another kind.
    public init(from decoder: any Decoder) throws {
        guard case .object(let members) = try JSONValue(from: decoder) else { throw decoder.mismatch(JSONObject.self) }
        self = members
    }

    /// Encodes the members, with unchanged names.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(.object(self)) }
}

extension JSONNumber: Codable {
    /// Decodes a number, and throws for a JSON value of another kind.
    public init(from decoder: any Decoder) throws {
        switch try JSONValue(from: decoder) {
        case .integer(let value): self.init(validText: "\(value)")
        case .number(let value): self = value
        default: throw decoder.mismatch(JSONNumber.self)
        }
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(.number(self)) }
}

extension Encoder {
    /// Encodes through a container, which keeps the order of members.
    fileprivate func encode(_ value: JSONValue) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}

extension Decoder {
    fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "Expected \(type) but found another kind of value"))
    }
}
