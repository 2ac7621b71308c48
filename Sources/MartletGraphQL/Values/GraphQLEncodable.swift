internal import MartletEssentials

/// A type-erased encodable Swift value for a variable.
///
/// Two values are equal if they encode to the same JSON, with unchanged keys and ISO 8601 dates.
public struct GraphQLEncodable: Sendable, Encodable, Hashable, CustomStringConvertible {
    /// The value.
    public let value: any Encodable & Sendable

    /// Wraps a value.
    public init(_ value: any Encodable & Sendable) { self.value = value }

    /// Encodes the value with the encoder's own formats for dates and data.
    public func encode(to encoder: any Encoder) throws {
        // `value.encode(to:)` would bypass the encoder's formats for dates and data.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Whether both encode to the same JSON.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    /// Hashes the value's JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The type of the value. The value itself is left out because it may be secret.
    public var description: String { "\(type(of: value))" }

    // In an array, because not every encoder accepts a scalar at the top level.
    private var json: Data? { try? JSONBodyEncoder.json.encode([self]) }
}
