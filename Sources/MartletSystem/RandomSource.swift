/// A source of random numbers for the jitter of retries, multipart boundaries, and identifiers.
///
/// Everything random in Martlet takes a source, so that a test can pass a reproducible one: `SeededRandom` in MartletTesting.
public protocol RandomSource: Sendable {
    /// Returns the next number. All bits are random. Concurrent tasks may call it.
    func next() -> UInt64
}

extension RandomSource where Self == SystemRandom {
    /// The system's random number generator, suitable for secrets.
    public static var system: SystemRandom { SystemRandom() }
}

/// The system's random number generator, suitable for secrets.
public struct SystemRandom: RandomSource {
    /// Creates the source. All values are equivalent.
    public init() {}

    /// Returns a number of the system's generator.
    public func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}

extension RandomSource {
    /// Returns a random number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

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
