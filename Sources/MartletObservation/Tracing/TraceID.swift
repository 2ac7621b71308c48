public import MartletClient
internal import MartletHTTP

/// The identifier of a trace: 16 bytes that are not all zero (W3C Trace Context §3.2.2.3).
public struct TraceID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Creates an identifier from its two halves, or returns nil if all bits are zero.
    public init?(high: UInt64, low: UInt64) {
        guard high != 0 || low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// Creates an identifier from 32 hexadecimal digits in lower case, or returns nil if the text is malformed or all zeros.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let high = HexNumber.read(text.utf8.prefix(16)), let low = HexNumber.read(text.utf8.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Creates a random identifier.
    public init(random: any RandomSource) {
        var high = random.next(), low = random.next()
        while high == 0, low == 0 { (high, low) = (random.next(), random.next()) }
        self.high = high
        self.low = low
    }

    /// The identifier as 32 hexadecimal digits in lower case.
    public var description: String { HexNumber.text(high) + HexNumber.text(low) }
}

/// The identifier of a span: 8 bytes that are not all zero (W3C Trace Context §3.2.2.4, where it is called `parent-id`).
public struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let bits: UInt64

    /// Creates an identifier from its bits, or returns nil if all are zero.
    public init?(bits: UInt64) {
        guard bits != 0 else { return nil }
        self.bits = bits
    }

    /// Creates an identifier from 16 hexadecimal digits in lower case, or returns nil if the text is malformed or all zeros.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 16, let bits = HexNumber.read(text.utf8) else { return nil }
        self.init(bits: bits)
    }

    /// Creates a random identifier.
    public init(random: any RandomSource) {
        var bits = random.next()
        while bits == 0 { bits = random.next() }
        self.bits = bits
    }

    /// The identifier as 16 hexadecimal digits in lower case.
    public var description: String { HexNumber.text(bits) }
}

/// Reads and writes numbers of a fixed count of hexadecimal digits in lower case.
enum HexNumber {
    /// Returns the number, or nil if a byte is not a digit in lower case.
    static func read(_ digits: some Collection<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            guard !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(digit), let value = Hex.value(digit) else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    /// Returns 16 digits.
    static func text(_ number: UInt64) -> String { Hex.text((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }) }
}
