/// A value or an explicit `null`, for inputs in which `null` differs from a missing value (GraphQL, September 2025, §2.9.5).
///
/// Update mutations often distinguish "leave unchanged" from "remove". Use an optional property of this type:
///
/// ```swift
/// struct ProfileInput: Encodable {
///     var nickname: GraphQLNullable<String>?
/// }
/// ProfileInput(nickname: nil)      // {}                    unchanged
/// ProfileInput(nickname: .null)    // {"nickname":null}     removed
/// ProfileInput(nickname: "Luke")   // {"nickname":"Luke"}   set
/// ```
///
/// Decoding follows the same rule: an optional property is nil if its key is missing, and `.null` if the value is null.
public enum GraphQLNullable<Value> {
    /// An explicit `null`, which is sent, unlike a missing value.
    case null
    /// A value, which is sent as if it were not wrapped.
    case value(Value)

    /// Creates a value, or `.null` from nil.
    public init(_ value: Value?) { self = value.map(Self.value) ?? .null }

    /// The value, or nil for `.null`.
    public var wrapped: Value? { if case .value(let value) = self { value } else { nil } }
}

extension GraphQLNullable: Sendable where Value: Sendable {}
extension GraphQLNullable: Equatable where Value: Equatable {}
extension GraphQLNullable: Hashable where Value: Hashable {}

extension GraphQLNullable: Encodable where Value: Encodable {
    /// Encodes the value or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension GraphQLNullable: Decodable where Value: Decodable {
    /// Decodes a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a nullable property, which is nil if the key is missing, and `.null` if the value is `null`.
    ///
    /// Synthesized `Decodable` conformances call this overload. Without it, null would be decoded as nil.
    public func decodeIfPresent<Value: Decodable>(
        _ type: GraphQLNullable<Value>.Type, forKey key: Key
    ) throws -> GraphQLNullable<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// Creates a value from a Unicode scalar literal.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) { self = .value(Value(unicodeScalarLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Creates a value from a character literal.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Creates a value from a string literal.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByStringInterpolation where Value: ExpressibleByStringInterpolation {
    /// Creates a value from an interpolated string literal.
    public init(stringInterpolation: Value.StringInterpolation) {
        self = .value(Value(stringInterpolation: stringInterpolation))
    }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value from an integer literal.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// Creates a value from a floating-point literal.
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Creates a value from a Boolean literal.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByArrayLiteral where Value: RangeReplaceableCollection {
    /// Creates a value from an array literal.
    public init(arrayLiteral elements: Value.Element...) { self = .value(Value(elements)) }
}
