#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An encoded value as queries and forms write it: its leaves are texts, and numbers keep every digit.
enum ParameterTree {
    case none
    case text(String)
    case object([String: ParameterTree])
    case array([ParameterTree])

    /// Creates the tree of an encodable value.
    ///
    /// - Throws: The encoder's error, or `DecodingError` if it does not write JSON.
    init(encoding value: any Encodable, with encoder: any BodyEncoder) throws {
        self.init(try JSONValue(parsing: try encoder.encode(value)))
    }

    private init(_ value: JSONValue) {
        switch value {
        case .null: self = .none
        case .bool(let value): self = .text(value ? "true" : "false")
        case .integer(let value): self = .text("\(value)")
        case .number(let number): self = .text(ParameterTree.text(of: number))
        case .string(let text): self = .text(text)
        case .array(let elements): self = .array(elements.map(ParameterTree.init))
        case .object(let members): self = .object(members.dictionary.mapValues(ParameterTree.init))
        }
    }

    private static func text(of number: JSONNumber) -> String {
        if let value = number.integer(as: UInt64.self) { return "\(value)" }
        let double = "\(number.doubleValue)"
        guard let decimal = Decimal(string: number.description) else { return double }
        // As a Double unless that would change a digit, or write an exponent where there is no need for one.
        if Decimal(string: double) == decimal, !double.utf8.contains(UInt8(ascii: "e")) || digits(decimal) > longestNumber { return double }
        return decimal.description
    }

    private static func digits(_ number: Decimal) -> Int { number.description.utf8.count }

    /// The length of the longest integer of 128 bits.
    private static let longestNumber = 40
}
