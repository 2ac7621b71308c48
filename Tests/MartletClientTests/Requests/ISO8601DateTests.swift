import Foundation
import MartletClient
import Testing

@Suite("ISO 8601 dates in JSON", .timeLimit(.minutes(5)))
struct ISO8601DateTests {
    private func decode(_ text: String) throws -> Double {
        let decoder: some BodyDecoder = .json
        return try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8))[0].timeIntervalSince1970
    }

    @Test(
        "Whole seconds, all fractions and all offsets are read (RFC 3339 §5.6)",
        arguments: [
            ("1994-11-06T08:49:37Z", 784_111_777.0), ("1994-11-06T08:49:37.5Z", 784_111_777.5),
            ("1994-11-06T08:49:37.123456789Z", 784_111_777.123456789),
            ("1994-11-06T08:49:37.0Z", 784_111_777), ("1994-11-06T10:49:37+02:00", 784_111_777),
            ("1994-11-06T03:19:37.25-05:30", 784_111_777.25),
            ("1994-11-06T10:49:37+0200", 784_111_777), ("1994-11-06T10:49:37+02", 784_111_777), ("1994-11-06T08:49:37-00:00", 784_111_777),
            ("1994-11-06t08:49:37z", 784_111_777),
            ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.75Z", -0.25), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ])
    func reading(text: String, seconds: Double) throws {
        #expect(abs(try decode(text) - seconds) < 0.000_001)
    }

    @Test(
        "A day or time that does not exist is refused",
        arguments: [
            "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
            "2024-01-01T24:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00+00:60",
        ])
    func impossible(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    @Test(
        "Text before or after a date, and every other format, is refused",
        arguments: [
            "", "soon", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01T00:00Z", "2024-01-01T00:00:00Zfoo", "2024-01-01T00:00:00ZZ",
            " 2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z ", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.5", "2024-01-01T00:00:00,5Z",
            "24-01-01T00:00:00Z", "2024-1-01T00:00:00Z", "2024-01-01T00:00:00+2", "2024-01-01T00:00:00+02:0",
            "20240101T000000Z", "+2024-01-01T00:00:00Z", "-024-01-01T00:00:00Z", "2024-01-01T00:00:00.5.5Z", "２024-01-01T00:00:00Z",
        ])
    func garbage(text: String) {
        #expect(throws: DecodingError.self) { try decode(text) }
    }

    @Test("The error names the coding path and quotes the text, shortened if it is long")
    func error() throws {
        let long = String(repeating: "x", count: 500)
        let error = try #require(throws: DecodingError.self) { try decode(long) }
        guard case .dataCorrupted(let context) = error else { throw error }
        #expect(context.codingPath.first?.intValue == 0)
        #expect(context.debugDescription.contains("ISO 8601"))
        #expect(context.debugDescription.count < 100)
    }

    @Test("A number is not a date")
    func number() {
        let decoder: some BodyDecoder = .json
        #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[784111777]".utf8)) }
    }
}
