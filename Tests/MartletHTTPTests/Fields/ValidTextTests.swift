import Testing

@testable import MartletHTTP

@Suite("Valid UTF-8 text", .timeLimit(.minutes(5)))
struct ValidTextTests {
    @Test(
        "Valid bytes are the text, a replacement character and a byte order mark of their own included",
        arguments: [
            "", "plain", "é☂🐦", "\u{FFFD}", "\u{FEFF}a", "e\u{301}", "\0", "a\r\nb",
        ])
    func valid(text: String) throws {
        let read = try #require(String(validUTF8: Array(text.utf8)))
        #expect(read.utf8.elementsEqual(text.utf8))
    }

    @Test(
        "Bytes that are not valid are none",
        arguments: [
            [0xFF], [0xE9, 0x61], [0xC3], [0x61, 0xE2, 0x98], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        #expect(String(validUTF8: bytes) == nil)
    }
}
