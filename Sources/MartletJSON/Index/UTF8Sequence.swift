/// A UTF-8 sequence of two to four bytes (RFC 3629 §4) whose first byte is known.
struct UTF8Sequence: Sendable {
    /// The number of continuation bytes that are missing.
    var missing = 0
    /// The allowed values of the next continuation byte.
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF

    init() {}

    /// Creates the sequence that starts with a byte, or nil if no sequence outside ASCII does.
    @inline(__always)
    init?(lead: UInt8) {
        guard lead >= 0xC2, lead <= 0xF4 else { return nil }
        missing = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
        // Overlong forms, surrogates, and scalars above U+10FFFF.
        switch lead {
        case 0xE0: lowest = 0xA0
        case 0xED: highest = 0x9F
        case 0xF0: lowest = 0x90
        case 0xF4: highest = 0x8F
        default: break
        }
    }

    /// Returns the length of the sequence at the beginning of some bytes, or 0 if it is malformed or does not end within them.
    @inline(__always)
    static func length(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        guard let sequence = UTF8Sequence(lead: bytes[0]), sequence.missing < available,
            bytes[1] >= sequence.lowest, bytes[1] <= sequence.highest,
            sequence.missing < 2 || bytes[2] & 0xC0 == 0x80, sequence.missing < 3 || bytes[3] & 0xC0 == 0x80
        else { return 0 }
        return sequence.missing &+ 1
    }
}
