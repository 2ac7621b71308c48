/// Percent-encoding (RFC 3986 §2.1), over bytes.
package enum PercentEncoding {
    /// Escapes every byte but the unreserved characters of RFC 3986 §2.3: what a value from outside goes through.
    package static func escape(_ text: some StringProtocol) -> String { encode(text, keeping: isUnreserved) }

    /// Escapes as `application/x-www-form-urlencoded` does (WHATWG URL §5.2): a space is `+`.
    package static func escapeForm(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "*"): bytes.append(byte)
            case UInt8(ascii: "~"): append(byte, to: &bytes)
            case _ where isUnreserved(byte): bytes.append(byte)
            default: append(byte, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes what may not stand in a path or query at all; keeps delimiters and escapes that are there: what a literal goes through.
    package static func escapeIllegal(_ text: some StringProtocol) -> String {
        let source = Array(text.utf8)
        if source.allSatisfy({ isLegal($0) && $0 != UInt8(ascii: "%") }) { return String(text) }
        var bytes: [UInt8] = []
        for (index, byte) in source.enumerated() {
            let isEscape = byte == UInt8(ascii: "%") && source[(index + 1)...].prefix(2).count { hexValue($0) != nil } == 2
            if isEscape || byte != UInt8(ascii: "%") && isLegal(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a text with its escapes undone; an incomplete escape stays as it is.
    package static func unescape(_ text: some StringProtocol) -> [UInt8] {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = hexValue(source[index + 1]),
                let low = hexValue(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return bytes
    }

    private static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isKept) { return String(text) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// Unreserved characters and delimiters: what RFC 3986 allows in a path and query.
    private static func isLegal(_ byte: UInt8) -> Bool {
        if isUnreserved(byte) { return true }
        return "!$&'()*+,;=:@/?%".utf8.contains(byte)
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
