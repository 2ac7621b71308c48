/// A JSON value for generated documents. Members keep their order and may repeat.
enum SampleValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number by its text.
    case number(String)
    case string(String)
    case array([SampleValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        var name: String
        var value: SampleValue
    }

    /// The text without white space and without escapes that are not needed.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): SampleValue.quoted(text)
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { SampleValue.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    /// The text with random white space and escapes.
    func text(_ random: inout SeededGenerator) -> String {
        func space() -> String { random.pick(["", "", "", " ", "\n", "\t", "\r\n", "  "]) }
        switch self {
        case .string(let text): return SampleValue.quoted(text, &random)
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(space() + element.text(&random) + space()) }
            return "[" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "]"
        case .object(let members):
            var parts: [String] = []
            for member in members {
                parts.append(
                    space() + SampleValue.quoted(member.name, &random) + space() + ":" + space() + member.value.text(&random) + space())
            }
            return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
        default: return text
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { escape($0) ?? String($0) }.joined() + "\""
    }

    private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if !SampleValue.plainStrings.contains(text), random.below(12) == 0 {
                for unit in String(scalar).utf16 { result += "\\u" + hexadecimal(unit) }
            } else {
                result += escape(scalar) ?? String(scalar)
            }
        }
        return result + "\""
    }

    private static func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\u{0}"..<" ": "\\u" + hexadecimal(UInt16(scalar.value))
        default: nil
        }
    }

    /// Any value, at most so deep.
    static func random(_ random: inout SeededGenerator, depth: Int) -> SampleValue {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0: return .null
        case 1: return .bool(random.below(2) == 0)
        case 2: return .number(SampleValue.numbers[random.below(SampleValue.numbers.count)])
        case 3, 4: return .string(random.pick(SampleValue.strings))
        case 5: return .array((0..<random.below(5)).map { _ in SampleValue.random(&random, depth: depth - 1) })
        default:
            return .object(
                (0..<random.below(5)).map { _ in
                    Member(name: random.pick(SampleValue.strings), value: SampleValue.random(&random, depth: depth - 1))
                })
        }
    }

    /// Strings without random escapes. Foundation's decoder compares them undecoded.
    private static let plainStrings: Set<String> = ["Infinity", "-", "NaN"]
    static let numbers = ["0", "-0", "1", "-17", "3.25", "1e3", "1E+2", "100e-2", "12345678901234567890", "0.1e-7", "-0.0"]
    static let strings = [
        "", "a", "name", "a longer name than eight bytes", "tab\tquote\"backslash\\", "ü", "日本語", "🦆", "\u{0}", "e\u{301}", "line\n",
        "sevench", "eightchr",
    ]
}

extension SampleValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number("\(value)") }
    init(floatLiteral value: Double) { self = .number("\(value)") }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: SampleValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, SampleValue)...) { self = .object(elements.map { Member(name: $0.0, value: $0.1) }) }
    init(nilLiteral: ()) { self = .null }
}
