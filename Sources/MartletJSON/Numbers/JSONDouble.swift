/// Converts a valid JSON number to the nearest `Double` or `Float`.
///
/// Most numbers need one multiplication with a power of five. For all others, the standard library's parser is used. It is exact, but five
/// times as slow because it needs a `String`.
enum JSONDouble {
    /// Digits and a power of ten.
    struct Decimal {
        var mantissa: UInt64 = 0
        var exponent = 0
        var isNegative = false
        /// Whether the mantissa holds all digits.
        var isExact = true
    }

    /// Returns the nearest `Double`, or nil if the number is too large for one or would become 0 without being 0.
    @inline(__always)
    static func double(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
        let decimal = read(bytes, count)
        if decimal.isExact, let value = double(decimal) { return value }
        return slow(bytes, count)
    }

    /// Returns the nearest `Float`, or nil if the number is too large for one or would become 0 without being 0.
    static func float(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Float? {
        let decimal = read(bytes, count)
        // Up to 2²⁴ and 10¹⁰ both factors are exact.
        if decimal.isExact, decimal.mantissa <= 1 << 24, decimal.exponent >= -10, decimal.exponent <= 10 {
            let mantissa = Float(decimal.mantissa), power = Float(power(abs(decimal.exponent)))
            let value = decimal.exponent < 0 ? mantissa / power : mantissa * power
            return decimal.isNegative ? -value : value
        }
        return slow(bytes, count)
    }

    /// Reads the digits. Digits after the nineteenth are left out, and the result is then inexact.
    @inline(__always)
    static func read(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Decimal {
        var decimal = Decimal(), place = 0
        if bytes[0] == UInt8(ascii: "-") {
            decimal.isNegative = true
            place = 1
        }
        while place < count {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            decimal.mantissa = decimal.mantissa &* 10 &+ UInt64(digit)
            place &+= 1
        }
        var digits = decimal.isNegative ? place &- 1 : place
        if place < count, bytes[place] == UInt8(ascii: ".") {
            place &+= 1
            let start = place
            while place < count {
                let digit = bytes[place] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                decimal.mantissa = decimal.mantissa &* 10 &+ UInt64(digit)
                place &+= 1
            }
            decimal.exponent = start &- place
            digits &+= place &- start
        }
        // Nineteen digits never overflow 64 bits. Leading zeros count too, which only makes the result inexact.
        if digits > 19 { decimal.isExact = false }
        if place < count { readExponent(bytes, place &+ 1, count, &decimal) }
        return decimal
    }

    private static func readExponent(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int, _ decimal: inout Decimal) {
        var place = start, exponent = 0
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative || bytes[place] == UInt8(ascii: "+") { place += 1 }
        while place < count {
            // With a larger exponent the value is 0 or infinite.
            if exponent < 1_000_000 { exponent = exponent * 10 + Int(bytes[place] - UInt8(ascii: "0")) }
            place += 1
        }
        decimal.exponent += isNegative ? -exponent : exponent
    }

    @inline(__always)
    private static func double(_ decimal: Decimal) -> Double? {
        var value: Double
        if decimal.mantissa < 1 << 53, decimal.exponent >= -22, decimal.exponent <= 22 {
            // Both factors are exact, so one rounding gives the nearest value.
            value = Double(decimal.mantissa)
            if decimal.exponent < 0 {
                value /= power(0 &- decimal.exponent)
            } else if decimal.exponent > 0 {
                value *= power(decimal.exponent)
            }
        } else if PowersOfFive.exponents.contains(decimal.exponent) {
            value = product(decimal.mantissa, decimal.exponent)
        } else {
            return nil
        }
        return decimal.isNegative ? -value : value
    }

    /// Returns the nearest `Double` to a mantissa times a power of ten in the table (algorithm of Eisel and Lemire).
    private static func product(_ mantissa: UInt64, _ exponent: Int) -> Double {
        guard mantissa != 0 else { return 0 }
        let zeros = mantissa.leadingZeroBitCount, factor = mantissa << UInt64(zeros)
        let power = PowersOfFive.halves(exponent)
        var (high, low) = factor.multipliedFullWidth(by: power.high)
        if high & 0x1FF == 0x1FF {
            let (sum, carry) = low.addingReportingOverflow(factor.multipliedFullWidth(by: power.low).high)
            low = sum
            if carry { high &+= 1 }
        }
        let upper = Int(high >> 63), shift = UInt64(upper + 9)
        var digits = high >> shift
        // A value exactly between two doubles is rounded to the even one.
        if low <= 1, exponent >= -4, exponent <= 23, digits & 3 == 1, digits << shift == high { digits &= ~1 }
        digits = (digits &+ digits & 1) >> 1
        var binaryExponent = ((217_706 &* exponent) >> 16) + 63 + upper - zeros + 1_023
        if digits >= 1 << 53 {
            digits >>= 1
            binaryExponent += 1
        }
        return Double(bitPattern: digits & (1 << 52 - 1) | UInt64(binaryExponent) << 52)
    }

    @inline(never)
    private static func slow<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Value?
    {
        let value = Value(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        return value.flatMap { $0.isFinite && ($0 != 0 || isZero(bytes, count)) ? $0 : nil }
    }

    /// Whether all digits before the exponent are 0.
    private static func isZero(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var place = 0
        while place < count, bytes[place] | 0x20 != UInt8(ascii: "e") {
            if bytes[place] >= UInt8(ascii: "1"), bytes[place] <= UInt8(ascii: "9") { return false }
            place += 1
        }
        return true
    }

    /// 10⁰ to 10²², which are exact.
    @inline(__always)
    private static func power(_ exponent: Int) -> Double { powers[exponent] }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
