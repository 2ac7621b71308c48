import Testing

@testable import MartletJSON

@Suite("Significant decimal digits", .timeLimit(.minutes(5)))
struct DecimalDigitsTests {
    @Test(
        "Zeros at both ends are removed, and the power of ten is kept",
        arguments: [
            ("0", "", 0), ("-0", "", 0), ("0.000", "", 0), ("0e7", "", 0), ("7", "7", 0), ("-7", "7", 0), ("700", "7", 2),
            ("0.007", "7", -3),
            ("7.0", "7", 0), ("70.0", "7", 1), ("10.01", "1001", -2), ("1001.0", "1001", 0), ("0.0120", "12", -3), ("1.2e3", "12", 2),
            ("1.2E-3", "12", -4), ("120e+3", "12", 4), ("-100.001e0", "100001", -3), ("12.5", "125", -1), ("0.5e1", "5", 0),
        ])
    func digits(text: String, digits: String, exponent: Int) {
        withExactMemory(text.utf8) { bytes in
            let number = DecimalDigits(bytes)
            #expect((0..<number.digitCount).map { "\(number.digit($0))" }.joined() == digits)
            #expect(number.isNegative == text.hasPrefix("-"))
            #expect(number.isZero == digits.isEmpty)
            if !number.isZero { #expect(number.exponent == exponent) }
        }
    }

    @Test("An exponent of any length is read without overflow")
    func longExponents() {
        let nines = String(repeating: "9", count: 1_000)
        withExactMemory("1e\(nines)".utf8) { #expect(DecimalDigits($0).exponent > 1 << 50) }
        withExactMemory("1e-\(nines)".utf8) { #expect(DecimalDigits($0).exponent < -(1 << 50)) }
        let zeros = String(repeating: "0", count: 1_000)
        withExactMemory("1e+\(zeros)5".utf8) { #expect(DecimalDigits($0).exponent == 5) }
    }
}
