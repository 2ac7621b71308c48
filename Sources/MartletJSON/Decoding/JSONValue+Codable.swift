internal import MartletEssentials

extension JSONValue: JSONIndexDecodable {
    static func decode(_ state: JSONDecodingState, at place: Int, into memory: UnsafeMutableRawPointer) throws {
        memory.initializeMemory(as: JSONValue.self, to: try JSONValue(state, place))
    }

    /// Copies a value from a running decoding.
    private init(_ state: JSONDecodingState, _ place: Int) throws {
        let entry = state.entry(place)
        guard entry.isContainer || entry.kind == .number || entry.length > 300 else {
            self = JSONDocument.value(place, in: state.index) ?? .null
            return
        }
        let range = state.index.range(of: place)
        let bytes = UnsafeBufferPointer(start: state.index.bytes + range.lowerBound, count: range.count)
        // The bytes have been validated, so the only possible error is a number that is too large for a Double.
        do { self = try JSONValue(bytes, state.options.limits, path: []) } catch {
            throw state.corrupted(place, "A number is too large for a Double")
        }
    }
}

extension JSONValue: Codable {
    /// The number of arrays and objects around the value being decoded.
    @TaskLocal private static var level = 0
    private static let levelLimit = 128
    /// At deeper levels, failed attempts take more time than everything else.
    private static let shallowLevels = 8

    /// Decodes any JSON value, whatever its kind.
    ///
    /// ``JSONBodyDecoder`` decodes it in linear time, with the order of members and all digits. Other decoders do not reveal the kind of
    /// the next value, so each kind is tried in turn, and at most 128 levels are decoded.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = try JSONValue(decoder.state, decoder.place)
            return
        }
        self = try Self.level < Self.shallowLevels ? Self.shallow(decoder) : Self.deep(decoder)
    }

    /// Tries the most common kinds first, for values near the root.
    private static func shallow(_ decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        if (try? decoder.unkeyedContainer()) != nil { return .array(try elements(container)) }
        return .object(try members(container))
    }

    /// Tries arrays and objects first, because a failed attempt of Foundation's decoder costs the square of its depth.
    private static func deep(_ decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if (try? decoder.unkeyedContainer()) != nil { return .array(try elements(container)) }
        if (try? decoder.container(keyedBy: JSONCodingKey.self)) != nil { return .object(try members(container)) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .bool(try container.decode(Bool.self))
    }

    private static func elements(_ container: any SingleValueDecodingContainer) throws -> JSONArray {
        JSONArray(try inside { try container.decode([JSONValue].self) })
    }

    private static func members(_ container: any SingleValueDecodingContainer) throws -> JSONObject {
        JSONObject(try inside { try container.decode([String: JSONValue].self) })
    }

    private static func inside<Value>(_ read: () throws -> Value) throws -> Value {
        guard level < levelLimit else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "A JSONValue has more than \(levelLimit) levels"))
        }
        return try $level.withValue(level + 1, operation: read)
    }

    /// Encodes the value, with unchanged names of members.
    ///
    /// - Throws: `EncodingError.invalidValue` for infinity and NaN.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try Self.encode(value, to: &container)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(Array(value))
        case .object(let value): try container.encode(value.dictionary)
        }
    }

    /// Encodes a number as a `Decimal` if a `Double` would change its digits.
    private static func encode(_ number: JSONNumber, to container: inout any SingleValueEncodingContainer) throws {
        let double = number.doubleValue
        guard double.isFinite, JSONNumber(double) != number, let decimal = Decimal(string: number.description),
            JSONNumber(decimal.description) == number
        else { return try container.encode(double) }
        try container.encode(decimal)
    }
}

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
