import Foundation
import Martlet
import Testing

@testable import MartletTesting

@Suite("JSONReader: values with their positions", .timeLimit(.minutes(5)))
struct JSONReaderTests {
    private func failure(_ text: String, depth: Int = 200) throws -> String {
        let bytes = Array(text.utf8)
        let error = try #require(throws: JSONSyntaxError.self) { try JSONDocument(bytes, depth: depth) }
        let (line, column) = JSONDocument.position(of: error.offset, in: bytes)
        return "\(line):\(column) \(error.reason)"
    }

    private func value(_ node: JSONNode, _ document: JSONDocument) throws -> JSONValue {
        switch node.kind {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number: try JSONValue(parsing: Data(document.number(node).utf8))
        case .string: .string(document.text(node))
        case .array(let elements): .array(try elements.map { try value($0, document) })
        case .object(let members):
            .object(try Dictionary(members.map { ($0.name, try value($0.value, document)) }, uniquingKeysWith: { $1 }))
        }
    }

    @Test("What is wrong is told with its line and column (RFC 8259)")
    func positions() throws {
        #expect(try failure("{\n  \"a\": 1,\n  \"ü\": x\n}") == "3:8 “x” where a value was expected")
        #expect(try failure("{\"a\": [1, 2") == "1:12 the text ends where a comma or the end of the array was expected")
        #expect(try failure("{\"a\" 1}") == "1:6 “1” where a colon was expected")
        #expect(try failure("{\"a\": 1,}") == "1:9 “}” where the name of a member was expected")
        #expect(try failure("[1] 2") == "1:5 “2” where nothing more was expected")
        #expect(try failure("") == "1:1 the text ends where a value was expected")
        #expect(try failure("\u{FEFF}?") == "1:1 “?” where a value was expected")
        #expect(try failure("\"a\nb\"") == "1:3 a control character within a string")
        #expect(try failure(#""a\x""#) == "1:4 “x” where an escape of JSON was expected")
        #expect(try failure(#""\u12"#) == "1:6 the text ends where a hexadecimal digit was expected")
        #expect(try failure(#""abc"#) == "1:5 the text ends where the end of a string was expected")
        #expect(try failure("[01]") == "1:3 “1” where a comma or the end of the array was expected")
        #expect(try failure("[1.]") == "1:4 “]” where a digit was expected")
        #expect(try failure("[nul]") == "1:5 “]” where null was expected")
        #expect(try failure("[[[1]]]", depth: 2) == "1:3 nested deeper than 2 levels")
        #expect(throws: JSONSyntaxError.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
    }

    @Test("Nesting without end is an error and no overflow of the stack")
    func hostileDepth() throws {
        #expect(try failure(String(repeating: "[", count: 100_000)) == "1:201 nested deeper than 200 levels")
        #expect(try failure(String(repeating: #"{"a":"#, count: 100_000)).hasSuffix("nested deeper than 200 levels"))
    }

    @Test("Escapes are undone, pairs of surrogates joined, and half a pair becomes a replacement character")
    func strings() throws {
        let pairs = [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00fc\u20AC""#, "ü€"), (#""\ud83d\ude00!""#, "😀!"),
            (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\u0000""#, "\0"),
            ("\"ü\"", "ü"),
        ]
        for (text, expected) in pairs {
            let document = try JSONDocument(Array(text.utf8))
            #expect(document.text(document.root) == expected)
        }
    }

    @Test("It reads what Foundation's decoder reads, of documents cut, changed and mixed at random")
    func againstFoundation() throws {
        let seed = #"{"a":[1,-2.5e3,0,true,false,null,"x\n\u00fcé\\"],"b":{"c":{},"d":[]},"e":"","f":[[[]]],"g":12345678}"#
        var generator = SeededGenerator(seed: 7)
        // Foundation lets a comma pass that nothing follows.
        let danglingComma = /,\s*[\]}]/
        var valid = 0
        for round in 0..<4000 {
            var bytes = Array(seed.utf8)
            for _ in 0..<(round % 4) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(Array(#"{}[]",:\0 1e-"#.utf8).randomElement(using: &generator) ?? 0, at: place)
                case 2: bytes.removeSubrange(place...)
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            guard let document = try? JSONDocument(bytes) else {
                let text = String(decoding: bytes, as: UTF8.self)
                let isRefused = (try? JSONValue(parsing: Data(bytes))) == nil || text.contains(danglingComma)
                #expect(isRefused, "\(text)")
                continue
            }
            valid += 1
            let expected = try? JSONValue(parsing: Data(bytes))
            // Of members with one name, Foundation's own choice is another one.
            // A Bool: what #expect takes apart, thousands of times, costs more than the reading.
            let isSame = try expected == nil || value(document.root, document) == expected
            #expect(isSame, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(valid > 1000)
    }

    @Test("What is written is read again, whatever the characters")
    func output() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0..<[0x80, 0x900, 0x11_0000].randomElement(using: &generator)!, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let written = JSONOutput.object([("a", .string(text)), ("b", .array([.integer(-1), .number(1.23456), .number(2)]))]).text()
            let read = try JSONValue(parsing: Data(written.utf8))
            #expect(read["a"]?.stringValue?.unicodeScalars.elementsEqual(scalars) == true)
            #expect(read["b"] == [-1, 1.235, 2])
            let document = try JSONDocument(Array(written.utf8))
            #expect(try value(document.root, document)["a"]?.stringValue?.unicodeScalars.elementsEqual(scalars) == true)
        }
    }
}
