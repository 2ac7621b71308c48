/// Reads the components of field values (RFC 9110 §5.6) in linear time: tokens, quoted strings, parameters and lists.
package struct FieldReader {
    /// How to read a quoted string without a closing quote.
    package enum OpenQuote {
        /// The string extends to the end of the field.
        case endsField
        /// The quote and all later quotes are ordinary characters.
        case isCharacter
    }

    private let bytes: [UInt8]
    private let openQuote: OpenQuote
    private var position = 0
    /// Whether a quoted string without a closing quote was found.
    package private(set) var hasOpenQuote = false

    /// Creates a reader of a field's value.
    package init(_ text: some StringProtocol, openQuote: OpenQuote = .endsField) { self.init(Array(text.utf8), openQuote: openQuote) }

    /// Creates a reader of a field's value as it was received.
    package init(_ bytes: [UInt8], openQuote: OpenQuote = .endsField) {
        self.bytes = bytes
        self.openQuote = openQuote
    }

    /// The next byte, or nil at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether everything has been read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Skips the next byte if it is `byte`. Returns whether it was.
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips bytes while `isSkipped` returns true.
    package mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    /// Reads bytes while `isPart` returns true, and returns them without surrounding white space.
    package mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        skip(while: isPart)
        return trimmed(start..<position)
    }

    /// Reads a token. Returns nil if there is no token here.
    package mutating func token() -> String? {
        let start = position
        skip(while: Token.contains)
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a quoted string (RFC 9110 §5.6.4) and returns its content. Returns nil if it is missing or has no closing quote.
    package mutating func quotedBytes() -> [UInt8]? {
        guard next == FieldReader.quote, !hasOpenQuote else { return nil }
        var content: [UInt8] = []
        var place = position + 1
        while place < bytes.count {
            switch bytes[place] {
            case FieldReader.quote:
                position = place + 1
                return content
            case UInt8(ascii: "\\") where place + 1 < bytes.count: place += 1
            default: break
            }
            content.append(bytes[place])
            place += 1
        }
        hasOpenQuote = true
        if openQuote == .endsField { position = bytes.count }
        return nil
    }

    /// Reads a quoted string, or otherwise a value with `unquoted`. Nil if that returns nil or the string has no closing quote.
    package mutating func quoted(or unquoted: (inout FieldReader) -> String?) -> String? {
        guard next == FieldReader.quote else { return unquoted(&self) }
        return quotedBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads a parameter (RFC 9110 §5.6.6), with optional white space around the `=`. Nil if the name is missing or `value` returns nil.
    ///
    /// The name is in lower case. The value is nil if no `=` follows the name.
    package mutating func parameter(
        value: (_ name: String, _ reader: inout FieldReader) -> String?
    ) -> (name: String, value: String?)? {
        skip(while: Token.isWhitespace)
        guard let name = token()?.lowercased() else { return nil }
        skip(while: Token.isWhitespace)
        guard skip(UInt8(ascii: "=")) else { return (name, nil) }
        skip(while: Token.isWhitespace)
        return value(name, &self).map { (name, $0) }
    }

    /// Reads the rest of the field as parameters, each after a semicolon. Malformed parameters and those without a value are ignored.
    package mutating func parameters(
        value: (_ name: String, _ reader: inout FieldReader) -> String?
    ) -> [FieldParameter] {
        var parameters: [FieldParameter] = []
        while skip(FieldReader.semicolon) {
            let parameter = parameter(value: value)
            // Text after a value makes its parameter malformed.
            guard !skipElement(before: { $0 == FieldReader.semicolon }), let parameter, let value = parameter.value else { continue }
            parameters.append(FieldParameter(name: parameter.name, value: value))
        }
        return parameters
    }

    /// Reads up to the next separator outside quoted strings, and returns the text without surrounding white space.
    mutating func element(before isSeparator: (UInt8) -> Bool) -> String {
        let start = position
        skipElement(before: isSeparator)
        return trimmed(start..<position)
    }

    /// Skips everything before the next separator outside quoted strings. Returns whether it was more than white space.
    @discardableResult
    package mutating func skipElement(before isSeparator: (UInt8) -> Bool) -> Bool {
        var hasContent = false
        while let byte = next, !isSeparator(byte) {
            if !Token.isWhitespace(byte) { hasContent = true }
            if quotedBytes() == nil, !isAtEnd { position += 1 }
        }
        return hasContent
    }

    private func trimmed(_ range: Range<Int>) -> String {
        let text = bytes[range].drop(while: Token.isWhitespace)
        let end = text.lastIndex { !Token.isWhitespace($0) }.map { $0 + 1 } ?? text.startIndex
        return String(decoding: text[..<end], as: UTF8.self)
    }

    package static let semicolon = UInt8(ascii: ";")
    package static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}

extension StringProtocol {
    /// The text as a parameter value: unchanged if it is a token, otherwise a quoted string.
    package var asParameterValue: String { isToken ? String(self) : asQuotedString }

    /// The text as a quoted string (RFC 9110 §5.6.4).
    var asQuotedString: String {
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return String(decoding: quoted + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    /// The members of a list (RFC 9110 §5.6.1), without surrounding white space. A comma in a quoted string is part of a member.
    package var listMembers: [String] {
        var reader = FieldReader(self)
        var members: [String] = []
        repeat { members.append(reader.element { $0 == FieldReader.comma }) } while reader.skip(FieldReader.comma)
        return members
    }
}

/// A parameter of a field value (RFC 9110 §5.6.6).
public struct FieldParameter: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value, unquoted and decoded. Empty for a link parameter without a value.
    public let value: String
}

extension [FieldParameter] {
    /// Returns the value of the first parameter with this name, compared without regard to case.
    func first(named name: String) -> String? { first { $0.name.equalsIgnoringCase(name) }?.value }
}

/// The value of an extended parameter (RFC 8187 §3.2): `UTF-8'en'%e2%82%ac`.
enum ExtendedValue {
    /// Returns the decoded text, or nil for a malformed value, one that is invalid in its charset, and charsets other than UTF-8 and
    /// ISO-8859-1. `utf8`, a common misspelling, is read as UTF-8.
    static func decode(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let value = Array(parts[2].utf8)
        guard PercentEncoding.isWellFormed(value[...]), !value.contains(UInt8(ascii: "'")), !value.contains(UInt8(ascii: "*")) else {
            return nil
        }
        let bytes = PercentEncoding.unescape(value[...])
        if ["UTF-8", "UTF8"].contains(where: parts[0].equalsIgnoringCase) { return String(validUTF8: bytes) }
        return parts[0].equalsIgnoringCase("ISO-8859-1") ? String(latin1: bytes) : nil
    }
}
