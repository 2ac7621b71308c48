public import MartletEssentials

/// Any JSON value (RFC 8259), for documents without a Swift type and for literals.
///
/// ```swift
/// let filter: JSONValue = ["tags": ["a", nil], "exact": true, "limit": 2.5]
/// let name = try JSONValue(parsing: data)["user"]?["name"]?.stringValue
/// ```
///
/// Names are kept unchanged, whatever the key strategies of a coder. Numbers keep every digit, and objects keep the order of their members.
/// The arrays, objects and strings of a parsed document are read from its bytes when they are accessed.
public enum JSONValue: Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number that is an integer within 64 bits, in any notation, such as `7`, `1.0` or `1e3`.
    case integer(Int64)
    /// A number that is not an integer within 64 bits, with all of its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array(JSONArray)
    /// An object.
    case object(JSONObject)

    /// Creates a value of the case `number` with the fewest digits that identify a `Double`, even for a whole number.
    public static func number(_ value: Double) -> JSONValue { .number(JSONNumber(value)) }

    /// Creates an ``integer(_:)`` if the number is an integer within 64 bits, and otherwise a ``number(_:)-enum.case``.
    public init(_ number: JSONNumber) { self = number.integer(as: Int64.self).map { .integer($0) } ?? .number(number) }

    /// Parses a JSON document in UTF-8, in linear time.
    ///
    /// - Parameters:
    ///   - json: The document, with or without a byte order mark. Its bytes are copied.
    ///   - maxValues: The maximum number of values, including those in arrays and objects. Default: 10 million.
    /// - Throws: `DecodingError.dataCorrupted` if the bytes are not JSON, have more than 512 levels, or contain a number that is too large
    ///   for a `Double`. The underlying error is a ``JSONSyntaxError``, with the kind `.tooManyValues` if there are too many values.
    public init(parsing json: Data, maxValues: Int = JSONValue.defaultMaxValues) throws(DecodingError) {
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(DecodingError) in
                try JSONValue(bytes.bindMemory(to: UInt8.self), JSONLimits(maxValues: maxValues), path: [])
            }
        }
        self = try result.get()
    }

    /// Parses a document from bytes that stay valid during the call.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, path: [any CodingKey]) throws(DecodingError) {
        do {
            let document = try JSONDocument(bytes, limits: limits)
            try document.checkNumbers()
            self = document.value(0)
        } catch { throw DecodingError.invalidJSON(error, path: path) }
    }

    /// The default maximum number of values in a document: 10 million.
    public static let defaultMaxValues = 10_000_000

    /// The value of an object's member, or nil if the member is missing or this is not an object.
    public subscript(key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }

    /// The element of an array, or nil if the index is out of range or this is not an array.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text of a string, or nil for another kind.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The value of a number that is an integer within the range of `Int`, or nil for any other number or another kind.
    public var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): value.integer(as: Int.self)
        default: nil
        }
    }

    /// The `Double` nearest to a number, or nil for another kind.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value.doubleValue
        default: nil
        }
    }

    /// The Boolean value, or nil for another kind.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements of an array, or nil for another kind.
    public var arrayValue: JSONArray? { if case .array(let value) = self { value } else { nil } }

    /// The members of an object, or nil for another kind.
    public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

    // MARK: Creating

    /// Creates a string. Use it for a variable in a nested literal: `["user": ["name": JSONValue(name)]]`.
    public init(_ value: String) { self = .string(value) }
    /// Creates an integer.
    public init(_ value: Int) { self = .integer(Int64(value)) }
    /// Creates a number. Only finite numbers can be encoded.
    public init(_ value: Double) { self = JSONValue(floatLiteral: value) }
    /// Creates `true` or `false`.
    public init(_ value: Bool) { self = .bool(value) }
    /// Creates an array.
    public init(_ elements: [JSONValue]) { self = .array(JSONArray(elements)) }
}

extension JSONValue: Hashable {
    /// Returns whether both values are equal, with numbers compared by value and members in any order.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
            number.integer(as: Int64.self) == integer
        case (.string(let one), .string(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value):
            if let integer = value.integer(as: Int64.self) { hasher.combine(integer) } else { hasher.combine(value) }
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(JSONArray(elements)) }
    /// Creates an object. If a name occurs twice, its last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}
