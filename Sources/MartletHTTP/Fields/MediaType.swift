/// A media type with its parameters (RFC 9110 §8.3.1), as in `Content-Type`.
///
/// Types, subtypes and parameter names are compared without regard to case.
///
/// ```swift
/// let type = MediaType("text/html; charset=\"utf-8\"")
/// type?.subtype    // "html"
/// type?["charset"] // "utf-8"
/// ```
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The type, in lower case: `text`.
    public let type: String
    /// The subtype, in lower case: `html`.
    public let subtype: String
    /// The parameters in order, names in lower case, values unquoted.
    public let parameters: [Parameter]

    /// A parameter: `charset=utf-8`.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value, unquoted.
        public let value: String
    }

    /// A media type from its parts.
    public init(type: String, subtype: String, parameters: KeyValuePairs<String, String> = [:]) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters.map { Parameter(name: $0.key.lowercased(), value: $0.value) }
    }

    /// Reads a media type; nil when type or subtype is missing or not a token. A parameter that is malformed is left out.
    public init?(_ text: some StringProtocol) {
        let pieces = MediaType.split(text, at: UInt8(ascii: ";"))
        let names = (pieces.first ?? "").trimmingWhitespace.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Token.contains) }) else { return nil }
        type = names[0].lowercased()
        subtype = names[1].lowercased()
        parameters = pieces.dropFirst().compactMap(MediaType.parameter)
    }

    /// The value of a parameter, or nil.
    public subscript(name: String) -> String? { parameters.first { $0.name.equalsIgnoringCase(name) }?.value }

    /// Whether it is JSON: `application/json`, `text/json`, or any `+json` (RFC 6839 §3.1).
    public var isJSON: Bool { subtype == "json" && (type == "application" || type == "text") || subtype.hasSuffix("+json") }

    /// The type and subtype without parameters: `text/html`.
    public var essence: String { "\(type)/\(subtype)" }

    /// The media type as it is written in a field; values that need it are quoted.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            let isToken = !parameter.value.isEmpty && parameter.value.utf8.allSatisfy(Token.contains)
            text += "; \(parameter.name)=\(isToken ? parameter.value : MediaType.quoted(parameter.value))"
        }
    }

    private static func parameter(_ text: String) -> Parameter? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let name = parts[0].trimmingWhitespace
        guard !name.isEmpty, name.utf8.allSatisfy(Token.contains) else { return nil }
        let value = parts[1].trimmingWhitespace
        guard value.unicodeScalars.first == "\"" else { return Parameter(name: name.lowercased(), value: String(value)) }
        return unquoted(value).map { Parameter(name: name.lowercased(), value: $0) }
    }

    /// Splits at a separator that is not within a quoted string.
    private static func split(_ text: some StringProtocol, at separator: UInt8) -> [String] {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false, isEscaped = false
        for byte in text.utf8 {
            if byte == separator, !isQuoted {
                pieces.append([])
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            pieces[pieces.count - 1].append(byte)
        }
        return pieces.map { String(decoding: $0, as: UTF8.self) }
    }

    // Both go by scalars, not characters: a quote with an accent upon it is one character, and ends the string all the same.

    private static func quoted(_ value: String) -> String {
        var text = "\"".unicodeScalars
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.append("\\") }
            text.append(scalar)
        }
        text.append("\"")
        return String(text)
    }

    /// What a quoted string holds; nil when it is not closed, or something follows it.
    private static func unquoted(_ text: some StringProtocol) -> String? {
        var value = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return rest.isEmpty ? String(value) : nil
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(scalar)
            }
        }
        return nil
    }
}
