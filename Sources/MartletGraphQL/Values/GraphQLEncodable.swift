internal import MartletEssentials

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
