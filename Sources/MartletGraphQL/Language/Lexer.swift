/// Splits a document into tokens in one pass over its UTF-8 bytes (GraphQL, September 2025, §2.1).
struct Lexer {
    let bytes: [UInt8]
    private(set) var position = 0
    private var line = 1
    private var lineStart = 0
    // Subtracting these gives the column without scanning the line again.
    private var continuationBytes = 0
    private let offset: Int

    /// - Parameter offset: The offset of the text's first byte in positions. Default: 0.
    init(_ text: String, offset: Int = 0) {
        bytes = Array(text.utf8)
        self.offset = offset
    }

    /// The position of the next byte.
    var place: SourcePlace { SourcePlace(offset: offset + position, line: line, column: position - lineStart - continuationBytes + 1) }

    /// Returns the byte at a distance from the next one, or nil at the end.
    func byte(after distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    /// Skips one byte that is not a line end.
    mutating func advance() {
        if bytes[position] & 0xC0 == 0x80 { continuationBytes += 1 }
        position += 1
    }

    /// Skips a line end: CR, LF or CR LF.
    mutating func advanceOverLineEnd() {
        position += byte() == UInt8(ascii: "\r") && byte(after: 1) == UInt8(ascii: "\n") ? 2 : 1
        line += 1
        lineStart = position
        continuationBytes = 0
    }

    /// Returns the next token. At the end it is of the kind `end`, also if called again.
    mutating func next() throws(GraphQLSyntaxError) -> Token {
        skipIgnored()
        let place = place
        guard let byte = byte() else { return Token(kind: .end, text: "", place: place) }
        switch byte {
        case UInt8(ascii: "\""): return Token(kind: .string, text: try string(), place: place)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: place)
        case _ where byte.isNameStart:
            while self.byte()?.isNameContinue == true { position += 1 }
            return token(.name, from: place)
        case UInt8(ascii: ".") where self.byte(after: 1) == byte && self.byte(after: 2) == byte:
            position += 3
            return Token(kind: .punctuator, text: "...", place: place)
        case _ where Self.punctuators.contains(byte):
            position += 1
            return token(.punctuator, from: place)
        default: return stray(at: place)
        }
    }

    private static let punctuators: Set<UInt8> = Set("!$&():=@[]{|}".utf8)

