import Testing

@testable import MartletJSON

@Suite("ISO 8601 dates", .timeLimit(.minutes(5)))
struct ISO8601ReadingTests {
    private func seconds(_ text: String) -> Double? {
        withExactMemory(text.utf8) { bytes in bytes.baseAddress.flatMap { ISO8601Reading.seconds($0, bytes.count) } }
    }

    @Test(
        "Whole seconds, fractions and offsets are read (RFC 3339 §5.6)",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2001-01-01T00:00:00Z", 978_307_200), ("1969-12-31T23:59:59.75Z", -0.25),
            ("2024-02-29T12:30:45Z", 1_709_209_845), ("2024-02-29T12:30:45.5Z", 1_709_209_845.5),
            ("2024-02-29T12:30:45.000Z", 1_709_209_845),
            ("2024-02-29T12:30:45.123456789Z", 1_709_209_845.123456789), ("2024-02-29t12:30:45z", 1_709_209_845),
            ("2024-02-29T14:30:45+02:00", 1_709_209_845), ("2024-02-29T07:00:45-05:30", 1_709_209_845),
            ("2024-02-29T14:30:45+0200", 1_709_209_845),
            ("2024-02-29T14:30:45+02", 1_709_209_845), ("2024-02-29T12:30:45-00:00", 1_709_209_845),
            ("2024-02-29T14:30:45.25+02:00", 1_709_209_845.25),
            ("2024-03-01T12:29:45+23:59", 1_709_209_845), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("0000-03-01T00:00:00Z", -62_162_035_200), ("1900-02-28T00:00:00Z", -2_203_977_600),
        ])
    func valid(text: String, expected: Double) throws {
        #expect(abs(try #require(seconds(text)) - expected) < 0.000_001)
    }

    @Test("A fraction of any length is accepted")
    func longFraction() throws {
        let digits = String(repeating: "9", count: 100_000)
        #expect(try abs(#require(seconds("1970-01-01T00:00:00.\(digits)Z")) - 1) < 0.000_001)
        #expect(seconds("1970-01-01T00:00:00.\(String(repeating: "0", count: 400))1Z") == 0)
    }

    @Test(
        "A day or time that does not exist is refused",
        arguments: [
            "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z", "2024-13-01T00:00:00Z",
            "2024-00-10T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T23:60:00Z",
            "2024-01-01T23:59:61Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00-00:60", "2024-01-01T99:99:99Z",
        ])
    func impossible(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test(
        "Text before, after or instead of a date is refused",
        arguments: [
            "", "Z", "today", "2024", "2024-01-01", "2024-01-01T", "2024-01-01T00:00", "2024-01-01T00:00:00", "2024-01-01T00:00Z",
            "20240101T000000Z",
            "2024-01-01 00:00:00Z", " 2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z ", "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00.5", "2024-01-01T00:00:00.5.5Z", "2024-1-1T00:00:00Z", "24-01-01T00:00:00Z",
            "2024-01-01T00:00:00+", "2024-01-01T00:00:00+2", "2024-01-01T00:00:00+02:", "2024-01-01T00:00:00+02:0",
            "2024-01-01T00:00:00+02:00:00",
            "2024-01-01T00:00:00 +02:00", "+2024-01-01T00:00:00Z", "-024-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "2024-W01-1T00:00:00Z",
            "2024-01-01T00:00:00é", "２024-01-01T00:00:00Z", "2024/01/01T00:00:00Z", "2024-01-01T00:00:00\u{0}",
        ])
    func malformed(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test("A truncated date is refused, unless only its offset is shorter")
    func cut() {
        let text = "2024-01-01T00:00:00.5+02:00"
        for length in 0..<text.count where length != 24 { #expect(seconds(String(text.prefix(length))) == nil) }
        #expect(seconds(String(text.prefix(24))) == 1_704_060_000.5)
    }
}
