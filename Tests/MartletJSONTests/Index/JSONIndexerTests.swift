import Testing

@testable import MartletJSON

@Suite("JSON grammar (RFC 8259)", .timeLimit(.minutes(5)))
struct JSONIndexerTests {
    @Test(
        "Valid documents are accepted",
        arguments: [
            // Values.
            "null", "true", "false", "0", "\"\"", "[]", "{}", "\"text\"",
            // White space.
            " \t\r\n1 \t\r\n", "[ ]", "{ }", "[\n]", "{\t}", " [ 1 , 2 ] ", "{ \"a\" : 1 , \"b\" : 2 }", "\"\\u0020\" ",
            // Numbers.
            "-0", "-1", "10", "0.5", "-0.0", "1.25", "1e1", "1E1", "1e+1", "1e-1", "0e0", "0E-0", "1.5e007", "1e00",
            "123456789012345678901234567890", "0.000000000000000000000000000001", "-1234567890.0987654321e-12",
            // Structure.
            "[1]", "[[]]", "[{}]", "{\"a\":[]}", "{\"a\":{}}", "[1,2,3]", "[[1],[2]]", "{\"\":0}", "{\"a\":1,\"b\":2}", "[null,true,false]",
            "{\"a\":{\"b\":{\"c\":[[[{}]]]}}}", "[[],[],{},{}]",
        ])
    func accepted(text: String) {
        #expect(syntaxError(in: text.utf8) == nil)
    }

    @Test(
        "Malformed documents are refused",
        arguments: [
            // Values.
            "nul1", "nUll", "True", "TRUE", "fals3", "undefined", "NaN", "Infinity", "-Infinity", "'a'", "a", "?", "\u{0}", "\\", "/", "+",
            // Two values, or something after the value.
            "1 2", "true false", "nulls", "[]]", "{}}", "[] []", "1,", "1:", "\"a\"\"b\"", "{} 1", "[1],", "00", "01", "-01", "0x10", "0b1",
            "1a", "1.5.5", "1e5e5", "1e5.5", "--1", "1-", "1+1", "٣", "1_000", "1,000",
            // Numbers.
            "+1", ".5", "-.5", "1.e5", "1.a", "-a", "1ea", "1e+a", "1e 5", "- 1", "1 .5", "0.e1", "[1.]", "[-]", "[1e]", "[1e+]",
            // Arrays.
            "[,]", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[\"a\":1]", "[1}", "[}", "]", ",", "[]1",
            // Objects.
            "{,}", "{1:2}", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\",1}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1,,}", "{\"a\":1 \"b\":2}",
            "{\"a\" 1}", "{\"a\"::1}", "{:1}", "{\"a\":1]", "{]", "}", ":", "{null:1}", "{\"a\":1;\"b\":2}", "{[]:1}", "{{}:1}",
            // Comments and other white space.
            "// a\n1", "/* a */ 1", "1 // a", "# a\n1", "\u{A0}1", "\u{B}1", "\u{C}1", "1\u{85}", "\u{2028}1", "1\u{0}", "[1\u{0}]",
        ])
    func refused(text: String) {
        #expect(syntaxError(in: text.utf8)?.kind == .malformed)
    }

    @Test(
        "Documents that end too early are truncated",
        arguments: [
            "", " ", "\n\n", "n", "nul", "tru", "fals", "-", "1.", "1e", "1e+", "1e-", "-0.", "[", "[1", "[1,", "[[]", "{", "{\"", "{\"a",
            "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"", "\"a", "\"\\", "\"\\u", "\"\\u12", "\"\\u1234", "\"\\uD83D", "\"\\uD83D\\",
            "\"\\uD83D\\u", "\"\\uD83D\\uDE0", "[ ", "{ ", "[1 ", "\u{FEFF}",
        ])
    func truncated(text: String) {
        let error = syntaxError(in: text.utf8)
        #expect(error?.kind == .truncated)
        #expect(error?.position.offset == text.utf8.count)
    }

    @Test("Where RFC 8259 leaves a choice, a byte order mark, repeated names and numbers of any size are accepted")
    func acceptedByChoice() {
        #expect(syntaxError(in: [0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8)) == nil)
        #expect(syntaxError(in: "{\"a\":1,\"a\":2,\"a\":[]}".utf8) == nil)
        for number in ["1e400", "-1e999999999999", "1e-400", "0e999999999999999999999", String(repeating: "9", count: 5_000)] {
            #expect(syntaxError(in: number.utf8) == nil)
        }
    }

    @Test("Where RFC 8259 leaves a choice, a second byte order mark, UTF-16, UTF-32 and lone surrogates are refused")
    func refusedByChoice() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(syntaxError(in: mark + mark + Array("1".utf8))?.kind == .malformed)
        #expect(syntaxError(in: Array(" ".utf8) + mark + Array("1".utf8))?.kind == .malformed)
        #expect(syntaxError(in: Array("1".utf8) + mark)?.kind == .malformed)
        for bytes: [UInt8] in [
            [0xFE, 0xFF, 0x00, 0x31], [0xFF, 0xFE, 0x31, 0x00], [0x00, 0x5B, 0x00, 0x5D], [0x5B, 0x00, 0x5D, 0x00],
            [0x00, 0x00, 0x00, 0x31], [0x31, 0x00, 0x00, 0x00], [0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x31],
        ] {
            #expect(syntaxError(in: bytes)?.kind == .malformed)
        }
        #expect(syntaxError(in: "\"\\uD800\"".utf8)?.kind == .malformed)
    }

    @Test("Every single byte is a digit or an error")
    func singleBytes() {
        for byte in UInt8.min...UInt8.max {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            #expect((syntaxError(in: [byte]) == nil) == isDigit)
        }
    }

    @Test("Random bytes never trap, and their errors are inside the document")
    func randomBytes() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("[]{}:,\"\\u0aeE.+-19 truefalsenull\n".utf8) + [0x80, 0xC3, 0xE2, 0xF0, 0x00]
        for round in 0..<8_000 {
            let bytes = (0..<random.below(24)).map { _ in
                round % 2 == 0 ? random.pick(alphabet) : UInt8(truncatingIfNeeded: random.next())
            }
            if let error = syntaxError(in: bytes) { #expect((0...bytes.count).contains(error.position.offset)) }
        }
    }

    @Test("Mutated documents never trap, and their errors are inside the document")
    func mutatedDocuments() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<3_000 {
            var bytes = Array(SampleValue.random(&random, depth: 4).text(&random).utf8)
            for _ in 0...random.below(3) {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1 where bytes.count > 1: bytes.remove(at: place)
                default: bytes.insert(random.pick(Array("[]{}:,\"\\0".utf8)), at: place)
                }
            }
            if let error = syntaxError(in: bytes) { #expect((0...bytes.count).contains(error.position.offset)) }
        }
    }
}
