import Foundation
import Testing

@testable import MartletJSON

@Suite("Elements of streamed JSON arrays", .timeLimit(.minutes(5)))
struct JSONElementScannerTests {
    static let samples: [(document: String, path: String, elements: [String])] = [
        ("[]", "", []), (" [ ] \n", "", []), ("\u{FEFF}[1]", "", ["1"]), ("[1,2.5e3 , -3\n]", "", ["1", "2.5e3", "-3"]),
        (#"[{"a":[1,{}]}, "x,]", [[]] ,null,true]"#, "", [#"{"a":[1,{}]}"#, #""x,]""#, "[[]]", "null", "true"]),
        (#"{"items":[1,2]}"#, "items", ["1", "2"]), (#"{"it\u0065ms":["é😀","\ud83d\ude00"]}"#, "items", [#""é😀""#, #""\ud83d\ude00""#]),
        (
            #"{"a":{"items":[9]},"data":{"x":[{"items":[8]}],"birds":{"items":[{"items":[7]}],"n":0}},"end":"\\\"]}"}"#,
            "data.birds.items", [#"{"items":[7]}"#]
        ),
        (#"{"items":[1],"items":[2],"items":{}}"#, "items", ["1"]), (#"{"":{"":[1]}}"#, ".", ["1"]),
        (
            "{\"s\":\"\\\\\",\"n\":-1.5e+3,\"t\":true,\"f\":false,\"z\":null,\"o\":{\"items\":[]},\"l\":[[1,[]]],\"items\":[\r\n0]}",
            "items", ["0"]
        ),
    ]

    @Test("Every split of a document yields the same elements", arguments: samples)
    func splits(document: String, path: String, elements: [String]) {
        let whole = ScanResult(document, path: path)
        #expect(whole.error == nil)
        #expect(whole.texts == elements)
        for chunks in MartletJSONTests.splits(of: Data(document.utf8)) {
            #expect(ScanResult(chunks, by: JSONElementScanner(keyPath: path, maxElementBytes: 1000)) == whole)
        }
    }

    @Test("A document truncated at any byte is reported as truncated at that byte", arguments: samples)
    func truncation(document: String, path: String, elements: [String]) {
        let bytes = Data(document.utf8)
        let end = Data(document.trimmingCharacters(in: .whitespacesAndNewlines).utf8).count
        for count in 0..<end {
            let error = ScanResult(bytes.prefix(count), path: path).error
            #expect(error?.kind == .truncated)
            #expect(error?.position.offset == count)
        }
    }

    @Test("Names with dots are passed as an array, and the empty name is valid")
    func names() {
        let document = Data(#"{"a.b":{"":[1]}}"#.utf8)
        let result = ScanResult([document], by: JSONElementScanner(path: ["a.b", ""], maxElementBytes: 10))
        #expect(result.texts == ["1"])
        #expect(result.error == nil)
    }

    @Test("Elements know their index and position")
    func positions() {
        let elements = ScanResult("\u{FEFF}{\"é\": 1,\n \"a\": [\"é😀\", 2,\r\n\t3]}", path: "a").elements
        #expect(elements.map(\.index) == [0, 1, 2])
        let expected = [(20, 2, 8), (30, 2, 14), (35, 3, 2)].map { JSONPosition(offset: $0.0, line: $0.1, column: $0.2) }
        #expect(elements.map(\.position) == expected)
    }

    static let failures: [(document: String, path: String, kind: JSONElementError.Kind, offset: Int, line: Int, column: Int)] = [
        ("", "", .truncated, 0, 1, 1), (" \n ", "", .truncated, 3, 2, 2), ("\u{FEFF}", "", .truncated, 3, 1, 1),
        ("{}", "", .notAnArray(path: [], found: .object), 0, 1, 1), ("\n 12", "", .notAnArray(path: [], found: .number), 2, 2, 2),
        ("[]", "a", .notAnObject(path: [], found: .array), 0, 1, 1), ("{}", "a", .pathMissing(["a"]), 1, 1, 2),
        ("{\"é\":[],\n\"b\":1}", "a", .pathMissing(["a"]), 15, 2, 6),
        ("{\"a\":{\"c\":[]},\"a\":{}}", "a.b", .pathMissing(["a", "b"]), 12, 1, 13),
        ("{\"é\":0,\"a\": null}", "a", .notAnArray(path: ["a"], found: .null), 13, 1, 13),
        ("{\"a\":\"x\"}", "a", .notAnArray(path: ["a"], found: .string), 5, 1, 6),
        ("{\"a\":true}", "a.b", .notAnObject(path: ["a"], found: .boolean), 5, 1, 6),
        ("{\"a\":1,\"a\":[]}", "a", .notAnArray(path: ["a"], found: .number), 5, 1, 6),
        ("[1] ]", "", .syntax(.trailingBytes), 4, 1, 5), ("{\"a\":[1]}\nx", "a", .syntax(.trailingBytes), 10, 2, 1),
        ("{\"a\":[1],\"b\":01}", "a", .syntax(.leadingZero), 14, 1, 15), ("[1,\n2 3]", "", .syntax(.elementSeparatorExpected), 6, 2, 3),
        ("[1,]", "", .syntax(.valueExpected), 3, 1, 4), ("\u{FEFF}\u{FEFF}[]", "", .syntax(.valueExpected), 3, 1, 1),
    ]

    @Test("Errors have an exact position, however the document is split", arguments: failures.indices)
    func failure(index: Int) {
        let sample = Self.failures[index]
        let position = JSONPosition(offset: sample.offset, line: sample.line, column: sample.column)
        for chunks in MartletJSONTests.splits(of: Data(sample.document.utf8)) {
            let error = ScanResult(chunks, by: JSONElementScanner(keyPath: sample.path, maxElementBytes: 1000)).error
            #expect(error == JSONElementError(sample.kind, at: position))
        }
    }

    @Test(
        "An incomplete byte order mark is not a value", arguments: [[0xEF, 0x5B], [0xEF, 0xBB, 0x5B], [0xEF, 0xBB, 0x80]] as [[UInt8]])
    func incompleteMark(bytes: [UInt8]) {
        let expected = JSONElementError(.syntax(.valueExpected), at: JSONPosition(offset: 0, line: 1, column: 1))
        for chunks in MartletJSONTests.splits(of: Data(bytes)) {
            #expect(ScanResult(chunks, by: JSONElementScanner(maxElementBytes: 10)).error == expected)
        }
    }

    @Test("Elements before an error are returned first, and the error is final")
    func finalError() throws {
        var scanner = JSONElementScanner(maxElementBytes: 10)
        scanner.append(Data("[1,2,x".utf8))
        #expect(try scanner.next()?.bytes == Data("1".utf8))
        #expect(try scanner.next()?.bytes == Data("2".utf8))
        let error = JSONElementError(.syntax(.valueExpected), at: JSONPosition(offset: 5, line: 1, column: 6))
        #expect(throws: error) { try scanner.next() }
        scanner.append(Data("]".utf8))
        #expect(scanner.bufferedBytes == 0)
        #expect(throws: error) { try scanner.next() }
        #expect(throws: error) { try scanner.finish() }
        #expect(!scanner.isFinished)
    }

    @Test("The scanner reports the end of the array and of the document")
    func end() throws {
        var scanner = JSONElementScanner(keyPath: "a", maxElementBytes: 10)
        scanner.append(Data("{\"a\":[1".utf8))
        #expect(try scanner.next() == nil)
        #expect(!scanner.hasArrayEnded)
        scanner.append(Data("]".utf8))
        #expect(try scanner.next()?.bytes == Data("1".utf8))
        #expect(try scanner.next() == nil)
        #expect(scanner.hasArrayEnded)
        #expect(!scanner.isFinished)
        scanner.append(Data("} ".utf8))
        #expect(try scanner.next() == nil)
        #expect(scanner.isFinished)
        try scanner.finish()
    }

    @Test("Chunks may accumulate before the elements are read, and may be slices")
    func accumulation() throws {
        var scanner = JSONElementScanner(maxElementBytes: 10)
        for text in ["--[12", "--3,4", "--,5]"] { scanner.append(Data(text.utf8).dropFirst(2)) }
        #expect(scanner.bufferedBytes == 9)
        #expect(try scanner.next()?.bytes == Data("123".utf8))
        #expect(try scanner.next()?.bytes == Data("4".utf8))
        #expect(try scanner.next()?.bytes == Data("5".utf8))
        try scanner.finish()
        #expect(scanner.bufferedBytes == 0)
    }

    @Test("Finishing drops elements that were not read")
    func finishEarly() throws {
        var scanner = JSONElementScanner(maxElementBytes: 10)
        scanner.append(Data("[1,2]".utf8))
        try scanner.finish()
        #expect(try scanner.next() == nil)
        #expect(scanner.isFinished)
    }
}

@Suite("Names on the path", .timeLimit(.minutes(5)))
struct StreamedNameTests {
    @Test(
        "Names are equal after their escapes are decoded",
        arguments: [
            ("birds", #""birds""#), ("birds", #""b\u0069rds""#), ("é", #""\u00e9""#), ("é", #""é""#), ("😀", #""\uD83D\uDe00""#),
            ("a\"\\/\u{8}\u{C}\n\r\t", #""a\"\\\/\b\f\n\r\t""#), ("", #""""#), ("\u{FFFD}", #""\uFFFD""#), ("a\0b", #""a\u0000b""#),
        ])
    func equal(name: String, string: String) {
        let name = StreamedName(name)
        #expect(name.matches(Data(string.utf8)))
        #expect(string.utf8.count <= name.maxStringBytes)
    }

    @Test(
        "Names that differ in a byte are not equal",
        arguments: [("birds", #""bird""#), ("birds", #""Birds""#), ("", #""a""#), ("e\u{301}", #""é""#), ("a", #""\u0062""#)])
    func different(name: String, string: String) {
        #expect(!StreamedName(name).matches(Data(string.utf8)))
    }
}

@Suite("Errors of streamed JSON elements", .timeLimit(.minutes(5)))
struct JSONElementErrorTests {
    static let descriptions: [(JSONElementError.Kind, String)] = [
        (.syntax(.colonExpected), "invalid JSON: expected a colon after the member name"),
        (.truncated, "truncated JSON: the document ends too early"),
        (.pathMissing(["data", "birds"]), "no member at \"data.birds\""),
        (.notAnArray(path: [], found: .null), "expected an array at the root, found null"),
        (.notAnObject(path: ["data"], found: .string), "expected an object at \"data\", found a string"),
        (.elementTooLarge(limit: 10), "element of more than 10 bytes"),
        (.tooDeep(limit: 512), "more than 512 nested arrays and objects"),
    ]

    @Test("An error is described by its kind and position", arguments: descriptions)
    func description(kind: JSONElementError.Kind, text: String) {
        let error = JSONElementError(kind, at: JSONPosition(offset: 41, line: 3, column: 7))
        #expect(error.description == text + " at line 3, column 7 (byte 41)")
    }
}
