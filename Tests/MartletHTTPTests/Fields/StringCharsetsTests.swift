import Testing

@testable import MartletHTTP

@Suite("Text from bytes", .timeLimit(.minutes(5)))
struct StringCharsetsTests {
    @Test(
        "Valid UTF-8 is read, including replacement characters and byte order marks",
        arguments: [
            "", "plain", "é☂🐦", "\u{FFFD}", "\u{FEFF}a", "e\u{301}", "\0", "a\r\nb",
        ])
    func valid(text: String) throws {
        let read = try #require(String(validUTF8: Array(text.utf8)))
        #expect(read.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "Invalid UTF-8 returns nil",
        arguments: [
            [0xFF], [0xE9, 0x61], [0xC3], [0x61, 0xE2, 0x98], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        #expect(String(validUTF8: bytes) == nil)
    }

    @Test("Each byte is a character in Latin-1, and other characters have no bytes")
    func latin1() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(String(latin1: bytes).unicodeScalars.map(\.value) == (0...255).map { UInt32($0) })
        #expect(String(latin1: bytes).latin1Bytes == bytes)
        #expect("a\u{100}".latin1Bytes == nil)
    }
}
