import Foundation
import Testing

@testable import MartletJSON

@Suite("Writing a JSONValue", .timeLimit(.minutes(5)))
struct JSONValueWritingTests {
    private func text(_ value: some Encodable, _ outputFormatting: JSONBodyEncoder.OutputFormatting = []) throws -> String {
        var encoder = JSONBodyEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func sample() throws -> JSONValue {
        let number = try #require(JSONNumber("1.50"))
        return ["zB": ["a\"b", .number(number), -3, 2.0, true, nil, [:]], "aC": false]
    }

    @Test("A value is written with unchanged keys")
    func verbatim() throws {
        let expected = #"{"zB":["a\"b",1.50,-3,2,true,null,{}],"aC":false}"#
        #expect(try text(sample()) == expected)
        #expect(try text(["kE": [sample(), sample()]]) == "{\"kE\":[\(expected),\(expected)]}")
        #expect(try text([JSONValue.string("x")]) == #"["x"]"#)
    }

    @Test("Sorting and indentation apply to written values")
    func outputFormatting() throws {
        #expect(try text(sample(), .sortedKeys) == #"{"aC":false,"zB":["a\"b",1.50,-3,2,true,null,{}]}"#)
        let pretty = try text([sample()], [.sortedKeys, .prettyPrinted])
        #expect(pretty.hasPrefix("[\n  {\n    \"aC\": false,\n    \"zB\": [\n      \"a\\\"b\",\n      1.50,"))
        #expect(pretty.hasSuffix("      {}\n    ]\n  }\n]"))
    }

    @Test("Errors have the coding path of the written value")
    func errors() throws {
        let deep = (0..<300).reduce(JSONValue.null) { value, _ in [value] }
        for value in [JSONValue.number(.nan), deep] {
            let error = try #require(throws: EncodingError.self) { try text(["a": [value]]) }
            guard case .invalidValue(_, let context) = error else { throw error }
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
        }
    }

    @Test("An output works without an encoder")
    func standalone() throws {
        var output = JSONOutput(options: JSONOutput.Options(isSorted: true))
        try output.beginObject()
        for key in ["c", "a", "b", "a"] {
            output.memberKey(key)
            output.string(String(repeating: key, count: 2000))
        }
        output.popFrame()
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
