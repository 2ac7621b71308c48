internal import MartletEssentials
internal import MartletJSON

/// The samples as they appear in tests.
enum SampleText {
    /// Samples with more bytes are shortened.
    static let limit = 4_000
    /// The number of elements that a shortened array keeps.
    static let keptElements = 2

    /// Returns a sample, shortened if it is long. Its values still have the types of the whole sample.
    static func value(of sample: Sample, _ type: SwiftType) -> JSONValue {
        let value = sample.value
        return JSONText.pretty(value).utf8.count > limit ? shortened(value, type) : value
    }

    private static func shortened(_ value: JSONValue, _ type: SwiftType) -> JSONValue {
        switch (type, value) {
        case (.optional(let inner), _): return shortened(value, inner)
        case (.array(let element), .array(let elements)):
            return JSONValue(elements.prefix(keptElements).map { shortened($0, element) })
        case (.dictionary(let inner), .object(let members)):
            return .object(JSONObject(members.prefix(keptElements).map { (key: $0.key, value: shortened($0.value, inner)) }))
        case (.object(let model), .object(let members)):
            let types = Dictionary(model.properties.map { ($0.member, $0.type) }) { first, _ in first }
            return .object(JSONObject(members.map { (key: $0.key, value: shortened($0.value, types[$0.key] ?? .json)) }))
        case (.json, .array(let elements)): return JSONValue(elements.prefix(keptElements).map { shortened($0, .json) })
        default: return value
        }
    }

    /// Returns the JSON that the encoder `.json` writes for the decoded value.
    ///
    /// Nil members are left out, dates are in UTC without fractions of a second, and UUIDs are in capitals.
    static func encoded(_ value: JSONValue, _ type: SwiftType) -> JSONValue {
        switch (type, value) {
        case (.optional(let inner), _): return value == .null ? value : encoded(value, inner)
        case (.array(let element), .array(let elements)): return JSONValue(elements.map { encoded($0, element) })
        case (.dictionary(let inner), .object(let members)):
            return .object(JSONObject(members.map { (key: $0.key, value: encoded($0.value, inner)) }))
        case (.object(let model), .object(let members)):
            let types = Dictionary(model.properties.map { ($0.member, $0.type) }) { first, _ in first }
            let kept = members.filter { $0.value != .null || types[$0.key]?.isOptional != true }
            return .object(JSONObject(kept.map { (key: $0.key, value: encoded($0.value, types[$0.key] ?? .json)) }))
        case (.double, .number(let number)): return .number(number.doubleValue)
        case (.uuid, .string(let text)): return .string(text.uppercased())
        case (.date, .string(let text)): return StringFacts.date(text).map(encoded) ?? value
        default: return value
        }
    }

    private static func encoded(_ date: Date) -> JSONValue {
        var encoder = JSONBodyEncoder()
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(date), let value = try? JSONValue(parsing: data) else { return .null }
        return value
    }

    /// Escapes the characters of strings that a reader does not see, such as marks that change the direction of text.
    private static func visible(_ json: String) -> String {
        var visible = ""
        for scalar in json.unicodeScalars {
            guard scalar != "\n", SourceText.isInvisible(scalar) else {
                visible.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                visible += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return visible
    }

    /// Writes a sample as a constant.
    static func write(_ name: String, _ value: JSONValue, _ comment: String, to text: inout SourceText) {
        let json = visible(JSONText.pretty(value)), quotes = SourceText.rawQuotes(for: json)
        text.line()
        text.line("/// \(comment)")
        text.line("private let \(name) = \(quotes.start)")
        for line in json.split(separator: "\n") { text.line("    " + line) }
        text.line("    \(quotes.end)")
    }
}
