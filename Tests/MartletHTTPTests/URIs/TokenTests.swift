import Testing

@testable import MartletHTTP

@Suite("Token", .timeLimit(.minutes(5)))
struct TokenTests {
    @Test("A token has only letters, digits and fifteen symbols (RFC 9110 §5.6.2)")
    func tokenCharacters() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        #expect(allowed.count == 15 + 10 + 52)
        for byte in UInt8.min...UInt8.max { #expect(Token.contains(byte) == allowed.contains(byte), "byte \(byte)") }
    }

    @Test("A field value may have tabs and bytes above ASCII, but no other control characters (RFC 9110 §5.5)")
    func fieldContent() {
        for byte in UInt8.min...UInt8.max {
            let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
            #expect(Token.isFieldContent(byte) == !isControl, "byte \(byte)")
        }
    }

    @Test("Only the letters A to Z are converted to lower case")
    func lowercased() {
        for byte in UInt8.min...UInt8.max {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            #expect(Token.lowercased(byte) == (isUpper ? byte + 32 : byte), "byte \(byte)")
        }
    }

    @Test("White space around values is spaces and tabs, not line breaks (RFC 9110 §5.6.3)")
    func whitespace() {
        #expect((UInt8.min...UInt8.max).filter(Token.isWhitespace) == [0x09, 0x20])
    }

    @Test(
        "Names are compared without the case of ASCII letters only",
        arguments: [
            ("Content-Type", "content-TYPE", true), ("", "", true), ("a", "ab", false), ("É", "é", false), ("[", "{", false),
            ("@", "`", false), ("e\u{301}", "é", false),
        ])
    func comparing(left: String, right: String, expected: Bool) {
        #expect(left.equalsIgnoringCase(right) == expected)
        #expect(right.equalsIgnoringCase(left) == expected)
    }

    @Test(
        "Trimming removes spaces and tabs at the ends and keeps them within",
        arguments: [
            ("", ""), (" \t ", ""), (" a b\t", "a b"), ("a", "a"), ("\r\n a", "\r\n a"), ("\u{A0}a", "\u{A0}a"),
        ])
    func trimming(text: String, expected: String) {
        #expect(text.trimmingWhitespace == expected)
    }
}
