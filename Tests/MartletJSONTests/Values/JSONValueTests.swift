import Foundation
import Testing

@testable import MartletJSON

@Suite("JSON values", .timeLimit(.minutes(5)))
struct JSONValueTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

    @Test(
        "The description is the document without white space: members in order, numbers with every digit",
        arguments: [
            #"{"z":1,"a":[true,false,null,{}],"m":{"y":"ü\"\\\n","b":[]}}"#, "[1.50,1E5,-0.0,123456789012345678901234567890,0.10]",
            #""a/b""#, "null", "12345678901234567890.5",
        ])
    func description(text: String) throws {
        let canonical = text.replacingOccurrences(of: "1E5", with: "100000")
        #expect(try parse(text).description == canonical)
        #expect(try parse("\(parse(text))") == parse(text))
    }

    @Test("Objects are equal in any order of their members, and have equal hashes")
    func equality() throws {
        let one = try parse(#"{"a":1,"b":[1,{"c":2.50}],"d":null}"#), other = try parse(#"{"d":null,"b":[1,{"c":25e-1}],"a":1.0}"#)
        #expect(one == other && Set([one, other]).count == 1)
        #expect(try parse(#"{"a":1}"#) != parse(#"{"a":1,"b":2}"#))
        #expect(try parse("[1,2]") != parse("[2,1]"))
        #expect(one == ["a": 1, "b": [1, ["c": 2.5]], "d": nil] as JSONValue)
    }

    @Test("Large arrays and objects are read by index and by name", arguments: [0, 1, 8, 9, 33, 5_000])
    func large(count: Int) throws {
        let members = (0..<count).map { "\"name\($0)\":\($0 % 3 == 0 ? "[\($0)]" : "\($0)")" }
        let object = try parse("{\(members.joined(separator: ","))}")
        #expect(object.objectValue?.count == count && object.objectValue?.keys == (0..<count).map { "name\($0)" })
        for number in 0..<count {
            #expect(object["name\(number)"] == (number % 3 == 0 ? [.integer(Int64(number))] : .integer(Int64(number))))
        }
        #expect(object["name\(count)"] == nil)
        let mixed = try parse("[\((0..<count).map { $0 % 2 == 0 ? "\($0)" : "{\"n\":\($0)}" }.joined(separator: ","))]")
        let plain = try parse("[\((0..<count).map(String.init).joined(separator: ","))]")
        for number in 0..<count {
            #expect(plain[number]?.intValue == number && (mixed[number]?.intValue ?? mixed[number]?["n"]?.intValue) == number)
        }
        #expect(mixed[count] == nil && plain.arrayValue?.reversed().map(\.intValue) == (0..<count).reversed().map { $0 })
    }

    @Test("The first member of a repeated name counts, with and without escapes, in small and large objects", arguments: [0, 40])
    func duplicates(others: Int) throws {
        let rest = (0..<others).map { ",\"m\($0)\":0" }.joined()
        let value = try parse(#"{"a":1,"\u0061":2,"b":3,"a":4"# + rest + "}")
        #expect(value["a"] == 1 && value["b"] == 3 && value.objectValue?.count == others + 2)
        #expect(value.objectValue?.keys.prefix(2) == ["a", "b"])
        #expect(value.objectValue?.dictionary.count == others + 2)
    }

    @Test("Changing a copy of a parsed value does not change the original")
    func mutation() throws {
        let value = try parse(#"{"list":[1,2,3],"name":"x"}"#)
        var members = try #require(value.objectValue), list = try #require(value["list"]?.arrayValue)
        list.append(4)
        list[0] = "first"
        list.remove(at: 1)
        members["list"] = .array(list)
        members["name"] = nil
        members["new"] = true
        #expect(JSONValue.object(members).description == #"{"list":["first",3,4],"new":true}"#)
        #expect(value.description == #"{"list":[1,2,3],"name":"x"}"#)
    }

    @Test("A value inside a typed document is decoded with its order and digits, and outlives the document")
    func decoding() throws {
        struct Event: Decodable {
            let id: Int, payload: JSONValue, tags: [JSONValue], extra: [String: JSONValue], missing: JSONValue?
        }
        var decoder = JSONBodyDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let text = #"{"id":1,"payload":{"z_z":1.10,"a":{"\u0062":[1]}},"tags":["x",{"k_k":2}],"extra":{"o_o":{"p":1e2}}}"#
        let event = try decoder.decode(Event.self, from: Data(text.utf8))
        #expect(event.payload.description == #"{"z_z":1.10,"a":{"b":[1]}}"# && event.missing == nil)
        #expect(event.tags == ["x", ["k_k": 2]] && event.extra == ["o_o": ["p": 100]])
        #expect(try decoder.decode(JSONValue.self, from: Data(text.utf8)).description.hasPrefix(#"{"id":1,"payload":{"z_z":1.10"#))
    }

    @Test("Numbers are equal by value, whole or not, and have equal hashes")
    func numbers() throws {
        #expect(try parse("[2, 2.0, 20e-1]") == [2.0, 2, 2])
        #expect(JSONValue.number(2.0).hashValue == JSONValue.integer(2).hashValue)
        #expect(JSONValue.number(2.5) != .integer(2) && JSONValue.integer(2) != .number(2.5))
        #expect(JSONNumber("1e99999999999999999999") != JSONNumber("1e9") && JSONNumber("01") == nil && JSONNumber("-") == nil)
        #expect(JSONNumber("12345678901234567890")?.integer(as: UInt64.self) == 12_345_678_901_234_567_890)
    }

    @Test("Names that are equivalent in Unicode but differ in bytes are separate members, parsed or built")
    func equivalentNames() throws {
        let parsed = try parse("{\"\u{e9}\":1,\"e\u{301}\":2}")
        var built = try #require(parsed.objectValue)
        built["x"] = 3
        #expect(built.count == 3 && built["\u{e9}"] == 1 && built["e\u{301}"] == 2)
        let one = JSONObject([(key: "\u{e9}", value: 1)]), other = JSONObject([(key: "e\u{301}", value: 1)])
        let same = try parse("{\"\u{e9}\":1}")
        #expect(one != other && same != .object(other) && JSONValue.object(other) != same && same == .object(one))
    }

    @Test("Arrays, objects and numbers are Codable on their own, also in hand-written conformances")
    func parts() throws {
        struct Parts: Codable, Equatable {
            let list: JSONArray, members: JSONObject, number: JSONNumber, whole: JSONNumber
        }
        struct ByHand: Decodable {
            let value: JSONValue
            init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }
        }
        let text = #"{"list":[1,"a"],"members":{"z":1.10,"a":2},"number":1.10,"whole":7}"#
        let parts = try JSONBodyDecoder().decode(Parts.self, from: Data(text.utf8))
        #expect(String(decoding: try JSONBodyEncoder().encode(parts), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Parts.self, from: JSONEncoder().encode(parts)) == parts)
        #expect(try JSONBodyDecoder().decode(ByHand.self, from: Data(text.utf8)).value.description == text)
        #expect(throws: DecodingError.self) { try JSONBodyDecoder().decode(JSONArray.self, from: Data("{}".utf8)) }
    }

    @Test("The decoder's limits apply to values too")
    func limits() {
        var decoder = JSONBodyDecoder()
        decoder.limits = JSONLimits(maxDepth: 2, maxValues: 4)
        #expect(throws: Never.self) { try decoder.decode(JSONValue.self, from: Data("[[1,2]]".utf8)) }
        #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: Data("[[1,2,3]]".utf8)) }
        #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: Data("[[[]]]".utf8)) }
    }

    @Test("A number too large for a Double is refused at its position")
    func largeNumber() {
        let error = #expect(throws: DecodingError.self) { try parse(#"{"a":[1,{"b":1e999}]}"#) }
        guard case .dataCorrupted(let context)? = error, let cause = context.underlyingError as? JSONSyntaxError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.path == "$.a[1].b" && cause.position.offset == 13)
    }

    @Test("A parsed value takes at most six bytes of memory per byte of a typical document, and sixteen of any document")
    func memory() throws {
        let birds = (0..<2_000).map { #"{"id":\#($0),"name":"Blackbird \#($0)","price":{"amount":12.5,"currency":"EUR"},"tags":["new"]}"# }
        for (text, factor) in [
            ("[\(birds.joined(separator: ","))]", 6), ("[\(Array(repeating: "[]", count: 50_000).joined(separator: ","))]", 16),
            ("[\(Array(repeating: "0", count: 100_000).joined(separator: ","))]", 16),
            ("[\((0..<20_000).map { _ in "[0,0,[],0,0,0,0,0,0]" }.joined(separator: ","))]", 16),
            ("{\((0..<50_000).map { "\"\(String($0, radix: 36))\":[]" }.joined(separator: ","))}", 16),
        ] {
            let document = try text.utf8.withContiguousStorageIfAvailable { try JSONDocument($0, limits: JSONLimits()) }
            let bytes = try #require(document).memory
            #expect(bytes <= text.utf8.count * factor, "\(Double(bytes) / Double(text.utf8.count)) for \(text.prefix(20))")
        }
    }
}
