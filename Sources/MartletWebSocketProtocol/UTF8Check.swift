/// Checks whether bytes that arrive in pieces are UTF-8 (RFC 3629 §4), and fails at the first byte that cannot be.
struct UTF8Check {
    /// The number of bytes that are missing from the last character.
    private var missing = 0
    /// The values that the next byte of the character may have.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the bytes so far end with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Returns whether all bytes of a text are UTF-8.
    static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var check = UTF8Check()
        return check.accepts(bytes) && check.isComplete
    }

    /// Adds the next bytes of the text. Returns false if no further bytes can make it UTF-8.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            if missing == 0 {
                place = UTF8Check.endOfASCII(in: bytes, from: place)
                guard place < bytes.count else { return true }
                guard begin(bytes[place]) else { return false }
            } else {
                guard next.contains(bytes[place]) else { return false }
                next = 0x80...0xBF
                missing -= 1
            }
            place += 1
        }
        return true
    }

    /// Begins a character of more than one byte.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch byte {
        // No overlong forms, surrogates, and values above U+10FFFF.
        case 0xE0: next = 0xA0...0xBF
        case 0xED: next = 0x80...0x9F
        case 0xF0: next = 0x90...0xBF
        case 0xF4: next = 0x80...0x8F
        default: next = 0x80...0xBF
        }
        return true
    }

    /// Returns the position of the first byte that is not ASCII, or the end.
    private static func endOfASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place &+ 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
            place &+= 8
        }
        while place < bytes.count, bytes[place] < 0x80 { place &+= 1 }
        return place
    }
}
