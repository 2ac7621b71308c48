/// Decimal digits without a limit, for numbers exactly between two floating-point values.
struct ExactDecimal {
    /// The digits, the last one first.
    private var digits: [UInt8]
    private var exponent: Int

    /// Creates a mantissa times a power of two.
    init(_ mantissa: UInt64, twoPower: Int) {
        digits = String(mantissa).utf8.reversed().map { $0 - 0x30 }
        exponent = 0
        for _ in 0..<abs(twoPower) { multiply(by: twoPower > 0 ? 2 : 5) }
        if twoPower < 0 { exponent = twoPower }
    }

    private mutating func multiply(by factor: UInt8) {
        var carry: UInt8 = 0
        for place in digits.indices {
            let product = digits[place] * factor + carry
            digits[place] = product % 10
            carry = product / 10
        }
        if carry > 0 { digits.append(carry) }
    }

    private var mantissa: String { String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self) }

    /// The number, and the numbers just below and above it.
    var neighborhood: [String] {
        let shortened = String(decoding: digits.dropFirst().reversed().map { $0 + 0x30 }, as: UTF8.self)
        return [
            "\(mantissa)e\(exponent)", "\(mantissa)1e\(exponent - 1)", "\(mantissa).0000000000000000000001e\(exponent)",
            digits.count > 1 && digits[0] > 0 ? "\(shortened)\(digits[0] - 1)9e\(exponent - 1)" : "\(mantissa).0e\(exponent)",
        ]
    }
}
