import Testing

@testable import MartletJSON

@Suite("JSON numbers", .timeLimit(.minutes(5)))
struct JSONNumberTests {
    @Test("Only JSON numbers are accepted, and keep their text", arguments: ["0", "-1.50", "1E+5", "123456789012345678901234567890"])
    func valid(text: String) {
        #expect(JSONNumber(text)?.description == text)
    }

    @Test("Any other text is refused", arguments: ["", " 1", "1 ", "01", "+1", ".5", "1.", "-", "1e", "0x1", "NaN", "true", "[1]", "１"])
    func invalid(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test(
        "Numbers with the same value are equal and have equal hashes",
        arguments: [("1.50", "15e-1"), ("0", "-0.00e7"), ("100", "1e2"), ("-0.001", "-1E-3")])
    func equal(one: String, other: String) throws {
        let one = try #require(JSONNumber(one)), other = try #require(JSONNumber(other))
        #expect(one == other && one.hashValue == other.hashValue)
    }

    @Test(
        "Different numbers with the same nearest Double are different",
        arguments: [("9007199254740993", "9007199254740992"), ("0.1", "0.1000000000000000055")])
    func different(one: String, other: String) throws {
        #expect(try #require(JSONNumber(one)) != #require(JSONNumber(other)))
    }

    @Test("A Double becomes its shortest text, without a fraction if it is whole")
    func doubles() {
        #expect(
            [1.0, -2.5, 1e19, 1e300, 0.1].map { JSONNumber($0).description } == ["1", "-2.5", "10000000000000000000", "1e+300", "0.1"])
        #expect(!JSONNumber(.infinity).isFinite && !JSONNumber(.nan).isFinite && JSONNumber(-1).isFinite)
    }

    @Test("An integer is returned without rounding if it fits")
    func integers() {
        #expect(JSONNumber("1e2")?.integer(as: Int8.self) == 100 && JSONNumber("1e3")?.integer(as: Int8.self) == nil)
        #expect(JSONNumber("1.5")?.integer(as: Int.self) == nil && JSONNumber("-7.0")?.integer(as: Int.self) == -7)
    }
}
