#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Any JSON value (RFC 8259), for documents without a type of their own, and for literals:
///
/// ```swift
/// let filter: JSONValue = ["tags": ["a", nil], "exact": true, "limit": 2.5]
/// ```
///
/// Keys are kept verbatim, whatever the client's coders do to keys. Whole numbers that fit 64 bits keep every digit.
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Reads a JSON document (RFC 8259), in UTF-8, in time that grows with its length only: it may be of a hostile server.
    ///
    /// - Parameter maxValues: the maximum number of values in the document, including those in arrays and objects. Default: 10 million.
    /// - Throws: `DecodingError.dataCorrupted` if the text is not JSON, has more than 512 levels, or contains a number that does not fit a
    ///   `Double`. If it has too many values, the underlying error is a ``JSONValueLimitError``.
    public init(parsing json: Data, maxValues: Int = JSONValue.defaultMaxValues) throws(DecodingError) {
        var reader = JSONTreeReader<JSONValue>(json, depth: 512, values: maxValues)
        do throws(JSONReadingError) { self = try reader.document() } catch {
            guard let limit = error.valueLimit else {
                throw .dataCorrupted(.init(codingPath: [], debugDescription: "no JSON: \(error)", underlyingError: error))
            }
            let cause = JSONValueLimitError(limit: limit)
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "too much JSON: \(error)", underlyingError: cause))
        }
    }

    /// The default maximum number of values in a document: 10 million.
    public static let defaultMaxValues = 10_000_000

    /// A value as the JSON that `encoder` makes of it.
    public init(encoding value: some Encodable, with encoder: any BodyEncoder = .json) throws {
        self = try JSONValue(parsing: try encoder.encode(value))
    }

    /// The member of an object, or nil.
    public subscript(key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }

    /// The element of an array, or nil.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text, when it is one.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The whole number, when it is one and fits.
    public var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, when it is one.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The truth value, when it is one.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements, when it is an array.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, when it is an object.
    public var objectValue: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
}

/// The error for a JSON document with more values than the reader allows.
public struct JSONValueLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The maximum number of values.
    public let limit: Int

    /// A description that names the limit.
    public var description: String { "the JSON has more than \(limit) values" }
}

extension JSONValue: JSONTree {
    package static func number(written text: String) -> JSONValue? {
        if let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { return nil }
        // As a decoder sees it, 1e3 and 1.0 are whole.
        if let whole = wholePart(text) ?? Int64(exactly: value) { return .integer(whole) }
        return .number(value)
    }

    /// The number before a fraction of zeros, of which a `Double` may not have all digits.
    private static func wholePart(_ text: String) -> Int64? {
        let parts = text.split(separator: ".")
        guard parts.count == 2, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
        return Int64(parts[0])
    }
}

extension JSONValue: Codable {
    /// How many arrays and objects are around what is decoded.
    @TaskLocal private static var level = 0
    /// How many may be.
    private static let levelLimit = 128
    /// Beyond so many levels failures cost more than whatever else is done.
    private static let shallowLevels = 8

    /// Reads any value that the decoder has, with at most 128 levels.
    ///
    /// A decoder does not say what comes, so that each kind has to be tried: ``init(parsing:)`` is many times as fast.
    public init(from decoder: any Decoder) throws {
        self = try Self.level < Self.shallowLevels ? Self.shallow(decoder) : Self.deep(decoder)
    }

    /// Tries what is most common first.
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

    /// Tries first what can be deep: a failure of `JSONDecoder` costs the square of its depth.
    private static func deep(_ decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if (try? decoder.unkeyedContainer()) != nil { return .array(try elements(container)) }
        if (try? decoder.container(keyedBy: AnyName.self)) != nil { return .object(try members(container)) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .bool(try container.decode(Bool.self))
    }

    private static func elements(_ container: any SingleValueDecodingContainer) throws -> [JSONValue] {
        try inside { try container.decode([JSONValue].self) }
    }

    private static func members(_ container: any SingleValueDecodingContainer) throws -> [String: JSONValue] {
        try inside { try container.decode([String: JSONValue].self) }
    }

    private static func inside<Value>(_ read: () throws -> Value) throws -> Value {
        guard level < levelLimit else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "free JSON has more than \(levelLimit) levels"))
        }
        return try $level.withValue(level + 1, operation: read)
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object. A key that comes twice has its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
