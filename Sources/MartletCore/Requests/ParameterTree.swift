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
        let double = try? container.decode(Double.self)
        // As a Double unless that would change a digit.
        guard let decimal = try? container.decode(Decimal.self), double.flatMap({ Decimal(string: "\($0)") }) != decimal else {
            return double.map { "\($0)" }
        }
        return decimal.description
    }
}
