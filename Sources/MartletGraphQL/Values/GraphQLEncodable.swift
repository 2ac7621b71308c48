internal import MartletEssentials

/// A Swift value in a variable, whose type is forgotten but for how it is encoded.
///
/// Two are equal when the same JSON is made of them, with keys as they are and ISO 8601 dates.
public struct GraphQLEncodable: Sendable, Encodable, Hashable, CustomStringConvertible {
    /// The value.
    public let value: any Encodable & Sendable

    /// Keeps a value.
    public init(_ value: any Encodable & Sendable) { self.value = value }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        // Through a container rather than `value.encode(to:)`, so that the encoder's own forms of dates and data apply.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Whether the same JSON is made of both.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    /// Feeds the value's JSON.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The type of the value, which itself may be a secret.
    public var description: String { "\(type(of: value))" }

    // In an array, since not every value may stand alone.
    private var json: Data? { try? JSONBodyEncoder.json.encode([self]) }
}
