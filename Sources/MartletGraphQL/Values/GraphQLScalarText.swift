public import MartletEssentials

/// A custom scalar type with an exact text form, for use with ``GraphQLScalarText``.
///
/// ```swift
/// struct Amount: GraphQLTextScalar {
///     let digits: String
///     init?(graphQLText: String) {
///         guard graphQLText.allSatisfy(\.isNumber) else { return nil }
///         digits = graphQLText
///     }
///     var graphQLText: String { digits }
/// }
/// struct Wallet: Decodable { let balance: GraphQLScalarText<Amount> }
/// ```
public protocol GraphQLTextScalar {
    /// Creates a value from its text, or returns nil if the text is invalid or the type cannot keep all of it.
    init?(graphQLText: String)

    /// The exact text form of the value. Creating a value from it must return an equal value.
    var graphQLText: String { get }
}

/// A custom scalar that servers send as a string or a number, such as `"12.50"` or `12.50`, decoded without rounding.
///
/// ```swift
/// struct Product: Decodable { let price: GraphQLScalarText<Decimal>; let views: GraphQLScalarText<UInt64> }
/// let product = try JSONBodyDecoder().decode(Product.self, from: data)
/// let total = product.price.value * 2
/// ```
///
/// It is encoded as a string, which no JSON library rounds. `Decimal`, `Int64` and `UInt64` are supported. For other types, conform to
/// ``GraphQLTextScalar``.
public struct GraphQLScalarText<Value: GraphQLTextScalar> {
    /// The decoded value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }
}

extension GraphQLScalarText: Sendable where Value: Sendable {}
extension GraphQLScalarText: Equatable where Value: Equatable {}
extension GraphQLScalarText: Hashable where Value: Hashable {}
extension GraphQLScalarText: Comparable where Value: Comparable {
    /// Returns whether the left value is less than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension GraphQLScalarText: CustomStringConvertible {
    /// The text form of the value.
    public var description: String { value.graphQLText }
}

extension GraphQLScalarText: Codable {
    /// Decodes a value from a string or a number, with all its digits.
    ///
    /// - Throws: `DecodingError` with the coding path for other JSON values, for text that is not a `Value`, and for integers with more
    ///   digits than can be read exactly: 38, or the range of `UInt128` where the system has it. The fraction of a number is rounded after
    ///   38 digits. Strings are never rounded.
    public init(from decoder: any Decoder) throws {
        let text = try ScalarText.read(from: decoder, as: Value.self)
        guard let value = Value(graphQLText: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the text is not a valid \(Value.self)"))
        }
        self.value = value
    }

    /// Encodes the value as a string. Throws `EncodingError` for a value without a text form, such as a `Decimal` that is not a number.
    public func encode(to encoder: any Encoder) throws {
        let text = value.graphQLText
        guard Value(graphQLText: text) != nil else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: encoder.codingPath, debugDescription: "this \(Value.self) has no text form"))
        }
        try text.encode(to: encoder)
    }
}

extension GraphQLScalarText: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value from an integer literal.
    public init(integerLiteral value: Value.IntegerLiteralType) { self.init(Value(integerLiteral: value)) }
}

extension Decimal: GraphQLTextScalar {
    /// Creates a decimal from digits with an optional fraction and exponent, or returns nil for other text. It is also nil for more than
    /// the 38 digits that `Decimal` can keep.
    public init?(graphQLText: String) {
        // Foundation's parser rounds, and reads "12 apples" as 12.
        guard let written = JSONNumber(Self.withoutPadding(graphQLText)), let value = Decimal(string: graphQLText), !value.isNaN,
            JSONNumber(value.description) == written
        else { return nil }
        self = value
    }

    /// Removes a plus sign and leading zeros, which JSON numbers must not have.
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
    /// Creates an integer from its decimal digits, or returns nil if the text is invalid or out of range.
    public init?(graphQLText: String) { self.init(graphQLText) }

    /// The decimal digits, with a minus sign for negative values.
    public var graphQLText: String { description }
}

extension UInt64: GraphQLTextScalar {
    /// Creates an integer from its decimal digits, or returns nil if the text is invalid or out of range.
    public init?(graphQLText: String) { self.init(graphQLText) }

    /// The decimal digits.
    public var graphQLText: String { description }
}

/// Decodes scalars that servers send as a string or as a number.
enum ScalarText {
    /// Returns the string, or the number's digits without an exponent.
    ///
    /// Fractions are decoded as `Decimal`, which rounds numbers after 38 digits. Strings are not rounded.
    ///
    /// - Throws: `DecodingError`, also for an integer with too many digits to be read exactly.
    static func read(from decoder: any Decoder, as type: Any.Type) throws -> String {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            throw DecodingError.valueNotFound(type, .init(codingPath: container.codingPath, debugDescription: "null was found"))
        }
        if let text = try? container.decode(String.self) { return text }
        // Larger numbers may have been rounded, and `Decimal` does not report that.
        if let number = try? container.decode(Decimal.self), abs(number) < maxDecimal { return number.description }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            if let number = try? container.decode(Int128.self) { return "\(number)" }
            if let number = try? container.decode(UInt128.self) { return "\(number)" }
        }
        // Some decoders do not support Decimal.
        if let number = try? container.decode(Int64.self) { return "\(number)" }
        if let number = try? container.decode(UInt64.self) { return "\(number)" }
        throw DecodingError.typeMismatch(
            type, .init(codingPath: container.codingPath, debugDescription: "expected a string, or a number whose digits can all be read"))
    }

    private static let maxDecimal = Decimal(sign: .plus, exponent: 38, significand: 1)
}

/// A value of an app's enum, or the text of a value that the schema added later. See `OpenEnum`.
///
/// In variables, write `GraphQLEnum(Episode.jedi)`, or a bare enum that is `Codable`.
public typealias GraphQLEnum<Known: RawRepresentable> = OpenEnum<Known> where Known.RawValue == String
