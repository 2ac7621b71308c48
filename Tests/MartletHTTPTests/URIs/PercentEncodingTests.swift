import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct PercentEncodingTests {
    @Test("Only unreserved characters of a value are kept, and escapes have upper-case digits")
    func escaping() {
        #expect(PercentEncoding.escape("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.escape("a b/ü*%+") == "a%20b%2F%C3%BC%2A%25%2B")
        #expect(PercentEncoding.escape("a b/c") { $0 != UInt8(ascii: " ") } == "a%20b/c")
    }

    @Test("Form values follow the rules of WHATWG URL §5.2")
    func forms() {
        #expect(PercentEncoding.escapeForm("a b*~+&=ü\u{1}") == "a+b*%7E%2B%26%3D%C3%BC%01")
        #expect(PercentEncoding.unescapedForm("a+b%2Bc%20d%") == "a b+c d%")
        #expect(PercentEncoding.unescapedForm(PercentEncoding.escapeForm("‹redacted›")) == "‹redacted›")
    }

    @Test("Literals keep delimiters and escapes, and a percent sign without an escape is escaped")
    func literals() {
        #expect(PercentEncoding.escapeIllegal("/a?b=%20&c") == "/a?b=%20&c")
        #expect(PercentEncoding.escapeIllegal("/a b%2|%zz%") == "/a%20b%252%7C%25zz%25")
        #expect(PercentEncoding.escapeIllegal("%4") == "%254")
    }

    @Test(
        "Malformed escapes stay unchanged when decoding",
        arguments: [
            ("%41%6a", "Aj"), ("%", "%"), ("%4", "%4"), ("%4%41", "%4A"), ("%zz", "%zz"), ("%%41", "%A"), ("a+b", "a+b"), ("%C3%BC", "ü"),
            ("%FF", "\u{FFFD}"), ("", ""),
        ])
    func decoding(_ text: String, _ decoded: String) {
        #expect(PercentEncoding.unescapedText(text) == decoded)
        #expect(String(decoding: PercentEncoding.unescape("x\(text)".utf8.dropFirst().map { $0 }[...]), as: UTF8.self) == decoded)
    }
}
