/// The escapes in the strings of JSON (RFC 8259 §7), as far as they can hide a secret: ASCII characters and line breaks.
enum JSONEscapes {
    /// The content of a string with these escapes undone.
    static func undone(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(content.count)
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                plain.append(byte)
                continue
            }
            if let code = number(after: rest), code >= 0x20, code < 0x7F {
                plain.append(code)
                rest = rest.dropFirst(5)
            } else if let meant = meanings.first(where: { $0.letter == next })?.byte {
                plain.append(meant)
                rest = rest.dropFirst()
            } else {
                plain.append(byte)
            }
        }
        return plain
    }

    /// A text as the content of a string.
    static func done(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte in
            if byte == UInt8(ascii: "/") { return [byte] }
            guard let letter = meanings.first(where: { $0.byte == byte })?.letter else { return [byte] }
            return [UInt8(ascii: "\\"), letter]
        }
    }

    /// The character of one byte whose number, `u006f`, comes next; nil when none does.
    static func number(after rest: ArraySlice<UInt8>) -> UInt8? {
        guard rest.first == UInt8(ascii: "u"), rest.count >= 5 else { return nil }
        return UInt8(String(decoding: rest.dropFirst().prefix(4), as: UTF8.self), radix: 16)
    }

    private static let meanings: [(letter: UInt8, byte: UInt8)] = [
        (UInt8(ascii: "\""), UInt8(ascii: "\"")), (UInt8(ascii: "\\"), UInt8(ascii: "\\")), (UInt8(ascii: "/"), UInt8(ascii: "/")),
        (UInt8(ascii: "n"), 0x0A), (UInt8(ascii: "r"), 0x0D), (UInt8(ascii: "t"), 0x09),
    ]
}
