/// A value of the GraphQL type `ID`, an opaque identifier (GraphQL, September 2025, §3.5.5).
///
/// ```swift
/// struct User: Decodable { let id: GraphQLID; let name: String }
/// let operation = GraphQLOperation<JSONValue>("query User($id: ID!) { user(id: $id) { id name } }", variables: ["id": GraphQLID("1")])
/// let first: GraphQLID = "1000", second: GraphQLID = 1001
/// ```
///
/// It is decoded from a JSON string or an integer, because servers use both, and encoded as a string. `4` and `"4"` are therefore the same
/// ID. IDs are compared by their bytes, unlike strings, so that canonically equivalent texts are different IDs.
public struct GraphQLID: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The text of the identifier.
    public let rawValue: String

    /// Creates an ID from any text.
    public init(_ text: String) { rawValue = text }

    /// Creates an ID from the decimal digits of a number.
    public init(_ number: some BinaryInteger) { rawValue = number.description }

    /// The text of the identifier.
    public var description: String { rawValue }

    /// Returns whether the texts have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue.hasSameBytes(as: right.rawValue) }

    /// Returns whether the bytes of the left text precede those of the right one, so that `10` precedes `9`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) }
}

extension GraphQLID: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// Creates an ID from a string literal.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates an ID from an integer literal.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension GraphQLID: Codable {
    /// Decodes an ID from a string, or from an integer with all its digits. Throws a `DecodingError` with the coding path for any other
    /// value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
            return
        }
        let digits = try ScalarText.read(from: decoder, as: GraphQLID.self)
        guard !digits.contains(".") else {
            throw DecodingError.typeMismatch(
                GraphQLID.self, .init(codingPath: container.codingPath, debugDescription: "an ID must be a string or an integer"))
        }
        self.init(digits)
    }

    /// Encodes the ID as a string.
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension GraphQLID: JSONReadable {
    /// Reads a string, or an integer.
    public init(json: inout JSONReader) throws {
        if let decoder = json.decoder { try self.init(from: decoder) } else { self.init(try json.stringOrDigits()) }
    }
}

extension GraphQLID: CodingKeyRepresentable {
    /// The text as an object key, so that dictionaries keyed by ID are JSON objects.
    public var codingKey: any CodingKey { JSONCodingKey(name: rawValue) }

    /// Creates an ID from an object key.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
