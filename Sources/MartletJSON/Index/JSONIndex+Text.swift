extension JSONIndex {
    /// Returns the text of a string.
    @inline(__always)
    func text(_ entry: JSONEntry) -> String {
        let content = UnsafeBufferPointer(start: bytes + entry.offset, count: stringLength(entry))
        guard entry.rawKind == JSONEntry.Kind.string.rawValue else { return JSONIndex.unescaped(content) }
        return String(decoding: content, as: UTF8.self)
    }

    /// Returns the text of a key, unless it was converted.
    @inline(__always)
    func keyText(_ entry: JSONEntry) -> String {
        let content = UnsafeBufferPointer(start: bytes + entry.offset, count: keyLength(entry))
        guard entry.rawKind == JSONEntry.Kind.escapedKey.rawValue else { return String(decoding: content, as: UTF8.self) }
        return JSONIndex.unescaped(content)
    }

    /// Returns the text of a number in the document.
    func numberText(_ entry: JSONEntry) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + entry.offset, count: numberLength(entry)), as: UTF8.self)
    }

    /// Decodes the escapes of a valid string.
    @inline(never)
    static func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> String {
        guard let start = content.baseAddress else { return "" }
        return String(unsafeUninitializedCapacity: content.count) { target in
            // An escape is never shorter than its text.
            guard let out = target.baseAddress else { return 0 }
            return unescape(start, content.count, into: out)
        }
    }

    /// Writes the text of a valid string with escapes, and returns the number of bytes written, at most `count`.
    static func unescape(_ bytes: UnsafePointer<UInt8>, _ count: Int, into target: UnsafeMutablePointer<UInt8>) -> Int {
        var place = 0, written = 0
        while place < count {
            let byte = bytes[place]
            guard byte == UInt8(ascii: "\\") else {
                target[written] = byte
                written += 1
                place += 1
                continue
            }
            let escape = bytes[place + 1]
            guard escape == UInt8(ascii: "u") else {
                target[written] = simpleEscape(escape)
                written += 1
                place += 2
                continue
            }
            var scalar = codeUnit(bytes + place + 2)
            place += 6
            if scalar & 0xF800 == 0xD800 {
                if scalar < 0xDC00, let low = lowSurrogate(bytes + place, count - place) {
                    scalar = 0x1_0000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
                    place += 6
                } else {
                    scalar = 0xFFFD
                }
            }
            written += encode(scalar, into: target + written)
        }
        return written
    }

    private static func simpleEscape(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Returns the second half of a surrogate pair if its escape follows.
    private static func lowSurrogate(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32? {
        guard count >= 6, bytes[0] == UInt8(ascii: "\\"), bytes[1] == UInt8(ascii: "u") else { return nil }
        let unit = codeUnit(bytes + 2)
        return unit & 0xFC00 == 0xDC00 ? unit : nil
    }

    private static func codeUnit(_ digits: UnsafePointer<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<4 { value = value << 4 | (JSONStringScan.hexadecimalDigit(digits[index]) ?? 0) }
        return value
    }

    /// Writes a scalar in UTF-8 and returns the number of bytes.
    private static func encode(_ scalar: UInt32, into target: UnsafeMutablePointer<UInt8>) -> Int {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80:
            target[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case 0x80..<0x800:
            target[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            target[1] = continuation(0)
            return 2
        case 0x800..<0x1_0000:
            target[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            target[1] = continuation(6)
            target[2] = continuation(0)
            return 3
        default:
            target[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
            target[1] = continuation(12)
            target[2] = continuation(6)
            target[3] = continuation(0)
            return 4
        }
    }
}
