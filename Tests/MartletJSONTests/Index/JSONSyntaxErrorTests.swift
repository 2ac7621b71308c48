import Testing

@testable import MartletJSON

@Suite("JSON syntax errors", .timeLimit(.minutes(5)))
struct JSONSyntaxErrorTests {
    private struct Case: Sendable {
        let text: String
        let offset: Int
        let line: Int
        let column: Int
        let path: String
        let reason: String
    }

    private static let cases = [
        Case(text: "x", offset: 0, line: 1, column: 1, path: "$", reason: "a value was expected"),
        Case(text: "[1,\n 2,\n  x]", offset: 10, line: 3, column: 3, path: "$[2]", reason: "a value was expected"),
        Case(text: "{\"a\":nul1}", offset: 5, line: 1, column: 6, path: "$.a", reason: "the literal is not true, false or null"),
        Case(text: "[-]", offset: 2, line: 1, column: 3, path: "$[0]", reason: "a digit was expected"),
        Case(text: "{\"a\":[1,{\"b\":2.x}]}", offset: 15, line: 1, column: 16, path: "$.a[1].b", reason: "a digit was expected"),
        Case(
            text: "{\"é\":1,\n\"ü\":1 \"b\":2}", offset: 16, line: 2, column: 7, path: "$",
            reason: "a comma or the end of the object was expected"),
        Case(text: "[\"日本\" 2]", offset: 10, line: 1, column: 7, path: "$", reason: "a comma or the end of the array was expected"),
        Case(text: "{\"a\":{\"b\":1,}}", offset: 12, line: 1, column: 13, path: "$.a", reason: "a name in quotes was expected"),
        Case(text: "{1:2}", offset: 1, line: 1, column: 2, path: "$", reason: "a name in quotes was expected"),
        Case(text: "{\"a\" 1}", offset: 5, line: 1, column: 6, path: "$.a", reason: "a colon was expected"),
        Case(text: "[1,]", offset: 3, line: 1, column: 4, path: "$[1]", reason: "a value was expected"),
        Case(text: "[]\n\n x", offset: 5, line: 3, column: 2, path: "$", reason: "the document was expected to end"),
        Case(
            text: "{\"items\":[{},{},{},{\"id\":1,\"name\":\"a\nb\"}]}", offset: 36, line: 1, column: 37, path: "$.items[3].name",
            reason: "a string contains an unescaped control character"),
        Case(text: "{\"a\":\"\\q\"}", offset: 6, line: 1, column: 7, path: "$.a", reason: "the escape is unknown"),
        Case(text: "{\"a\":\"\\u12x4\"}", offset: 10, line: 1, column: 11, path: "$.a", reason: "four hexadecimal digits were expected"),
        Case(text: "[\"\\uDC00\"]", offset: 2, line: 1, column: 3, path: "$[0]", reason: "half of a surrogate pair is missing"),
        Case(text: "{\"a\\u0062\":[[],[x]]}", offset: 16, line: 1, column: 17, path: "$.ab[1][0]", reason: "a value was expected"),
        Case(text: "[[1,2],[3,4", offset: 11, line: 1, column: 12, path: "$[1][2]", reason: "the document ends too early"),
    ]

    @Test("Errors name the offset, line, column, path and reason", arguments: cases.indices)
    func position(place: Int) throws {
        let expected = JSONSyntaxErrorTests.cases[place], error = try #require(syntaxError(in: expected.text.utf8))
        #expect(error.position == JSONPosition(offset: expected.offset, line: expected.line, column: expected.column))
        #expect(error.path == expected.path)
        #expect(error.reason == expected.reason)
    }

    @Test("Invalid UTF-8 is found at its first byte, in values and names")
    func encoding() {
        let value = syntaxError(in: Array("{\"a\":\"é".utf8) + [0xFF] + Array("\"}".utf8))
        #expect(value?.position == JSONPosition(offset: 8, line: 1, column: 8))
        #expect(value?.path == "$.a")
        let name = syntaxError(in: Array("{\"b\":1,\"é".utf8) + [0xC3, 0x28] + Array("\":1}".utf8))
        #expect(name?.reason == "the bytes are not valid UTF-8")
        #expect(name?.position.offset == 10)
    }

    @Test("A byte order mark has an offset and no column")
    func mark() {
        let error = syntaxError(in: [0xEF, 0xBB, 0xBF] + Array("[x".utf8))
        #expect(error?.position == JSONPosition(offset: 4, line: 1, column: 2))
    }

    @Test("The description has the reason, the position and the path")
    func description() {
        #expect(syntaxError(in: "x".utf8)?.description == "a value was expected, at line 1, column 1 (byte 0)")
        #expect(syntaxError(in: "[x]".utf8)?.description == "a value was expected, at line 1, column 2 (byte 1), in $[0]")
    }

    @Test("A document truncated at any byte is reported as truncated at its end")
    func truncation() {
        let documents = [
            #"{"items":[{"id":1,"name":"Ada \u00e9 \ud83e\udd86"},{"id":-2.5e-3,"tags":["a",null,true,false]}],"next":{}}"#,
            "[[[[\"\"]]], {\"a\" : {\"b\" : [ ] }} ]", "\"text\\n\\\\\"", "{\"\":{\"\":[{\"\":null}]}}",
        ]
        for document in documents {
            let bytes = Array(document.utf8)
            for end in bytes.indices {
                let error = syntaxError(in: bytes[..<end])
                if error?.kind != .truncated || error?.position.offset != end { Issue.record("\(end): \(error as Any)") }
            }
        }
    }

    @Test("A document truncated inside a multibyte character is malformed at that character")
    func truncationInCharacter() {
        let bytes = Array("[\"aé€🦆\"]".utf8)
        for end in 0..<bytes.count {
            let error = syntaxError(in: bytes[..<end])
            let isInside = bytes[end] & 0xC0 == 0x80
            #expect(error?.kind == (isInside ? .malformed : .truncated))
        }
    }

    @Test("Names with unusual characters are quoted in a path, and long names are truncated")
    func quotedNames() {
        let names = ["plain_1", "two words", "line\nfeed", String(repeating: "x", count: 100)].map { JSONCodingKey(name: $0) }
        let text = JSONCodingKey.text(of: names + [JSONCodingKey(index: 2)])
        #expect(text == #"$.plain_1["two words"]["line\nfeed"]["\#(String(repeating: "x", count: 64))"][2]"#)
    }
}

@Suite("JSON positions", .timeLimit(.minutes(5)))
struct JSONPositionTests {
    @Test("A position is described by line, column and byte")
    func description() {
        #expect(JSONPosition(offset: 41, line: 3, column: 7).description == "line 3, column 7 (byte 41)")
    }
}
