/// The character classes of RFC 9110 §5.6.2 and §5.5, over bytes.
package enum Token {
    /// Whether a token, such as a method or a field name, may contain the byte.
    package static func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a field value may contain the byte: no control characters except the tab.
    package static func isFieldContent(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// Whether a field value may consist of the bytes.
    static func isFieldContent(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = UnsafeRawBufferPointer(bytes)
        while rest.count >= 8, !hasControl(rest.loadUnaligned(as: UInt64.self)) {
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
        }
        return rest.allSatisfy(isFieldContent)
    }

    /// Whether one of eight bytes is a control character. May also be true for other bytes, next to a control character.
    private static func hasControl(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101, highest = ones << 7
        // The highest bit of a byte is set by the borrow if it was less than 0x20, or equal to 0x7F.
        let low = (bytes &- ones << 5) & ~bytes
        let deletes = bytes ^ ones &* 0x7F
        return (low | (deletes &- ones) & ~deletes) & highest != 0
    }

    /// The lower-case form of an ASCII letter. Other bytes are unchanged.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        // The letters A to Z.
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Whether a byte is optional white space: a space or a tab.
    package static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether a byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Whether a byte is an ASCII letter or a decimal digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }
}

extension String {
    /// Whether two texts have the same bytes. `==` also accepts different bytes that are canonically equivalent in Unicode, such as those
    /// of `é` and of `e` with a combining accent, which are different values for a server.
    package func hasSameBytes(as other: String) -> Bool {
        // First the fast comparison, because most texts differ. Over UTF-8 views, that of a few bytes takes a thousand instructions.
        guard self == other, utf8.count == other.utf8.count else { return false }
        var left = self, right = other
        return left.withUTF8 { left in
            right.withUTF8 { right in
                // A text is often compared with its own copy, which may have megabytes.
                left.baseAddress == right.baseAddress || left.holdsSame(as: right)
            }
        }
    }
}

extension StringProtocol {
    /// Whether two texts are equal without regard to the case of ASCII letters, as HTTP compares names.
    package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0 == $1 || Token.lowercased($0) == Token.lowercased($1) }
    }

    /// Whether the text is a token (RFC 9110 §5.6.2).
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(Token.contains) }

    /// Whether the text consists of decimal digits only. The number may be too large for any integer type.
    package var isDecimal: Bool { !isEmpty && utf8.allSatisfy(Token.isDigit) }

    /// The text without leading and trailing spaces and tabs (OWS, RFC 9110 §5.6.3).
    package var trimmingWhitespace: SubSequence {
        guard let start = firstIndex(where: { $0 != " " && $0 != "\t" }), let end = lastIndex(where: { $0 != " " && $0 != "\t" }) else {
            return self[startIndex..<startIndex]
        }
        return self[start...end]
    }
}
