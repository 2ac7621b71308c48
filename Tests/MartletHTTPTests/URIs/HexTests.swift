import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct HexTests {
    @Test("Bytes become two lower-case digits each, and digits of either case become bytes")
    func roundTrip() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hex.text([0, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(Hex.bytes(Hex.text(bytes)) == bytes)
        #expect(Hex.bytes(Hex.text(bytes).uppercased()) == bytes)
        #expect(Hex.bytes("") == [])
    }

    @Test("An odd number of digits and other characters are refused", arguments: ["a", "abc", "0g", "a ", "é", "\u{FF11}\u{FF12}", "+1"])
    func malformed(_ text: String) { #expect(Hex.bytes(text) == nil) }
}
