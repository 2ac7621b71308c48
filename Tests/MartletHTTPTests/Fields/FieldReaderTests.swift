import Testing

@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct FieldReaderTests {
    @Test("A quoted string is read without its escapes, and the reader stands after it")
    func quotedString() {
        var reader = FieldReader(#""a \"b\" \\", c"#)
        let content = reader.quotedBytes(), hasComma = reader.skip(FieldReader.comma), rest = reader.text { _ in true }
        #expect(content == Array(#"a "b" \"#.utf8))
        #expect(hasComma && rest == "c" && reader.isAtEnd)
    }

    @Test("An open quote extends to the end of the field or is an ordinary character")
    func openQuote() {
        var whole = FieldReader(#"a "b, c"#)
        let all = whole.element { $0 == FieldReader.comma }
        #expect(all == #"a "b, c"#)
        #expect(whole.hasOpenQuote && whole.isAtEnd)

        var plain = FieldReader(#"a "b, "c", d"#, openQuote: .isCharacter)
        let closed = plain.element { $0 == FieldReader.comma }
        #expect(closed == #"a "b, "c""#)
        #expect(plain.hasOpenQuote && plain.next == FieldReader.comma)
        var open = FieldReader(#"a "b, c"#, openQuote: .isCharacter)
        let first = open.element { $0 == FieldReader.comma }, quoted = open.quotedBytes()
        #expect(first == #"a "b"#)
        #expect(open.hasOpenQuote && quoted == nil && !open.isAtEnd)
    }

    @Test("Separators in quoted strings do not separate")
    func lists() {
        #expect(#" a , "b,\",c" ,, d"#.listMembers == ["a", #""b,\",c""#, "", "d"])
        #expect("".listMembers == [""])
    }

    @Test("Malformed parameters are ignored without affecting others")
    func parameters() {
        var reader = FieldReader(#"; A=1;; =2; b; c="3" x; d = "4;\"" ;e f=5; g="#)
        let found = reader.parameters { $1.quoted { $0.token() } }
        #expect(found.map { $0.name + "=" + $0.value } == ["a=1", #"d=4;""#])
        #expect(reader.isAtEnd)
    }

    @Test("A value that is not a token is written as a quoted string", arguments: ["", "a b", #"a"b\c"#, "é\"\u{301}"])
    func writing(_ value: String) {
        var reader = FieldReader(value.asParameterValue)
        #expect(value.asParameterValue.hasPrefix("\""))
        let content = reader.quotedBytes()
        #expect(content == Array(value.utf8))
        #expect("a-b".asParameterValue == "a-b")
    }

    @Test("Many open quotes are read in linear time")
    func linear() {
        for quotes in ["\"", "\"a"] {
            var reader = FieldReader(String(repeating: quotes, count: 200_001), openQuote: .isCharacter)
            let hasContent = reader.skipElement { $0 == FieldReader.comma }
            #expect(hasContent && reader.isAtEnd && reader.hasOpenQuote)
        }
    }
}
