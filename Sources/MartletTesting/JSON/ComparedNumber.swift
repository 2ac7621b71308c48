/// A number of JSON for comparing: with all of its digits, however it is written. 1, 1.0 and 10e-1 are the same number.
struct ComparedNumber: Sendable {
    /// As it is written.
    let text: String
    private let isNegative: Bool
    /// Without zeros at its ends: empty for zero.
    private let digits: Substring.UTF8View.SubSequence
    /// How often ten is to be multiplied with the digits.
    private let exponent: Int
    /// Of a number that had passed through a `Double`, and may have lost digits there.
    private let rounded: Double?

    init(_ text: String) { self.init(text, rounded: nil) }

    init(_ value: Int64) { self.init("\(value)", rounded: nil) }

    init(_ value: Double) {
        let text = "\(value)"
        self.init(text.hasSuffix(".0") ? String(text.dropLast(2)) : text, rounded: value)
    }

    private init(_ text: String, rounded: Double?) {
        self.text = text
        self.rounded = rounded
        var rest = text[...].utf8
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        // What no exponent has room for is as good as the largest.
        let sign = rest.dropFirst(mantissa.count + 1).first == UInt8(ascii: "-")
        let power =
            Int(String(rest.dropFirst(mantissa.count + 1)) ?? "") ?? (mantissa.count == rest.count ? 0 : sign ? Int.min / 4 : Int.max / 4)
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst().count
        let all = String(String(mantissa)?.filter { $0 != "." } ?? "")[...].utf8
        let significant = all.drop { $0 == UInt8(ascii: "0") }
        let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        digits = significant.dropLast(zeros)
        exponent = digits.isEmpty ? 0 : max(Int.min / 2, min(Int.max / 2, power)) - fraction + zeros
        self.isNegative = isNegative && !digits.isEmpty
    }

    /// The whole number, when it is one of 64 bits.
    private var whole: Int64? {
        guard exponent >= 0, exponent < 20 else { return nil }
        return Int64(
            (isNegative ? "-" : "") + (String(digits) ?? "") + String(repeating: "0", count: exponent) + (digits.isEmpty ? "0" : ""))
    }
}

extension ComparedNumber: Equatable {
    static func == (one: Self, other: Self) -> Bool {
        let isSame = one.isNegative == other.isNegative && one.exponent == other.exponent && one.digits.elementsEqual(other.digits)
        guard !isSame, let double = one.rounded ?? other.rounded else { return isSame }
        // A literal of Swift has no more digits than a Double has: what rounds to it is meant by it, but for another whole number.
        let exact = one.rounded == nil ? one : other
        return exact.rounded == nil && Double(exact.text) == double && (exact.whole == nil || Int64(exactly: double) == nil)
    }
}
