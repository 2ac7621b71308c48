import MartletHTTP
import Testing

@Suite("MediaType", .timeLimit(.minutes(5)))
struct MediaTypeTests {
    @Test("Type, subtype and parameter names are read in lower case, values unchanged (RFC 9110 §8.3.1)")
    func reading() throws {
        let type = try #require(MediaType("Text/HTML; CharSet=UTF-8;Level=1"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type.parameters.map(\.name) == ["charset", "level"])
        #expect(type["CHARSET"] == "UTF-8")
        #expect(type["level"] == "1")
        #expect(type["q"] == nil)
    }

    @Test("White space around the separators does not count (RFC 9110 §5.6.6)")
    func whitespace() {
        #expect(MediaType(" text/plain \t; \t charset=utf-8 ;") == MediaType("text/plain;charset=utf-8"))
    }

    @Test(
        "A text without a valid type and subtype is not a media type",
        arguments: [
            "", ";", "text", "text/", "/plain", "text/plain/x", "te xt/plain", "text/pl ain", "text/plain, text/html", "text\r\n/plain",
            "tëxt/plain", "; charset=utf-8",
        ])
    func refusing(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test("A quoted value may contain separators and escaped quotes (RFC 9110 §5.6.4)")
    func quotedStrings() throws {
        let type = try #require(MediaType(#"a/b; x="1;2=3, \"four\" \\ five"; y=6"#))
        #expect(type["x"] == #"1;2=3, "four" \ five"#)
        #expect(type["y"] == "6")
        #expect(type.parameters.count == 2)
        #expect(MediaType(#"a/b; x="""#)?["x"] == "")
        #expect(MediaType(#"a/b; x="\\"; y=1"#)?["y"] == "1")
    }

    @Test(
        "A malformed parameter is ignored, and the others are kept",
        arguments: [
            "a/b; x; y=1", "a/b; =x; y=1", "a/b;; y=1", "a/b; x y=2; y=1", "a/b; ü=2; y=1", "a/b; y=1; x=\"open", "a/b; y=1; x=\"open\\\"",
            "a/b; x=\"a\"b; y=1",
        ])
    func malformedParameters(text: String) throws {
        let type = try #require(MediaType(text))
        #expect(type.parameters.map(\.name) == ["y"])
        #expect(type["y"] == "1")
    }

    @Test("A value that should be quoted is accepted")
    func unquotedValues() {
        #expect(MediaType("multipart/form-data; boundary=a/b=c")?["boundary"] == "a/b=c")
        #expect(MediaType("a/b; name=two words")?["name"] == "two words")
    }

    @Test("If a parameter occurs twice, the first one counts")
    func duplicates() {
        #expect(MediaType("a/b; x=1; X=2")?["x"] == "1")
    }

    @Test(
        "JSON is application/json, text/json, or any type that ends in +json (RFC 6839 §3.1)",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("text/json", true), ("application/problem+json", true),
            ("image/x+json", true), ("application/jsonp", false), ("application/x-json", false), ("video/json", false),
            ("application/json-seq", false), ("text/plain", false),
        ])
    func json(text: String, isJSON: Bool) {
        #expect(MediaType(text)?.isJSON == isJSON)
    }

    @Test("A value that is not a token is quoted, with quotes and backslashes escaped (RFC 9110 §5.6.4)")
    func writing() {
        let type = MediaType(type: "A", subtype: "B", parameters: ["X": "plain", "y": "two words", "z": #"q"\"#, "e": ""])
        #expect("\(type)" == #"a/b; x=plain; y="two words"; z="q\"\\"; e="""#)
        #expect(type.essence == "a/b")
    }

    @Test(
        "Any value that is written is read back",
        arguments: [
            "a", "", "two words", "\"", "\\", "\\\"", "a;b=c", "\"\u{301}; x=1", "\\\u{301}", "é☂", "a\"b\\c\"",
        ])
    func roundTrip(value: String) {
        let type = MediaType(type: "a", subtype: "b", parameters: ["p": value, "q": "1"])
        #expect(MediaType("\(type)") == type)
    }
}
