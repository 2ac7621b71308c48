/// A value of GraphQL's type `ID`: a text that means nothing but itself (GraphQL, September 2025, §3.5.5).
///
/// ```swift
/// struct User: Decodable { let id: GraphQLID; let name: String }
/// let operation = GraphQLOperation<UserData>("query User($id: ID!) { user(id: $id) { id name } }", variables: ["id": user.id])
/// let first: GraphQLID = "1000", second: GraphQLID = 1001
/// ```
///
/// It is read from a JSON string or a whole number, as servers write it either way, and written as a string, so that `4` and `"4"` are
/// the same `ID`.
public struct GraphQLID: Sendable, Hashable, Comparable, LosslessStringConvertible {
    /// The text.
    public let rawValue: String

    /// An ID of that text, which may be any.
    public init(_ text: String) { rawValue = text }

    /// An ID of that number.
    public init(_ number: some BinaryInteger) { rawValue = number.description }

    /// The text.
    public var description: String { rawValue }

    /// By text: `10` stands before `9`.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension GraphQLID: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// An ID of a literal text.
    public init(stringLiteral value: String) { self.init(value) }

    /// An ID of a literal number.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension GraphQLID: Codable {
    /// Reads a string, or a whole number with all its digits. Throws `DecodingError` with the path for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.init(text)
            return
        }
        let digits = try ScalarText.read(from: decoder, as: GraphQLID.self)
        guard !digits.contains(".") else {
            throw DecodingError.typeMismatch(
                GraphQLID.self, .init(codingPath: container.codingPath, debugDescription: "an ID is a string or a whole number"))
        }
        self.init(digits)
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension GraphQLID: CodingKeyRepresentable {
    /// The text, as the key of an object: dictionaries by ID are JSON objects.
    public var codingKey: any CodingKey { JSONCodingKey(name: rawValue) }

    /// An ID from the key of an object.
    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
