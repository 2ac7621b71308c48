internal import MartletEssentials

/// Ordered pairs of names and values, for queries and forms. The client's encoder turns the values into text when the request is created.
struct Parameters: Sendable {
    private enum Part: Sendable {
        case item(String, any Encodable & Sendable)
        /// A name without an equals sign and a value.
        case name(String)
        case members(any Encodable & Sendable)
    }

    private var parts: [Part] = []

    init() {}

    init(members value: any Encodable & Sendable) { parts = [.members(value)] }

    init(_ values: [String: any Encodable & Sendable]) { parts = values.sorted { $0.key < $1.key }.map { .item($0.key, $0.value) } }

    var isEmpty: Bool { parts.isEmpty }

    mutating func append(_ name: String, _ value: (any Encodable & Sendable)?) {
        if let value { parts.append(.item(name, value)) }
    }

    mutating func append(nameOnly name: String) { parts.append(.name(name)) }

    mutating func append(_ others: Parameters) { parts += others.parts }

    /// Returns the pairs of names and texts, not yet escaped.
    func resolve(with encoder: any BodyEncoder, arrays: Query.ArrayStyle, kind: String) throws(HTTPError) -> [(
        name: String, value: String?
    )] {
        var pairs: [(name: String, value: String?)] = []
        for part in parts {
            switch part {
            case .name(let name): pairs.append((name, nil))
            case .item(let name, let value):
                if let text = Parameters.plainText(value) {
                    pairs.append((name, text))
                } else {
                    Parameters.flatten(try Parameters.json(value, encoder, kind), as: name, arrays, into: &pairs)
                }
            case .members(let value):
                guard case .object(let members) = try Parameters.json(value, encoder, kind) else {
                    throw .encodingFailed(
                        Explanation(
                            "a \(kind) needs a value with members, and \(type(of: value)) has none"))
                }
                for (name, value) in Parameters.sorted(members) { Parameters.flatten(value, as: name, arrays, into: &pairs) }
            }
        }
        return pairs
    }

    /// Returns the text of a common type without the encoder, or nil for another type.
    private static func plainText(_ value: any Encodable) -> String? {
        switch value {
        case let value as String: value
        case let value as any BinaryInteger: String(describing: value)
        case let value as Decimal where !value.isNaN: value.description
        case let value as Bool: value ? "true" : "false"
        case let value as UUID: value.uuidString
        default: nil
        }
    }

    private static func json(_ value: any Encodable, _ encoder: any BodyEncoder, _ kind: String) throws(HTTPError) -> JSONValue {
        do { return try JSONValue(encoding: value, with: encoder) } catch {
            throw .encodingFailed(
                Explanation(
                    "the \(kind)\(value is MixedValue ? "" : ", of a \(type(of: value))"): \(CodingPath.explain(error))",
                    context: ErrorContext(underlying: error)))
        }
    }

    private static func flatten(
        _ value: JSONValue, as name: String, _ arrays: Query.ArrayStyle, into pairs: inout [(name: String, value: String?)]
    ) {
        switch value {
        case .null: break
        case .bool(let value): pairs.append((name, value ? "true" : "false"))
        case .integer(let value): pairs.append((name, "\(value)"))
        case .number(let number): pairs.append((name, text(of: number)))
        case .string(let text): pairs.append((name, text))
        case .object(let members):
            for (key, value) in sorted(members) { flatten(value, as: "\(name)[\(key)]", arrays, into: &pairs) }
        case .array(let elements):
            switch arrays {
            case .repeated: for element in elements { flatten(element, as: name, arrays, into: &pairs) }
            case .brackets: for element in elements { flatten(element, as: "\(name)[]", arrays, into: &pairs) }
            case .commas:
                var inner: [(name: String, value: String?)] = []
                for element in elements { flatten(element, as: name, .repeated, into: &inner) }
                if !inner.isEmpty { pairs.append((name, inner.compactMap(\.value).joined(separator: ","))) }
            }
        }
    }

    /// Returns the members in the order of their names.
    private static func sorted(_ members: JSONObject) -> [(key: String, value: JSONValue)] {
        members.dictionary.sorted { $0.key < $1.key }
    }

    /// Returns the number with all its digits.
    private static func text(of number: JSONNumber) -> String {
        if let value = number.integer(as: UInt64.self) { return "\(value)" }
        let double = "\(number.doubleValue)"
        guard let decimal = Decimal(string: number.description) else { return double }
        // Written as a Double unless that changes a digit or adds an unnecessary exponent.
        let isLong = decimal.description.utf8.count > longestNumber
        if Decimal(string: double) == decimal, !double.utf8.contains(UInt8(ascii: "e")) || isLong { return double }
        return decimal.description
    }

    /// The number of characters of the longest 128-bit integer.
    private static let longestNumber = 40
}
