import Foundation
import Testing

@testable import MartletJSON

@Suite("The grammar of streamed documents", .timeLimit(.minutes(5)))
struct StreamedGrammarTests {
    static let validValues = [
        "0", "-0", "10", "-1.5", "0.25", "1e5", "1E+5", "1.5e-05", "0e0", "true", "false", "null", "\"\"", "\"a b\"", "[]", "{}", "[ ]",
        "{ }",
        "[[],{}]", "[1 , 2\t,\r\n3]", "{\"a\":1 , \"b\" : {\"a\":[]}}", "{\"a\":1,\"a\":2}", #""\"\\\/\b\f\n\r\t\u00e9\uABCD\uabcd""#,
        #""\ud83d\ude00""#, #""\uD83D\uDE00\uD83D\uDE00 \uE000\uD7FF""#, "\"é€😀\u{7F}\u{10FFFF}\u{FFFF}\u{E000}\u{D7FF}\"",
        "\"日本語日本語x日本語\"",
    ]

    @Test("Valid values are accepted, however they are split", arguments: validValues)
    func valid(value: String) {
        for chunks in splits(of: Data("{\"skipped\": \(value) , \"a\":[\(value)]}\n".utf8)) {
            let result = ScanResult(chunks, by: JSONElementScanner(keyPath: "a", maxElementBytes: 1000))
            #expect(result.error == nil)
            #expect(result.texts == [value])
        }
    }

    /// Malformed values, the reason and the offset of the failure in the value followed by `]`.
    static let invalidValues: [(String, JSONElementError.SyntaxReason, Int)] = [
        ("01", .leadingZero, 1), ("-01", .leadingZero, 2), ("-", .invalidNumber, 1), ("-a", .invalidNumber, 1), ("1.", .invalidNumber, 2),
        ("1.e", .invalidNumber, 2), ("1e", .invalidNumber, 2), ("1e+", .invalidNumber, 3), ("1E-x", .invalidNumber, 3),
        (".5", .valueExpected, 0),
        ("+1", .valueExpected, 0), ("1.5.5", .elementSeparatorExpected, 3), ("1x", .elementSeparatorExpected, 1),
        ("NaN", .valueExpected, 0),
        ("tru", .invalidLiteral, 3), ("truE", .invalidLiteral, 3), ("fals", .invalidLiteral, 4), ("nul", .invalidLiteral, 3),
        ("nulll", .elementSeparatorExpected, 4), ("", .valueExpected, 0), ("1,", .valueExpected, 2), (",1", .valueExpected, 0),
        ("1 2", .elementSeparatorExpected, 2), ("[1}", .elementSeparatorExpected, 2), ("{]", .nameExpected, 1), ("{1:2}", .nameExpected, 1),
        ("{\"a\"}", .colonExpected, 4), ("{\"a\" 1}", .colonExpected, 5), ("{\"a\":}", .valueExpected, 5), ("{\"a\":1,}", .nameExpected, 7),
        ("{\"a\":1]", .memberSeparatorExpected, 6), ("{\"a\":1 \"b\":2}", .memberSeparatorExpected, 7), ("'a'", .valueExpected, 0),
        ("\"a\nb\"", .controlCharacter, 2), ("\"long text\u{1F}\"", .controlCharacter, 10), (#""a\x""#, .invalidEscape, 2),
        (#""\u12g4""#, .invalidEscape, 1), (#""\u12""#, .invalidEscape, 1), (#""\U0041""#, .invalidEscape, 1),
        (#""\ude00""#, .unpairedSurrogate, 1), (#""a\ud83d""#, .unpairedSurrogate, 2), (#""\ud83d\n""#, .unpairedSurrogate, 1),
        (#""\ud83d\ud83d\ude00""#, .unpairedSurrogate, 1), (#""\ud83d\u0041""#, .unpairedSurrogate, 1), ("/* */1", .valueExpected, 0),
        ("\u{FEFF}1", .valueExpected, 0), ("\u{A0}1", .valueExpected, 0),
    ]

    @Test("Malformed values fail at the same byte, however they are split", arguments: invalidValues)
    func invalid(value: String, reason: JSONElementError.SyntaxReason, offset: Int) {
        // In the second document the value is skipped. An array around it keeps the same byte after the value.
        for (prefix, suffix) in [(" \n [true,", "]"), (" \n{\"b\":[1,", "],\"a\":[]}")] {
            let document = Data((prefix + value + suffix).utf8)
            let position = JSONPosition(offset: prefix.utf8.count + offset, line: 2, column: prefix.utf8.count - 2 + offset + 1)
            let path = suffix == "]" ? "" : "a"
            for chunks in splits(of: document) {
                let result = ScanResult(chunks, by: JSONElementScanner(keyPath: path, maxElementBytes: 1000))
                #expect(result.error == JSONElementError(.syntax(reason), at: position))
            }
        }
    }

    /// Malformed UTF-8 and the offset of the first byte that is not allowed.
    static let invalidSequences: [([UInt8], Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xC2], 1), ([0xC2, 0xC2], 1), ([0xE0, 0x9F, 0xBF], 1),
        ([0xED, 0xA0, 0x80], 1), ([0xE2, 0x82], 2), ([0xE2, 0x82, 0x41], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
        ([0xF5, 0x80, 0x80, 0x80], 0), ([0xF0, 0x9F, 0x98], 3), ([0xFF], 0), ([0xFE], 0),
    ]

    @Test("Malformed UTF-8 fails at the first byte that is not allowed, and columns count scalars", arguments: invalidSequences)
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let document = Data("[\"é😀".utf8) + Data(bytes) + Data("text\"]".utf8)
        let position = JSONPosition(offset: 8 + offset, line: 1, column: 5 + (offset == 0 ? 0 : 1))
        for chunks in splits(of: document) {
            let error = ScanResult(chunks, by: JSONElementScanner(maxElementBytes: 1000)).error
            #expect(error == JSONElementError(.syntax(.invalidUTF8), at: position))
        }
    }

    @Test("Nesting of more than one machine word is tracked")
    func deepNesting() {
        for depth in [1, 63, 64, 65, 127, 128, 129, 300] {
            let opening = (0..<depth).map { $0.isMultiple(of: 3) ? "{\"a\":" : "[" }.joined()
            let closing = (0..<depth).reversed().map { $0.isMultiple(of: 3) ? "}" : "]" }.joined()
            let result = ScanResult("[\(opening)1\(closing),2]", maxElementBytes: 10_000)
            #expect(result.error == nil)
            #expect(result.texts == [opening + "1" + closing, "2"])
            let wrong = "[\(opening)1\(closing.dropLast(1))\(closing.last == "}" ? "]" : "}")]"
            #expect(ScanResult(wrong, maxElementBytes: 10_000).error?.position.offset == wrong.utf8.count - 2)
        }
    }

    @Test("Nesting over the limit fails at the bracket")
    func tooDeep() {
        #expect(ScanResult("[[1]]", maxDepth: 2).error == nil)
        let expected = JSONElementError(.tooDeep(limit: 2), at: JSONPosition(offset: 3, line: 1, column: 4))
        #expect(ScanResult("[[ [1]]]", maxDepth: 2).error == expected)
        #expect(ScanResult("[[ {}]]", maxDepth: 2).error == expected)
        #expect(ScanResult("[]", maxDepth: -1).error?.kind == .tooDeep(limit: 0))
    }
}
