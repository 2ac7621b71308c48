/// Converts bytes to hexadecimal digits and back.
package enum Hex {
    /// Returns two lower-case digits for each byte.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(lowercaseDigits[Int(byte >> 4)])
            text.append(lowercaseDigits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of pairs of digits. Nil for an odd number of digits and for other characters.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap(value)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Returns the value of a digit of either case, or nil for any other byte.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns the upper-case digit of a number below 16.
    static func uppercaseDigit(_ number: UInt8) -> UInt8 { number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "A") + number - 10 }

    private static let lowercaseDigits = Array("0123456789abcdef".utf8)
}
