extension Lexer {
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
        let escape = String(decoding: bytes[start.offset..<position], as: UTF8.self)
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
