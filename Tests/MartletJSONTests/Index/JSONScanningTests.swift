import Testing

@testable import MartletJSON

@Suite("JSON strings", .timeLimit(.minutes(5)))
struct JSONScanningTests {
    private func text(_ document: String) throws -> String {
        try withIndex(document) { $0.text($0.entries[0]) }
    }

    @Test(
        "Escapes are decoded (RFC 8259 §7)",
        arguments: [
            (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0041""#, "A"),
            (#""\u00e9\u00E9""#, "éé"), (#""\u20ac""#, "€"), (#""\ud83e\uDD86""#, "🦆"), (#""\u0000""#, "\u{0}"), (#""\uFFFF""#, "\u{FFFF}"),
            (#""a\u0062c""#, "abc"), (#""\\u0041""#, "\\u0041"), (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""\uD800\uDC00""#, "\u{10000}"), (#""é\n🦆\t日本""#, "é\n🦆\t日本"), (#""12345678\n12345678""#, "12345678\n12345678"),
        ])
    func escapes(document: String, expected: String) throws {
        #expect(try Array(text(document).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "Malformed escapes are refused at their position",
        arguments: [
            (#""\a""#, 1), (#""\'""#, 1), (#""\U0041""#, 1), (#""\ ""#, 1), (#""\x41""#, 1), (#""ab\0""#, 3), (#""\u004""#, 6),
            (#""\u00g0""#, 5),
            (#""\u 041""#, 3), (#""\u+041""#, 3), (#""\uD800""#, 1), (#""\uDC00""#, 1), (#""\uDFFFa""#, 1), (#""\uD800a""#, 1),
            (#""\uD800\n""#, 1), (#""\uD800\u0041""#, 1), (#""\uD800\uD800""#, 1), (#""ab\uDBFF\uE000""#, 3), (#""\uD800\u00""#, 11),
        ])
    func malformedEscapes(document: String, offset: Int) {
        let error = syntaxError(in: document.utf8)
        #expect(error?.kind == .malformed)
        #expect(error?.position.offset == offset)
    }

    @Test("Control characters must be escaped, and DEL and other ASCII characters need not be")
    func controlCharacters() {
        for byte in UInt8.min..<0x80 {
            for padding in 0..<10 {
                let bytes = [0x22] + Array(repeating: 0x61, count: padding) + [byte, 0x61, 0x22]
                switch byte {
                case 0..<0x20:
                    #expect(syntaxError(in: bytes)?.reason == "a string contains an unescaped control character")
                    #expect(syntaxError(in: bytes)?.position.offset == padding + 1)
                case 0x22, 0x5C: #expect(syntaxError(in: bytes) != nil)
                default: #expect(syntaxError(in: bytes) == nil)
                }
            }
        }
    }

    @Test("Strings are valid exactly if they are valid UTF-8 (RFC 3629)")
    func encoding() {
        var random = SeededGenerator(seed: 3)
        let interesting: [UInt8] = [
            0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
        ]
        func check(_ content: [UInt8]) {
            let isValid = String(validating: content, as: UTF8.self) != nil
            let error = syntaxError(in: [0x22] + content + [0x22])
            if (error == nil) != isValid { Issue.record("\(content): \(error as Any)") }
        }
        for one in interesting {
            for two in interesting {
                check([one, two])
                for three in interesting { check([one, two, three]) }
            }
        }
        for _ in 0..<6_000 { check((0..<4 + random.below(8)).map { _ in random.pick(interesting + [0x61]) }) }
    }

    @Test("Each kind of special byte is found at every position in strings around the length of a word")
    func places() throws {
        for length in 0..<40 {
            for place in 0..<max(length, 1) {
                for special in ["a", "é", "€", "🦆", "\\n", "\\\"", "\\u00e9"] {
                    let before = String(repeating: "x", count: place), after = String(repeating: "y", count: max(0, length - place - 1))
                    let expected = special == "\\n" ? "\n" : special == "\\\"" ? "\"" : special == "\\u00e9" ? "é" : special
                    if try text("\"\(before)\(special)\(after)\"") != before + expected + after {
                        Issue.record("length \(length), place \(place), \(special)")
                    }
                }
            }
        }
    }
}
