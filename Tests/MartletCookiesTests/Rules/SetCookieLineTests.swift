import Testing

@testable import MartletCookies

@Suite("The parser of Set-Cookie (RFC 6265bis §5.6)", .timeLimit(.minutes(5)))
struct SetCookieLineTests {
    private func parse(_ line: String) throws(CookieRejection) -> SetCookieLine {
        try SetCookieLine(Array(line.utf8), limits: CookieJar.Limits())
    }

    @Test(
        "The name ends at the first equals sign, and white space around both parts is removed",
        arguments: [
            ("a=b", "a", "b"), (" a = b ", "a", "b"), ("a=b=c", "a", "b=c"), ("a=", "a", ""), ("=b", "", "b"), ("b", "", "b"),
            ("a=\"b c\"", "a", "\"b c\""), ("a=b;c=d", "a", "b"), ("a\t=\tb\t; Secure", "a", "b"), ("a=é", "a", "é"),
            ("a b=c d", "a b", "c d"),
            ("a=b,c=d", "a", "b,c=d"),
        ])
    func pairs(line: String, name: String, value: String) throws {
        let parsed = try parse(line)
        #expect(parsed.name == name && parsed.value == value)
    }

    @Test("A line without a name and a value is refused", arguments: ["", "=", " ; Secure", "; a=b", " = "])
    func empty(line: String) {
        #expect(throws: CookieRejection.empty) { try parse(line) }
    }

    @Test("A control character anywhere refuses the line, except the tab", arguments: [0x00, 0x01, 0x08, 0x0A, 0x0D, 0x1F, 0x7F])
    func control(byte: UInt8) {
        for line in ["a=b", "a=b; Path=/", "a=b; Unknown="] {
            #expect(throws: CookieRejection.controlCharacter) {
                try SetCookieLine(Array(line.utf8) + [byte] + Array("c".utf8), limits: CookieJar.Limits())
            }
        }
        #expect((try? parse("a=b\tc")) != nil)
    }

    @Test("The name and the value may have 4,096 bytes together")
    func size() throws {
        #expect(try parse("ab=" + String(repeating: "x", count: 4_094)).value.count == 4_094)
        #expect(throws: CookieRejection.tooLarge) { try parse("ab=" + String(repeating: "x", count: 4_095)) }
        #expect(throws: CookieRejection.tooLarge) { try parse(String(repeating: "é", count: 2_049)) }
    }

    @Test("Attributes are read without regard to case, the last one decides, and unknown ones are ignored")
    func attributes() throws {
        let line = try parse("a=b; DOMAIN=.Example.COM; path=/x; PATH = /y ; secure=no; HttpOnly; samesite=LAX; Priority=High; max-age=10")
        #expect(line.domain == "example.com" && line.path == "/y" && line.isSecure && line.isHTTPOnly)
        #expect(line.sameSite == .lax && line.maxAge == 10 && line.expires == nil)
        #expect(try parse("a=b; Domain=a.example; Domain").domain == "")
        #expect(try parse("a=b; Path=/x; Path=y").path == nil)
        #expect(try parse("a=b; Expires=1 Jan 1970 00:00:09; Expires=soon").expires == 9)
        #expect(try parse("a=b; SameSite=Strict; SameSite=New").sameSite == .unspecified)
    }

    @Test("An attribute value of more than 1,024 bytes is ignored")
    func longAttribute() throws {
        let path = "/" + String(repeating: "x", count: 1_023)
        #expect(try parse("a=b; Path=\(path)").path == path)
        #expect(try parse("a=b; Path=/kept; Path=\(path)y").path == "/kept")
    }

    @Test(
        "Max-Age is a number of seconds",
        arguments: [
            ("0", 0), ("-1", 0), ("-99999999999999999999", 0), ("1", 1), ("007", 7), ("99999999999999999999", Int.max), ("", nil),
            ("-", nil),
            ("1.5", nil), ("+1", nil), ("1 2", nil), ("x", nil),
        ] as [(String, Int?)])
    func maxAge(text: String, expected: Int?) throws {
        #expect(try parse("a=b; Max-Age=\(text)").maxAge == expected)
    }

    @Test("Only ASCII letters have a lower case: a Kelvin sign in a Domain is not a k")
    func kelvinSign() throws {
        #expect(try parse("a=b; Domain=BAN\u{212A}.example").domain == "ban\u{212A}.example")
        #expect(try parse("a=b; DOMAIN=Bank.Example; samesite=NONE").domain == "bank.example")
    }

    @Test("A semicolon with a combining mark still separates attributes")
    func combiningMark() throws {
        let line = try parse("a=b;\u{301}x; Secure")
        #expect(line.value == "b" && line.isSecure)
    }
}
