/// A value, or `null` where that is something else than nothing (GraphQL, September 2025, §2.9.5).
///
/// Updates often tell apart "leave it as it is" and "take it away". An optional property of this type says which:
///
/// ```swift
/// struct ProfileInput: Encodable {
///     var nickname: GraphQLNullable<String>?
/// }
/// ProfileInput(nickname: nil)      // {}                    left as it is
/// ProfileInput(nickname: .null)    // {"nickname":null}     taken away
/// ProfileInput(nickname: "Luke")   // {"nickname":"Luke"}   set
/// ```
///
/// It is read as it is written: an optional property is nil when its key is missing, and `.null` when it is null.
public enum GraphQLNullable<Value> {
    /// `null`
    case null
    /// A value.
    case value(Value)

    /// The value, or `.null` for nil.
    public init(_ value: Value?) { self = value.map(Self.value) ?? .null }

    /// The value, or nil for `.null`.
    public var wrapped: Value? { if case .value(let value) = self { value } else { nil } }
}

extension GraphQLNullable: Sendable where Value: Sendable {}
extension GraphQLNullable: Equatable where Value: Equatable {}
extension GraphQLNullable: Hashable where Value: Hashable {}

extension GraphQLNullable: Encodable where Value: Encodable {
    /// Writes the value, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension GraphQLNullable: Decodable where Value: Decodable {
    /// Reads a value, or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Reads a member that may be missing: nil when it is, `.null` when it is null.
    ///
    /// The compiler's own reading of optional properties takes this one, so that null is not taken for a missing key.
    public func decodeIfPresent<Value: Decodable>(
        _ type: GraphQLNullable<Value>.Type, forKey key: Key
    ) throws -> GraphQLNullable<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// The value of a literal.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) { self = .value(Value(unicodeScalarLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// The value of a literal.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// The value of a literal.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByStringInterpolation where Value: ExpressibleByStringInterpolation {
    /// The value of a literal.
    public init(stringInterpolation: Value.StringInterpolation) {
        self = .value(Value(stringInterpolation: stringInterpolation))
    }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// The value of a literal.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// The value of a literal.
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// The value of a literal.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByArrayLiteral where Value: RangeReplaceableCollection {
    /// The elements of a literal.
    public init(arrayLiteral elements: Value.Element...) { self = .value(Value(elements)) }
}