    private mutating func skipIgnored() {
        while let byte = byte() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","): position += 1
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): advanceOverLineEnd()
            case UInt8(ascii: "#"): while let next = self.byte(), !next.isLineEnd { advance() }
            case 0xEF where self.byte(after: 1) == 0xBB && self.byte(after: 2) == 0xBF: for _ in 0..<3 { advance() }
            default: return
            }
        }
    }

    private func token(_ kind: Token.Kind, from place: SourcePlace) -> Token {
        Token(kind: kind, text: text(from: place), place: place)
    }

    private func text(from place: SourcePlace) -> String {
        String(decoding: bytes[(place.offset - offset)..<position], as: UTF8.self)
    }

    /// Returns a character that begins no token. Only the parser knows what was expected there.
    private mutating func stray(at place: SourcePlace) -> Token {
        advance()
        while let byte = byte(), byte & 0xC0 == 0x80 { advance() }
        return token(.stray, from: place)
    }

    /// Describes the next character for error messages.
    func foundCharacter() -> String {
        guard let byte = byte() else { return "the end of the document" }
        if byte.isLineEnd { return "the end of the line" }
        let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
        return Token.quoted(String(rest.unicodeScalars.prefix(1)))
    }

    private mutating func number(at place: SourcePlace) throws(GraphQLSyntaxError) -> Token {
        var kind = Token.Kind.integer
        if byte() == UInt8(ascii: "-") { position += 1 }
        // A number must not have leading zeros.
        if byte() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if byte() == UInt8(ascii: ".") {
            kind = .float
            position += 1
            try digits()
        }
        if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
            kind = .float
            position += 1
            if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        if let byte = byte(), byte.isNameContinue || byte == UInt8(ascii: ".") {
            throw GraphQLSyntaxError("expected the end of the number, found \(foundCharacter())", at: self.place)
        }
        return token(kind, from: place)
    }

    private mutating func digits() throws(GraphQLSyntaxError) {
        guard byte()?.isDigit == true else {
            throw GraphQLSyntaxError("expected a digit, found \(foundCharacter())", at: place)
        }
        while byte()?.isDigit == true { position += 1 }
    }

    private static let quote = UInt8(ascii: "\"")

    /// Reads the string that begins here, and returns its value (GraphQL, September 2025, §2.9.4).
    mutating func string() throws(GraphQLSyntaxError) -> String {
        advance()
        guard byte() == Self.quote else { return try quotedString() }
        advance()
        guard byte() == Self.quote else { return "" }
        advance()
        return try blockString()
    }

    private mutating func quotedString() throws(GraphQLSyntaxError) -> String {
        var value: [UInt8] = []
        while let byte = byte(), byte != Self.quote, !byte.isLineEnd {
            if byte == UInt8(ascii: "\\") {
                value += Array(String(try escaped()).utf8)
            } else {
                value.append(byte)
                advance()
            }
        }
        guard byte() == Self.quote else {
            throw GraphQLSyntaxError("expected '\"' at the end of the string, found \(foundCharacter())", at: place)
        }
        advance()
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func blockString() throws(GraphQLSyntaxError) -> String {
        var lines: [[UInt8]] = [[]]
        while let byte = byte() {
            if byte.isLineEnd {
                lines.append([])
                advanceOverLineEnd()
            } else if byte == Self.quote, isTripleQuote(after: 0) {
                for _ in 0..<3 { advance() }
                return BlockString.value(of: lines)
            } else {
                let isEscaped = byte == UInt8(ascii: "\\") && isTripleQuote(after: 1)
                if isEscaped { advance() }
                for _ in 0..<(isEscaped ? 3 : 1) {
                    lines[lines.count - 1].append(bytes[position])
                    advance()
                }
            }
        }
        throw GraphQLSyntaxError("expected '\"\"\"' at the end of the string, found the end of the document", at: place)
    }

    private func isTripleQuote(after distance: Int) -> Bool {
        (distance..<distance + 3).allSatisfy { byte(after: $0) == Self.quote }
    }

    /// Reads the escape sequence that begins here, and returns its character.
    private mutating func escaped() throws(GraphQLSyntaxError) -> Unicode.Scalar {
        let start = place
        advance()
        let byte = byte()
        if byte == UInt8(ascii: "u") {
            advance()
            return try escapedUnicode(from: start)
        }
        guard let byte, let scalar = Self.escapes[byte] else {
            throw GraphQLSyntaxError("expected one of \" \\ / b f n r t u after \"\\\", found \(foundCharacter())", at: place)
        }
        advance()
        return scalar
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    private mutating func escapedUnicode(from start: SourcePlace) throws(GraphQLSyntaxError) -> Unicode.Scalar {
        var value: UInt32 = 0
        if byte() == UInt8(ascii: "{") {
            advance()
            repeat {
                // The value stays above the valid range, so any number of digits can follow without overflow.
                value = min(value << 4 | (try hexadecimalDigit()), 0x110000)
            } while byte() != UInt8(ascii: "}")
            advance()
        } else {
            value = try fourDigits()
            if (0xD800..<0xDC00).contains(value), byte() == UInt8(ascii: "\\"), byte(after: 1) == UInt8(ascii: "u") {
                advance()
                advance()
                let low = try fourDigits()
                value = (0xDC00..<0xE000).contains(low) ? 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00) : value
            }
        }
        if let scalar = Unicode.Scalar(value) { return scalar }
        let escape = text(from: start)
        throw GraphQLSyntaxError("expected an escape of a Unicode scalar value, found \(Token.quoted(escape))", at: start)
    }

    private mutating func fourDigits() throws(GraphQLSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 4 | (try hexadecimalDigit()) }
        return value
    }

    private mutating func hexadecimalDigit() throws(GraphQLSyntaxError) -> UInt32 {
        guard let byte = byte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
            throw GraphQLSyntaxError("expected a hexadecimal digit, found \(foundCharacter())", at: place)
        }
        advance()
        return UInt32(digit)
    }
}

extension UInt8 {
    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isNameStart: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_") }

    package var isNameContinue: Bool { isNameStart || isDigit }
}

/// A lexical token of a document (GraphQL, September 2025, §2.1.6).
package struct Token: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case punctuator, name, integer, float, string
        /// A character that begins no token.
        case stray
        case end
    }

    package let kind: Kind
    /// The value of a string, or the source text of any other token.
    package let text: String
    package let place: SourcePlace

    package func isPunctuator(_ text: String) -> Bool { kind == .punctuator && self.text == text }

    package func isName(_ text: String) -> Bool { kind == .name && self.text == text }

    /// The description of the token in error messages.
    package var found: String {
        switch kind {
        case .end: "the end of the document"
        case .string: "a string"
        case .stray where text == "'": "\"'\" (strings are written in double quotes)"
        case .punctuator, .name, .integer, .float, .stray: Self.quoted(text)
        }
    }

    /// Quotes a text for an error message. Long texts are truncated, and invisible characters are shown as code points.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars, limit = 40
        let shown = scalars.prefix(limit).map { scalar in
            isVisible(scalar) ? String(scalar) : "U+" + hexadecimal(scalar.value)
        }
        return "\"\(shown.joined())\(scalars.dropFirst(limit).isEmpty ? "" : "…")\""
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse: scalar == " "
        default: true
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// Computes the value of a block string without its indentation (GraphQL, September 2025, §2.9.4, BlockStringValue).
enum BlockString {
    /// Returns the value of the lines between the triple quotes.
    static func value(of lines: [[UInt8]]) -> String {
        let filled = lines.indices.filter { indent(of: lines[$0]) < lines[$0].count }
        guard let first = filled.first, let last = filled.last else { return "" }
        // The first line follows the quotes, so its indentation does not count.
        let common = filled.filter { $0 > 0 }.map { indent(of: lines[$0]) }.min() ?? 0
        var value: [UInt8] = []
        for index in first...last {
            if index > first { value.append(UInt8(ascii: "\n")) }
            value += lines[index].dropFirst(index == 0 ? 0 : common)
        }
        return String(decoding: value, as: UTF8.self)
    }

    private static func indent(of line: [UInt8]) -> Int {
        line.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? line.count
    }
}
