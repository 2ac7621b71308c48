/// A property whose value may contain the type that has the property, such as a filter with a nested filter.
///
/// ```swift
/// struct Filter: Encodable {
///     var name: GraphQLNullable<String>?
///     @GraphQLIndirect var not: GraphQLNullable<Filter>? = nil
/// }
/// ```
///
/// A struct can't contain itself. The value of this property is stored elsewhere, and is encoded as if it were not wrapped.
@propertyWrapper
public struct GraphQLIndirect<Value> {
    fileprivate indirect enum Storage {
        case value(Value)
    }

    private var storage: Storage

    /// The value.
    public var wrappedValue: Value {
        get {
            switch storage {
            case .value(let value): value
            }
        }
        set { storage = .value(newValue) }
    }

    /// Stores a value.
    public init(wrappedValue: Value) { storage = .value(wrappedValue) }
}

extension GraphQLIndirect.Storage: Sendable where Value: Sendable {}
extension GraphQLIndirect: Sendable where Value: Sendable {}

extension GraphQLIndirect: Equatable where Value: Equatable {
    /// Returns whether the values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension GraphQLIndirect: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension GraphQLIndirect: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension KeyedEncodingContainer {
    /// Encodes a property that is nil as a missing key. Synthesized `Encodable` conformances call this overload.
    public mutating func encode<Value: Encodable>(_ property: GraphQLIndirect<Value?>, forKey key: Key) throws {
        try encodeIfPresent(property.wrappedValue, forKey: key)
    }
}
