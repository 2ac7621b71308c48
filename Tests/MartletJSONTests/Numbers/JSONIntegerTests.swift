import Testing

@testable import MartletJSON

@Suite("Integers from JSON numbers", .timeLimit(.minutes(5)))
struct JSONIntegerTests {
    private func value<Value: FixedWidthInteger>(_ type: Value.Type, _ text: String) -> Value? {
        withExactMemory(text.utf8) { bytes in
            let isPlain = !bytes.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
            return JSONInteger.value(type, bytes.baseAddress!, bytes.count, isPlain: isPlain)
        }
    }

    private func checkLimits<Value: FixedWidthInteger>(_ type: Value.Type) {
        for limit in [Value.min, Value.max] {
            for suffix in ["", ".0", "e0", ".000e0", "0e-1", "000.00e-3"] {
                #expect(value(type, "\(limit)\(suffix)") == limit)
            }
            #expect(value(type, "\(limit)\(limit == 0 ? "" : "0")e1") == (limit == 0 ? 0 : nil))
            #expect(value(type, "\(limit).5") == nil)
        }
        // The last digit of a limit is never 9.
        let above = "\(Value.max)".dropLast() + "\("\(Value.max)".last!.wholeNumberValue! + 1)"
        let below = Value.min == 0 ? "-1" : "\(Value.min)".dropLast() + "\("\(Value.min)".last!.wholeNumberValue! + 1)"
        for text in [String(above), String(below)] {
            for suffix in ["", ".0", "e0", "0e-1"] { #expect(value(type, text + suffix) == nil) }
        }
    }

    @Test("The limits of every width are accepted, and the next numbers are refused")
    func limits() {
        checkLimits(Int8.self)
        checkLimits(Int16.self)
        checkLimits(Int32.self)
        checkLimits(Int64.self)
        checkLimits(Int.self)
        checkLimits(UInt8.self)
        checkLimits(UInt16.self)
        checkLimits(UInt32.self)
        checkLimits(UInt64.self)
        checkLimits(UInt.self)
    }

    @Test("The limits of 128-bit integers are accepted, and the next numbers are refused")
    func wideLimits() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        checkLimits(Int128.self)
        checkLimits(UInt128.self)
        #expect(value(UInt128.self, "1e38") == 100_000_000_000_000_000_000_000_000_000_000_000_000)
        #expect(value(UInt128.self, "1e39") == nil)
    }

    @Test(
        "Whole numbers in any notation are integers",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.000", 0), ("0e99", 0), ("0e-99", 0), ("0.0e999999999999999999999", 0), ("1.0", 1),
            ("1e3", 1_000),
            ("1E+3", 1_000), ("100e-2", 1), ("-100.00e-2", -1), ("1.5e1", 15), ("0.001e3", 1), ("0.0123e4", 123), ("12.340e2", 1_234),
            ("1e18", 1_000_000_000_000_000_000), ("999999999999999999", 999_999_999_999_999_999),
            ("-99999999999999999", -99_999_999_999_999_999),
            ("9007199254740993.0", 9_007_199_254_740_993), ("10.00", 10), ("101.0", 101), ("1000000e-6", 1), ("0.1e1", 1),
        ])
    func forms(text: String, expected: Int) {
        #expect(value(Int.self, text) == expected)
    }

    @Test(
        "Numbers with a fraction or out of range are not integers",
        arguments: [
            "1.5", "-0.5", "0.1", "1e-1", "15e-1", "1.0000000000000000000000001", "3.0000000000000001", "1e19", "-1e19", "1e400", "1e-400",
            "9007199254740993.5", "1e999999999999999999999", "1e-999999999999999999999", "9223372036854775808", "-9223372036854775809",
            "0.99999999999999999999999999", "123.456e2",
        ])
    func notIntegers(text: String) {
        #expect(value(Int.self, text) == nil)
    }

    @Test("Random integers are read in every notation")
    func randomForms() {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<3_000 {
            let number = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)), shift = random.below(22)
            let zeros = String(repeating: "0", count: shift), sign = number < 0 ? "-" : "", digits = "\(number.magnitude)"
            let padded = String(repeating: "0", count: max(0, shift + 1 - digits.count)) + digits
            let texts = [
                "\(number)", "\(number)\(zeros)e-\(shift)", "\(number).\(zeros)", "\(number)\(zeros).0e-\(shift)",
                "\(sign)\(padded.dropLast(shift)).\(padded.suffix(shift))0e\(shift)",
            ]
            for text in texts where value(Int64.self, text) != number { Issue.record("\(text)") }
            for text in texts where value(Int16.self, text) != Int16(exactly: number) { Issue.record("\(text)") }
            for text in texts where value(UInt64.self, text) != UInt64(exactly: number) { Issue.record("\(text)") }
        }
    }

    @Test("Numbers of a million digits are read, or refused if they do not fit")
    func manyDigits() {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(value(Int.self, "1\(zeros)") == nil)
        #expect(value(Int.self, "1\(zeros)e-1000000") == 1)
        #expect(value(Int.self, "1.\(zeros)") == 1)
        #expect(value(Int.self, "1.\(zeros)1") == nil)
        #expect(value(Int.self, "0.\(zeros)1e1000001") == 1)
        #expect(value(Int.self, String(repeating: "9", count: 1_000_000)) == nil)
        #expect(value(UInt8.self, "0.\(zeros)") == 0)
    }
}
