import Testing

@testable import MartletJSON

@Suite("Double and Float from JSON numbers", .timeLimit(.minutes(5)))
struct JSONDoubleTests {
    /// Compares the bits with the standard library's result, which is correctly rounded. Infinity, and 0 for other numbers, count as nil.
    private func check(_ text: String, float: Bool = true) {
        let isZero = !text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
        let result = withExactMemory(text.utf8) { bytes in
            (
                double: JSONDouble.double(bytes.baseAddress!, bytes.count),
                float: float ? JSONDouble.float(bytes.baseAddress!, bytes.count) : nil
            )
        }
        let double = Double(text).flatMap { $0.isFinite && ($0 != 0 || isZero) ? $0 : nil }
        if result.double?.bitPattern != double?.bitPattern {
            Issue.record("\(text.prefix(60)): \(result.double as Any) instead of \(double as Any)")
        }
        guard float else { return }
        let single = Float(text).flatMap { $0.isFinite && ($0 != 0 || isZero) ? $0 : nil }
        if result.float?.bitPattern != single?.bitPattern {
            Issue.record("\(text.prefix(60)): \(result.float as Any) instead of \(single as Any)")
        }
    }

    private func digits(_ count: Int, _ random: inout SeededGenerator) -> String {
        (0..<count).map { _ in String(random.below(10)) }.joined()
    }

    @Test(
        "Known numbers are read exactly",
        arguments: [
            "0", "-0", "0.0", "-0.0", "0e5", "-0e-999999", "0.000e400", "1", "-1", "0.1", "0.2", "0.3", "1e22", "1e23", "1e-22", "1e-23",
            "8.5",
            "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740995", "9007199254740993.0",
            "9007199254740993.00000000000000000001", "18446744073709551615", "18446744073709551616", "9999999999999999999",
            "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "-1e309",
            "1e999999999999999999999",
            "2.2250738585072014e-308", "2.2250738585072011e-308", "5e-324", "4.9e-324", "2.5e-324", "2.4703282292062328e-324",
            "2.4703282292062327e-324", "1e-400", "-1e-400", "1e-999999999999999999999", "3.4028235e38", "3.4028236e38", "1e38", "1e39",
            "1.1754944e-38", "1e-45", "7e-46", "1e-46", "16777216", "16777217", "16777217e0", "16777219.0", "33554433", "1e10", "1e-10",
            "1e11",
            "1e55", "1e56", "1e-27", "1e-28", "9223372036854775807e-27", "1234567890123456789e36", "0.30000001192092896",
        ])
    func known(text: String) { check(text) }

    @Test("Shortest forms of random bit patterns are read exactly")
    func bitPatterns() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<12_000 {
            let value = Double(bitPattern: random.next())
            if value.isFinite { check("\(value)") }
            let single = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            if single.isFinite { check("\(single)") }
        }
    }

    @Test("Mantissas of 1 to 25 digits with exponents from -330 to 310 are read exactly")
    func mantissas() {
        var random = SeededGenerator(seed: 12)
        for round in 0..<16_000 {
            let count = 1 + random.below(25), point = random.below(count + 1)
            let all = digits(count, &random), whole = all.prefix(point), fraction = all.dropFirst(point)
            let lead = whole.first == "0" || whole.isEmpty ? "0" : String(whole)
            let exponent = round % 2 == 0 ? random.below(641) - 330 : random.below(84) - 28
            let mark = random.pick(["e", "E"]), sign = exponent >= 0 && random.below(2) == 0 ? "+" : ""
            let text = (random.below(4) == 0 ? "-" : "") + lead + (fraction.isEmpty ? "" : "." + fraction)
            check(random.below(4) == 0 ? text : text + mark + sign + "\(exponent)")
        }
    }

    @Test("Plain decimals, with and without zeros after the point, are read exactly")
    func decimals() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<8_000 {
            let zeros = String(repeating: "0", count: random.below(30))
            check("0." + zeros + digits(1 + random.below(20), &random))
            check("\(random.below(100_000)).\(digits(1 + random.below(8), &random))")
            check("1" + digits(random.below(20), &random) + "." + zeros)
        }
    }

    @Test("Numbers exactly between two values round to the even one, and their neighbours to the nearest")
    func halves() {
        var random = SeededGenerator(seed: 14)
        for _ in 0..<1_500 {
            let mantissa = (1 << 53 | random.next() >> 11) << 1 | 1
            for text in ExactDecimal(mantissa, twoPower: random.below(60) - 40).neighborhood { check(text) }
            let single = (1 << 24 | random.next() >> 40) << 1 | 1
            for text in ExactDecimal(single, twoPower: random.below(40) - 30).neighborhood { check(text) }
        }
        // The table of powers is used from 10⁻²⁷ to 10⁵⁵; halves of numbers with few digits are within 10⁻⁴ to 10²³.
        for power in -6...24 {
            for _ in 0..<60 { check("\(random.next() >> UInt64(random.below(20)))e\(power)", float: false) }
        }
    }

    @Test("Subnormal values and midpoints between them are read exactly")
    func subnormals() {
        var random = SeededGenerator(seed: 15)
        for round in 0..<400 {
            check("\(Double(bitPattern: random.next() >> 12))")
            check("\(Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 41)))")
            guard round % 20 == 0 else { continue }
            for text in ExactDecimal((random.next() >> 12) << 1 | 1, twoPower: -1_075).neighborhood { check(text, float: false) }
            for text in ExactDecimal((random.next() >> 41) << 1 | 1, twoPower: -150).neighborhood { check(text) }
        }
    }

    @Test("Numbers of a million digits are read exactly")
    func manyDigits() {
        let zeros = String(repeating: "0", count: 1_000_000)
        check("1\(zeros)")
        check("0.\(zeros)1")
        check("1.\(zeros)1")
        check("1\(zeros)e-1000000")
        check("0.\(zeros)1e1000001")
        check("9007199254740993.\(zeros)1")
    }
}
