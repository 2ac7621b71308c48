/// A JSON number of any size and precision, which keeps all of its digits.
///
/// Two numbers are equal if their values are equal: `1.50` equals `15e-1`.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as JSON text, with the digits and the notation that it was created from.
    ///
    /// Infinity and NaN, which JSON cannot represent, are `inf`, `-inf` and `nan`; encoding them throws `EncodingError`.
    public let description: String

    /// Creates a number with the fewest digits that identify a `Double`.
    public init(_ value: Double) {
        if let whole = Int64(exactly: value) {
            description = "\(whole)"
        } else if let whole = UInt64(exactly: value) {
            description = "\(whole)"
        } else {
            let text = "\(value)"
            description = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }

    /// Creates a number from JSON text, or returns nil if the text is not a JSON number (RFC 8259 §6).
    public init?(_ text: String) {
        guard JSONNumber.isValid(text) else { return nil }
        description = text
    }

    /// Creates a number from text that has been validated.
    init(validText text: String) { description = text }

    /// The `Double` nearest to the number, which is infinite if the number is out of range.
    public var doubleValue: Double { Double(description) ?? .nan }

    /// Whether the number can be written as JSON, which infinity and NaN can't.
    public var isFinite: Bool { description.utf8.last.map { $0 &- UInt8(ascii: "0") < 10 } ?? false }

    /// Returns the number as an integer, or nil if it has a fraction or does not fit the type.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        guard isFinite else { return nil }
        var text = description
        return text.withUTF8 { bytes in
            bytes.baseAddress.flatMap { JSONInteger.value(type, $0, bytes.count, isPlain: false) }
        }
    }

    /// Returns whether both numbers have the same value, whatever their notation.
    public static func == (one: JSONNumber, other: JSONNumber) -> Bool {
        guard one.isFinite, other.isFinite else { return one.description == other.description }
        return one.withDigits { digits in other.withDigits { digits == $0 } }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        guard isFinite else { return hasher.combine(description) }
        withDigits { $0.hash(into: &hasher) }
    }

    private func withDigits<Result>(_ body: (DecimalDigits) -> Result) -> Result {
        var text = description
        return text.withUTF8 { body(DecimalDigits($0)) }
    }

    private static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.first, first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10, let last = bytes.last,
                last &- UInt8(ascii: "0") < 10, let index = try? JSONIndex(bytes, limits: JSONLimits(maxDepth: 1, maxValues: 1))
            else { return false }
            index.deallocate()
            return true
        }
    }
}

extension DecimalDigits {
    /// Whether two numbers have the same value.
    static func == (one: DecimalDigits, other: DecimalDigits) -> Bool {
        guard !one.isZero || !other.isZero else { return true }
        return one.isNegative == other.isNegative && one.exponent == other.exponent && one.digitCount == other.digitCount
            && (0..<one.digitCount).allSatisfy { one.digit($0) == other.digit($0) }
    }

    /// Hashes the value.
    func hash(into hasher: inout Hasher) {
        guard !isZero else { return hasher.combine(0) }
        hasher.combine(isNegative)
        hasher.combine(exponent)
        for index in 0..<digitCount { hasher.combine(digit(index)) }
    }
}
