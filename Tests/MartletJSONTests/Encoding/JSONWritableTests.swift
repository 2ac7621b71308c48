import Foundation
import Testing

@testable import MartletJSON

@Suite("JSONWritable", .timeLimit(.minutes(5)))
struct JSONWritableTests {
    private struct Written: Encodable, JSONWritable {
        let write: (inout JSONOutput) throws -> Void

        init(_ write: @escaping (inout JSONOutput) throws -> Void) { self.write = write }

        func writeJSON(to output: inout JSONOutput) throws { try write(&output) }
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    private func text(_ value: some Encodable, _ outputFormatting: JSONBodyEncoder.OutputFormatting = []) throws -> String {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private let sample = Written { output in
        try output.beginObject()
        output.key("zB")
        try output.beginArray()
        output.string("a\"b")
        output.number("1.50")
        output.number(-3)
        try output.number(2.0)
        output.bool(true)
        output.null()
        try output.beginObject()
        output.endObject()
        output.endArray()
        output.key("aC")
        output.bool(false)
        output.endObject()
    }

    @Test("A value writes itself with keys as they are")
    func verbatim() throws {
        let expected = #"{"zB":["a\"b",1.50,-3,2,true,null,{}],"aC":false}"#
        #expect(try text(sample) == expected)
        #expect(try text(["kE": [sample, sample]]) == "{\"kE\":[\(expected),\(expected)]}")
        #expect(try text([Written { $0.string("x") }]) == #"["x"]"#)
    }

    @Test("Sorting and indentation apply to written values")
    func outputFormatting() throws {
        #expect(try text(sample, .sortedKeys) == #"{"aC":false,"zB":["a\"b",1.50,-3,2,true,null,{}]}"#)
        let pretty = try text([sample], [.sortedKeys, .prettyPrinted])
        #expect(pretty.hasPrefix("[\n  {\n    \"aC\": false,\n    \"zB\": [\n      \"a\\\"b\",\n      1.50,"))
        #expect(pretty.hasSuffix("      {}\n    ]\n  }\n]"))
    }

    @Test("A value that writes nothing, two values or an open object throws")
    func unbalanced() {
        let scripts: [@Sendable (inout JSONOutput) throws -> Void] = [
            { _ in }, { try $0.beginObject() },
            {
                $0.null()
                $0.null()
            },
            { output in
                output.endArray()
                output.key("a")
            },
        ]
        for script in scripts {
            #expect(throws: EncodingError.self) { try text([Written(script)]) }
            #expect(throws: EncodingError.self) { try text(Written(script)) }
        }
    }

    @Test("Errors have the coding path of the written value")
    func errors() throws {
        for value in [Written { try $0.number(.nan) }, Written { output in while true { try output.beginArray() } }] {
            let error = try #require(throws: EncodingError.self) { try text(["a": [value]]) }
            guard case .invalidValue(_, let context) = error else { throw error }
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
        }
    }

    @Test("An output can be used without an encoder")
    func standalone() throws {
        var output = JSONOutput(sortedKeys: true)
        try output.beginObject()
        for key in ["c", "a", "b", "a"] {
            output.key(key)
            output.string(String(repeating: key, count: 2000))
        }
        output.endObject()
        let parsed = try JSONSerialization.jsonObject(with: output.data) as? [String: String]
        #expect(parsed?.mapValues(\.count) == ["a": 2000, "b": 2000, "c": 2000])
        let data = output.data
        #expect(data.prefix(6) == Data("{\"a\":\"".utf8))
    }

    @Test("Strings with escapes at every position are written as Foundation writes them")
    func escapes() throws {
        let foundation = JSONEncoder()
        foundation.outputFormatting = .withoutEscapingSlashes
        for length in 0..<40 {
            for position in 0..<max(length, 1) {
                for special in ["\"", "\\", "\n", "\u{0}", "\u{1F}", "é", " ", "/"] where length > 0 {
                    var characters = Array(repeating: "x", count: length)
                    characters[position] = special
                    let value = characters.joined()
                    #expect(try JSONBodyEncoder().encode(value) == foundation.encode(value))
                }
            }
        }
        let hostile = String(repeating: "\u{1}", count: 5000)
        #expect(try JSONBodyEncoder().encode(hostile) == foundation.encode(hostile))
    }
}
