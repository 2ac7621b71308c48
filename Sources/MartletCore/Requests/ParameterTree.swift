#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An encoded value as queries and forms write it: its leaves are texts, and numbers keep every digit.
enum ParameterTree: Decodable {
    case none
    case text(String)
    case object([String: ParameterTree])
    case array([ParameterTree])

    init(encoding value: any Encodable, with encoder: any BodyEncoder) throws {
        self = try JSONDecoder().decode(ParameterTree.self, from: try encoder.encode(value))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .text(value ? "true" : "false")
        } else if let text = ParameterTree.number(in: container) {
            self = .text(text)
        } else if let value = try? container.decode([String: ParameterTree].self) {
            self = .object(value)
        } else {
            self = .array(try container.decode([ParameterTree].self))
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) -> String? {
        if let value = try? container.decode(Int64.self) { return String(value) }
        if let value = try? container.decode(UInt64.self) { return String(value) }
        let double = (try? container.decode(Double.self)).map { "\($0)" }
        guard let decimal = try? container.decode(Decimal.self) else { return double }
        // As a Double unless that would change a digit, or write an exponent where there is no need for one.
        if let double, Decimal(string: double) == decimal, !double.utf8.contains(UInt8(ascii: "e")) || digits(decimal) > longestNumber {
            return double
        }
        return decimal.description
    }

    private static func digits(_ number: Decimal) -> Int { number.description.utf8.count }

    /// What the longest integer of 128 bits takes.
    private static let longestNumber = 40
}
