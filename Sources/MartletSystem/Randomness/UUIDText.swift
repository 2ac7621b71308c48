extension RandomSource {
    /// Returns a random UUID (version 4, RFC 9562 §5.4) in lower case.
    package func uuid() -> String { UUIDText.version4(next(), next()) }
}

/// The text form of UUIDs (RFC 9562 §4).
enum UUIDText {
    /// Returns a UUID of version 4 with 128 given bits, in lower case. Six of the bits are replaced by the version and the variant.
    static func version4(_ high: UInt64, _ low: UInt64) -> String {
        let high = high & ~0xF000 | 0x4000, low = low & ~(0b11 << 62) | (0b10 << 62)
        func hex(_ number: UInt64, _ shift: UInt64, _ digits: Int) -> String {
            let text = String((number >> shift) & (digits == 12 ? 0xFFFF_FFFF_FFFF : digits == 8 ? 0xFFFF_FFFF : 0xFFFF), radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        return [hex(high, 32, 8), hex(high, 16, 4), hex(high, 0, 4), hex(low, 48, 4), hex(low, 0, 12)].joined(separator: "-")
    }
}
