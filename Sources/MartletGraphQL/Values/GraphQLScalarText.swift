public import MartletEssentials

/// A value of a custom scalar that has a text of its own, with every digit: what ``GraphQLScalarText`` reads and writes.
///
/// ```swift
/// extension BigInteger: GraphQLTextScalar {                  // an integer type of yours, or of a package
///     public init?(graphQLText: String) { self.init(graphQLText, radix: 10) }
///     public var graphQLText: String { String(self) }
/// }
/// struct Wallet: Decodable { let balance: GraphQLScalarText<BigInteger> }
/// ```
public protocol GraphQLTextScalar {
    /// The value of a text; nil when it is none, or when not all of it can be kept.
    init?(graphQLText: String)

    /// The text from which the value is read again.
    var graphQLText: String { get }
}

/// A custom scalar that servers write as a text or as a number: `"12.50"` or `12.50`, `"9007199254740993"` or `9007199254740993`.
///
/// ```swift
/// struct Product: Decodable { let price: GraphQLScalarText<Decimal>; let views: GraphQLScalarText<UInt64> }
/// let total = product.price.value * 2
/// ```
///
/// It is written as a text, which no JSON library rounds. `Decimal`, `Int64` and `UInt64` are there; for a type of your own, see
/// ``GraphQLTextScalar``.
public struct GraphQLScalarText<Value: GraphQLTextScalar> {
    /// The value.
    public var value: Value

    /// A value.
    public init(_ value: Value) { self.value = value }
}

extension GraphQLScalarText: Sendable where Value: Sendable {}
extension GraphQLScalarText: Equatable where Value: Equatable {}
extension GraphQLScalarText: Hashable where Value: Hashable {}
extension GraphQLScalarText: Comparable where Value: Comparable {
    /// Compares the values.
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension GraphQLScalarText: CustomStringConvertible {
    /// The value's text.
    public var description: String { value.graphQLText }
}

extension GraphQLScalarText: Codable {
    /// Reads a string or a number.
    ///
    /// - Throws: `DecodingError` with the path for anything else, for a text that is no `Value`, and for a whole number of more digits
    ///   than can be read: 38, and on systems with `Int128` as many as that has. Of a number with a fraction what is beyond 38 digits is
    ///   rounded before it can be seen; of a string nothing ever is.
    public init(from decoder: any Decoder) throws {
        let text = try ScalarText.read(from: decoder, as: Value.self)
        guard let value = Value(graphQLText: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not the text of a value of the type \(Value.self)"))
        }
        self.value = value
    }

    /// Writes a string. Throws `EncodingError` for a value that has none, such as a `Decimal` that is not a number.
    public func encode(to encoder: any Encoder) throws {
        let text = value.graphQLText
        guard Value(graphQLText: text) != nil else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: encoder.codingPath, debugDescription: "a value of the type \(Value.self) without a text"))
        }
        try text.encode(to: encoder)
    }
}

extension GraphQLScalarText: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// The value of a literal.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension Decimal: GraphQLTextScalar {
    /// Reads digits with an optional fraction and exponent; nil when not every digit can be kept: there is room for 38.
    public init?(graphQLText: String) {
        // The reader of Foundation takes "12 apples" for 12, and rounds.
        guard let written = JSONNumber(Self.withoutPadding(graphQLText)), let value = Decimal(string: graphQLText), !value.isNaN,
            JSONNumber(value.description) == written
        else { return nil }
        self = value
    }

    /// The text without a plus sign and leading zeros, which the numbers of JSON do not have.
    private static func withoutPadding(_ text: String) -> String {
        let isSigned = text.hasPrefix("-") || text.hasPrefix("+"), unsigned = text.dropFirst(isSigned ? 1 : 0)
        let significant = unsigned.drop { $0 == "0" }
        let hasDigit = significant.utf8.first?.isDigit ?? false
        return (text.hasPrefix("-") ? "-" : "") + (hasDigit ? significant : unsigned.suffix(significant.count + 1))
    }

    /// The digits, without an exponent.
    public var graphQLText: String { description }
}

extension Int64: GraphQLTextScalar {
    /// Reads a whole number; nil when it is none or does not fit.
    public init?(graphQLText: String) { self.init(graphQLText) }

    /// The digits.
    public var graphQLText: String { description }
}

extension UInt64: GraphQLTextScalar {
    /// Reads a whole number; nil when it is none or does not fit.
    public init?(graphQLText: String) { self.init(graphQLText) }

    /// The digits.
    public var graphQLText: String { description }
}
