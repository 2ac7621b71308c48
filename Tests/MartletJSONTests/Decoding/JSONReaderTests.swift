import Foundation
import Testing

@testable import MartletJSON

@Suite("Reading JSON in one pass", .timeLimit(.minutes(5)))
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
            #"{"n\u0061me":"a"}"#, #"{"name":"a",}"#,
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
        decoder.maxValues = 0
        #expect(read(Int.self, "1".utf8, decoder) == nil)
        decoder.maxValues = 3
        #expect(read([Int].self, "[1,2]".utf8, decoder) != nil)
        #expect(read([Int].self, "[1,2,3]".utf8, decoder) == nil)
        decoder = JSONBodyDecoder()
        decoder.maxDepth = .max
        #expect(read(Inner.self, "{\"name\":\"\",\"x\":\(String(repeating: "[", count: 100_000))".utf8, decoder) == nil)
    }

    @Test("Values and errors are those of a type that the compiler decodes, for valid and for changed documents", arguments: UInt64(1)...8)
    func equality(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed), readCount = 0
        let decoder = decoder, foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .iso8601
        for round in 0..<400 {
            var document = ReadSample.document(&random)
            for _ in 0..<round % 4 { document = document.mutated(&random) }
            let data = Data((round.isMultiple(of: 2) ? document.text : document.text(&random)).utf8)
            let read = DecodingOutcome { try decoder.decode(ReadSample.self, from: data) }
            let asked = DecodingOutcome {
                try data.withUnsafeBytes { try decoder.decodeIndexed(ReadSample.self, from: $0.bindMemory(to: UInt8.self)) }
            }
            let decoded = DecodingOutcome { ReadSample(try decoder.decode(DecodedSample.self, from: data)) }
            #expect(read == decoded && asked == decoded, "\(String(decoding: data, as: UTF8.self))")
            let other = DecodingOutcome { try foundation.decode(ReadSample.self, from: data) }
            let expected = DecodingOutcome { ReadSample(try foundation.decode(DecodedSample.self, from: data)) }
            #expect(other == expected, "\(String(decoding: data, as: UTF8.self))")
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

    @Test("Members can be read in any order, again, and after a part of the same object")
    func orders() throws {
        struct Twice: JSONReadable {
            let a: Int, sum: Int, again: Int, whole: ReadSample.Inner, hasB: Bool, hasX: Bool, last: String?

            init(json: inout JSONReader) throws {
                whole = try json.value()
                let c: Int = try json["c"]
                hasB = try json.contains("b")
                a = try json["a"]
                let b: Int = try json["b"]
                sum = b + c
                hasX = try json.contains("x")
                again = try json["a"]
                last = try json["name"]
            }
        }
        for text in [
            #"{"a":1,"b":2,"c":3,"name":"n"}"#, #"{"name":"n","c":3,"z":[{}],"b":2,"a":1}"#, #"{"c":3,"b":2,"name":"n","a":1,"b":7,"a":8}"#,
        ] {
            let twice = try #require(read([Twice].self, "[\(text),\(text)]".utf8), "\(text)").last
            #expect(twice?.sum == 5 && twice?.a == 1 && twice?.again == 1 && twice?.last == "n" && twice?.whole.name == "n")
            #expect(twice?.hasB == true && twice?.hasX == false)
        }
    }

    @Test("The same member, dictionaries and whole values are read as a decoder gives them, over bytes and from decoders")
    func wholeValues() throws {
        struct Stamp: JSONReadable, Equatable {
            let date: Date
            init(json: inout JSONReader) throws { date = try json.decode() }
        }
        struct Mixed: JSONReadable, Equatable {
            let all: [String: Int], first: Int, again: Int, rest: [String: Int], late: Int?
            init(json: inout JSONReader) throws {
                all = try [String: Int](json: &json)
                first = try json["a"]
                again = try json["a"]
                rest = try [String: Int](json: &json)
                late = try json["c"]
            }
        }
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        func both<Value: JSONReadable & Equatable>(_ text: String, _ type: Value.Type) throws -> Value {
            let data = Data(text.utf8), read = try decoder.decode(Value.self, from: data)
            let asked = try data.withUnsafeBytes { try decoder.decodeIndexed(Value.self, from: $0.bindMemory(to: UInt8.self)) }
            #expect(read == asked && self.read(Value.self, data, decoder) == read, "\(text)")
            return read
        }
        #expect(try both("[7]", [Stamp].self)[0].date == Date(timeIntervalSince1970: 7))
        let mixed = try both(#"{"a":1,"b":2,"a":3,"c":4}"#, Mixed.self)
        #expect(
            mixed.first == 1 && mixed.again == 1 && mixed.rest == ["a": 1, "b": 2, "c": 4] && mixed.all == mixed.rest && mixed.late == 4)
        #expect(read(Doubled.self, "nullnull".utf8) == nil)
    }

    private struct Doubled: JSONReadable {
        init(json: inout JSONReader) throws {
            _ = try Int?(json: &json)
            _ = try Int?(json: &json)
        }
    }

    @Test("Types have raw values of each type that is readable, over bytes and from decoders")
    func rawValues() throws {
        enum Small: UInt8, JSONReadable { case one = 1 }
        enum Large: Int, JSONReadable { case one = 1 }
        enum Ratio: Double, JSONReadable { case half = 0.5 }
        enum Word: String, JSONReadable { case word }
        struct Flags: OptionSet, JSONReadable { let rawValue: Int64 }
        struct Tag: RawRepresentable, JSONReadable, Equatable {
            let rawValue: String
            init(rawValue: String) { self.rawValue = rawValue }
            init(json: inout JSONReader) throws { rawValue = try json["tag"] }
        }
        func check<Value: JSONReadable & Equatable>(_ text: String, _ value: Value) throws {
            #expect(try JSONBodyDecoder().decode([Value].self, from: Data("[\(text)]".utf8)) == [value])
            #expect(try JSONDecoder().decode([Value].self, from: Data("[\(text)]".utf8)) == [value])
        }
        try check("1", Small.one)
        try check("1", Large.one)
        try check("0.5", Ratio.half)
        try check(#""word""#, Word.word)
        try check("3", Flags(rawValue: 3))
        try check(#"{"tag":"a"}"#, Tag(rawValue: "a"))
        #expect(throws: DecodingError.self) { try JSONBodyDecoder().decode([Small].self, from: Data("[2]".utf8)) }
    }

    @Test("A closure for dates sees the whole coding path")
    func customDates() throws {
        struct Event: JSONReadable {
            let start: Date
            init(json: inout JSONReader) throws { start = try json.decode("start") }
        }
        var decoder = JSONBodyDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            #expect(decoder.codingPath.map(\.stringValue) == ["Index 0", "start"])
            return .distantPast
        }
        #expect(try decoder.decode([Event].self, from: Data(#"[{"start":1}]"#.utf8))[0].start == .distantPast)
    }

    @Test("Parts of objects take no levels of the depth, and parts at many levels are decoded with an index")
    func parts() throws {
        struct Tree: JSONReadable {
            struct Leaves: JSONReadable {
                let children: [Tree]
                init(json: inout JSONReader) throws { children = try json["children"] }
            }
            let kind: String, name: String, leaves: Leaves

            init(json: inout JSONReader) throws {
                kind = try json["kind"]
                leaves = try json.value()
                name = try json["name"]
            }
        }
        func tree(_ levels: Int) -> String {
            (1..<levels).reduce(#"{"kind":"k","children":[],"name":"n"}"#) { text, _ in #"{"kind":"k","children":[\#(text)],"name":"n"}"# }
        }
        var decoder = JSONBodyDecoder()
        decoder.maxDepth = 40
        #expect(read(Tree.self, tree(20).utf8, decoder) != nil && read(Tree.self, tree(200).utf8) == nil)
        #expect(try JSONBodyDecoder().decode(Tree.self, from: Data(tree(200).utf8)).leaves.children.count == 1)
    }

    @Test("Of members with the same name, the first counts")
    func repeatedNames() {
        #expect(read(Inner.self, #"{"name":"a","name":"b"}"#.utf8)?.name == "a")
        #expect(read(Inner.self, #"{"name":"a","ratio":1,"ratio":null}"#.utf8)?.ratio == 1)
        #expect(read([String: Int].self, #"{"a":1,"b":2,"a":3}"#.utf8) == ["a": 1, "b": 2])
    }

    @Test("A type can try alternatives, and read nothing or too much")
    func alternatives() throws {
        enum Either: JSONReadable, Equatable {
            case number(Int), text(String), none

            init(json: inout JSONReader) throws {
                if let number = try? Int(json: &json) {
                    self = .number(number)
                } else if let text: String = try? json.value() {
                    self = .text(text)
                } else {
                    self = .none
                }
            }
        }
        struct Nothing: JSONReadable, Equatable { init(json: inout JSONReader) throws {} }
        struct Strict: JSONReadable {
            struct Odd: Error {}

            init(json: inout JSONReader) throws { if try json["a"] != 1 { throw Odd() } }
        }
        let decoder = JSONBodyDecoder()
        func decode<Value: JSONReadable>(_ text: String, _ type: Value.Type = Value.self) throws -> Value {
            try decoder.decode(Value.self, from: Data(text.utf8))
        }
        #expect(try decode(#"[1, "a", [{"x": 2}], null, 2]"#, [Either].self) == [.number(1), .text("a"), .none, .none, .number(2)])
        #expect(try decode(#"[1, {"a": [2]}]"#, [Nothing].self).count == 2)
        #expect(throws: Strict.Odd.self) { try decode(#"[{"a": 1}, {"a": 2}]"#, [Strict].self) }
        #expect(throws: DecodingError.self) { try decode("[1, {]", [Nothing].self) }
    }

    @Test("A name that needs an escape in JSON is never found in a document without it")
    func oddNames() throws {
        struct Odd: JSONReadable {
            let value: Int?, line: Int?, accent: Int?

            init(json: inout JSONReader) throws {
                value = try json["a\"b"]
                line = try json["\n"]
                accent = try json["é"]
            }
        }
        let decoder = JSONBodyDecoder()
        let odd = try decoder.decode(Odd.self, from: Data(#"{"é":3,"a\"b":1,"\n":2}"#.utf8))
        #expect(odd.value == 1 && odd.line == 2 && odd.accent == 3)
        #expect(read(Odd.self, #"{"a"b":1}"#.utf8) == nil && read(Odd.self, "{\"\n\":1}".utf8) == nil)
    }

    @Test("What takes long to read out of order is decoded with an index, in linear time")
    func disorder() throws {
        struct Chain: JSONReadable {
            let last: Int, next: [Chain]

            init(json: inout JSONReader) throws {
                last = try json["last"]
                next = try json["next"]
            }
        }
        var text = #"{"next":[],"last":0}"#
        for level in 1...100 { text = "{\"next\":[\(text)],\"last\":\(level)}" }
        #expect(read(Chain.self, text.utf8) == nil)
        #expect(try JSONBodyDecoder().decode(Chain.self, from: Data(text.utf8)).last == 100)
        let many = "{\((0..<2_000).map { "\"x\($0)\":0" }.joined(separator: ",")),\"name\":\"n\"}"
        #expect(read(Inner.self, many.utf8) == nil)
        #expect(try JSONBodyDecoder().decode(Inner.self, from: Data(many.utf8)).name == "n")
    }
}
