import Foundation
import Testing

@testable import MartletJSON

@Suite("Reading JSON in one pass", .timeLimit(.minutes(1)))
struct JSONReaderTests {
    private typealias Inner = ReadSample.Inner

    private var decoder: JSONBodyDecoder {
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// Reads a document in memory of exactly its size. Returns nil if the reader refuses it.
    private func read<Value: JSONReadable>(
        _ type: Value.Type, _ text: some Collection<UInt8>, _ decoder: JSONBodyDecoder = JSONBodyDecoder()
    ) -> Value? {
        withExactMemory(text) { JSONReader.value(type, $0, decoder) }
    }

    @Test("A type reads itself, with unknown members, white space, escapes and a byte order mark")
    func reading() {
        let text =
            "\u{FEFF} { \"x\" : [ { \"\\u0041\" : null } , \"\\n\" ] ,\"ratio\":1e-1,\n\t\"name\" : \"a\\u00e9\\uD83D\\uDE00 \u{E9}\" } \r\n"
        #expect(read(Inner.self, text.utf8) == Inner(name: "a\u{E9}\u{1F600} \u{E9}", ratio: 0.1))
        #expect(read([Int?].self, "[1, null , -2]".utf8) == [1, nil, -2])
        #expect(read([[String]].self, "[[],[\"a\",\"\"]]".utf8) == [[], ["a", ""]])
        #expect(read(Bool.self, " true".utf8) == true)
    }

    @Test(
        "What the reader can't read exactly is refused",
        arguments: [
            "", " ", "{", "[]", "1", "null", #"{"ratio":1}"#, #"{"name":1}"#, #"{"name":null}"#, #"{"name":"a","ratio":"1"}"#,
            #"{"name":"a","name":"b"}"#, #"{"name":"a","ratio":1,"ratio":null}"#, #"{"n\u0061me":"a"}"#, #"{"name":"a",}"#,
            #"{,"name":"a"}"#,
            #"{"name":"a" "ratio":1}"#, #"{"name" "a"}"#, #"{name:"a"}"#, #"{"name":"a"}}"#, #"{"name":"a"} 1"#, #"{"name":"a"]"#,
            #"{"name":"a","x":[1}}"#, #"{"name":"a","x":{"y":1]}"#, #"{"name":"a","x":tru}"#, #"{"name":"a","x":01}"#,
            #"{"name":"a","x":1.}"#,
            #"{"name":"a","x":+1}"#, #"{"name":"a","x":"\q"}"#, #"{"name":"a","x":"\uD800"}"#, "{\"name\":\"a\u{1}\"}",
            #"{"name":"a","x":[1,]}"#, #"{"name":"a","x":[,1]}"#, #"{"name":"a","x":{"y"}}"#, #"{"name":"a","x":nul"#,
            #"{"name":"a","x":-}"#,
        ])
    func refusals(text: String) {
        #expect(read(Inner.self, text.utf8) == nil)
    }

    @Test("Each beginning of a document, and each byte that is not UTF-8, is refused")
    func truncation() {
        let document = Array(#"{"name":"aé","x":[true,false,null,-1.5e3,{"y":"\u00e9"}],"ratio":0.5}"#.utf8)
        #expect(read(Inner.self, document) != nil)
        for count in 0..<document.count { #expect(read(Inner.self, document[..<count]) == nil, "\(count)") }
        for place in document.indices {
            var changed = document
            changed[place] = 0xFF
            #expect(read(Inner.self, changed) == nil, "\(place)")
        }
    }

    @Test("The decoder's limits are obeyed, and deep types do not exhaust the stack")
    func limits() {
        let nested = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        var decoder = JSONBodyDecoder()
        decoder.maxDepth = 20
        #expect(read([Int].self, "[1,2]".utf8, decoder) != nil)
        #expect(read(Inner.self, "{\"name\":\"\",\"x\":\(nested)}".utf8, decoder) == nil)
        decoder.maxDepth = 21
        #expect(read(Inner.self, "{\"name\":\"\",\"x\":\(nested)}".utf8, decoder) != nil)
        decoder.maxValues = 3
        #expect(read([Int].self, "[1,2]".utf8, decoder) != nil)
        #expect(read([Int].self, "[1,2,3]".utf8, decoder) == nil)
        decoder = JSONBodyDecoder()
        decoder.maxDepth = .max
        #expect(read(Inner.self, "{\"name\":\"\",\"x\":\(String(repeating: "[", count: 100_000))".utf8, decoder) == nil)
    }

    @Test("Values and errors are those of init(from:), for valid and for changed documents", arguments: UInt64(1)...8)
    func equality(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed), readCount = 0
        let decoder = decoder
        for round in 0..<400 {
            var document = ReadSample.document(&random)
            for _ in 0..<round % 4 { document = document.mutated(&random) }
            let data = Data((round.isMultiple(of: 2) ? document.text : document.text(&random)).utf8)
            let read = DecodingOutcome { try decoder.decode(ReadSample.self, from: data) }
            let decoded = DecodingOutcome {
                try data.withUnsafeBytes { try decoder.decodeIndexed(ReadSample.self, from: $0.bindMemory(to: UInt8.self)) }
            }
            #expect(read == decoded, "\(String(decoding: data, as: UTF8.self))")
            if self.read(ReadSample.self, data, decoder) != nil { readCount += 1 }
            if round.isMultiple(of: 4) { #expect(self.read(ReadSample.self, document.text.utf8, decoder) != nil, "\(document.text)") }
        }
        #expect(readCount > 100)
    }

    @Test("With converted keys, a type is decoded by init(from:)")
    func convertedKeys() throws {
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .custom { path in JSONCodingKey(name: path.last?.stringValue.lowercased() ?? "") }
        #expect(try decoder.decode(Inner.self, from: Data(#"{"NAME":"a"}"#.utf8)) == Inner(name: "a", ratio: nil))
    }

    @Test("A type that reads too little or too much is decoded by init(from:)")
    func carelessTypes() throws {
        struct Careless: Decodable, Equatable, JSONReadable {
            let a: Int

            init(a: Int) { self.a = a }

            init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
                try reader.beginObject()
                _ = try reader.nextMember()
                // Neither the value nor the end of the object.
                a = 7
            }
        }
        struct Greedy: Decodable, Equatable, JSONReadable {
            let a: Int

            init(json reader: inout JSONReader) throws(JSONReader.Refusal) {
                try reader.beginObject()
                while try reader.nextMember() { try reader.skip() }
                _ = try? reader.nextMember()
                _ = try? reader.nextElement()
                a = (try? reader.integer(Int.self)) ?? 7
            }
        }
        #expect(try JSONBodyDecoder().decode([Careless].self, from: Data(#"[{"a":1},{"a":2}]"#.utf8)).map(\.a) == [1, 2])
        #expect(try JSONBodyDecoder().decode(Careless.self, from: Data(#"{"a":1}"#.utf8)).a == 1)
        #expect(try JSONBodyDecoder().decode(Greedy.self, from: Data(#"{"a":1}"#.utf8)).a == 7)
    }
}
