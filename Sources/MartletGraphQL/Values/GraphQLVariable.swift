internal import MartletEssentials

/// The value of a variable (GraphQL §2.10), which is a literal, a Swift value, or an upload.
///
/// ```swift
/// let variables: [String: GraphQLVariable] = ["id": "1000", "limit": 3, "filter": ["tags": ["a", nil], "exact": true]]
/// ```
///
/// A Swift value in such a literal is written `.init(value)`:
///
/// ```swift
/// let variables: [String: GraphQLVariable] = ["id": .init(id), "filter": ["tags": .init(tags), "exact": true]]
/// ```
///
/// Keys are sent unchanged. An enum value is its name as a string. Integers beyond 64 bits, decimals and dates are Swift values,
/// ``init(_:)``, which the client's encoder encodes.
public enum GraphQLVariable: Sendable {
    /// An explicit `null`, which the server treats differently from a variable that is left out.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// A number that is not an integer.
    case number(Double)
    /// A string, an ID, or the name of an enum value.
    case string(String)
    /// A list of values.
    case list([GraphQLVariable])
    /// An input object.
    case object([String: GraphQLVariable])
    /// A file or data for a variable of type `Upload`.
    case upload(GraphQLUpload)
    /// A Swift value that the GraphQL client's encoder encodes when the operation is sent.
    case value(GraphQLEncodable)

    /// Creates the value of a variable from any encodable Swift value, or `null` from nil.
    ///
    /// Strings, Booleans, integers within 64 bits and `Double` values become the corresponding case. Any other value is encoded by the
    /// client's encoder when the operation is sent.
    public init(_ value: (any Encodable & Sendable)?) {
        switch value {
        case nil: self = .null
        case let value as GraphQLVariable: self = value
        case let value as GraphQLUpload: self = .upload(value)
        case let value as String: self = .string(value)
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger where Int64(exactly: value) != nil: self = .integer(Int64(value))
        case let value as Double: self = .number(value)
        case let value as JSONValue: self = GraphQLVariable(json: value)
        case let value?: self = .value(GraphQLEncodable(value))
        }
    }

    /// Creates the value of a variable from a JSON value, with all digits of its numbers.
    public init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value):
            let double = value.doubleValue
            // A number that a Double would change keeps its digits.
            self = JSONNumber(double) == value ? .number(double) : .value(GraphQLEncodable(json))
        case .string(let value): self = .string(value)
        case .array(let elements): self = .list(elements.map(GraphQLVariable.init(json:)))
        case .object(let members): self = .object(members.dictionary.mapValues(GraphQLVariable.init(json:)))
        }
    }
}

extension GraphQLVariable: Hashable {
    /// Returns whether both are the same case with equal values. Strings, such as IDs and cursors, are compared by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.string(let first), .string(let second)): first.hasSameBytes(as: second)
        case (.list(let first), .list(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        case (.upload(let first), .upload(let second)): first == second
        case (.value(let first), .value(let second)): first == second
        case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.list, _), (.object, _), (.upload, _), (.value, _): false
        }
    }
}

extension GraphQLVariable: Encodable {
    /// Encodes the value, and an upload as `null`, because its content is a separate part of the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        case .upload(let upload): try container.encode(upload)
        case .value(let value): try container.encode(value)
        }
    }
}

extension GraphQLVariable: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates an explicit `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a list.
    public init(arrayLiteral elements: GraphQLVariable...) { self = .list(elements) }
    /// Creates an input object. If a key occurs twice, the last value wins.
    public init(dictionaryLiteral elements: (String, GraphQLVariable)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

/// A Swift value of any `Encodable` type for a variable, which the GraphQL client's encoder encodes when the operation is sent.
///
/// Two values are equal if they encode to the same JSON, with unchanged keys and ISO 8601 dates. An upload within them counts as `null`. A
/// value that can't be encoded, such as NaN, equals only its copies.
public struct GraphQLEncodable: Sendable, Encodable, Hashable, CustomStringConvertible {
    /// The Swift value.
    public let value: any Encodable & Sendable
    private let identity = Identity()

    /// An object whose identity makes a value that can't be encoded equal to its copies.
    private final class Identity: Sendable {}

    /// Wraps a Swift value, which is encoded later.
    public init(_ value: any Encodable & Sendable) { self.value = value }

    /// Encodes the value with the encoder's own formats for dates and data.
    public func encode(to encoder: any Encoder) throws {
        // `value.encode(to:)` would bypass the encoder's formats for dates and data.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Returns whether both encode to the same JSON, or are copies of one value that can't be encoded.
    public static func == (left: Self, right: Self) -> Bool {
        if left.identity === right.identity { return true }
        guard let json = left.json else { return false }
        return json == right.json
    }

    /// Hashes the value's JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The type of the value. The value itself is left out because it may be secret.
    public var description: String { "\(type(of: value))" }

    // In an array, because not every encoder accepts a scalar at the top level.
    private var json: Data? { try? JSONBodyEncoder.json.encode([self]) }
}
