import Foundation
import MartletClient
import Testing

@Suite("JSONValue", .timeLimit(.minutes(5)))
struct JSONValueTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

    private func write(_ value: JSONValue, _ encoder: any BodyEncoder = .json) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(
        "Every kind of JSON value is read (RFC 8259 §3)",
        arguments: [
            ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)), ("-7", .integer(-7)),
            ("2.5", .number(2.5)), ("-1.5e-3", .number(-0.0015)), (#""a\u00e9\n""#, .string("aé\n")), (#""""#, .string("")),
            ("[]", .array([])),
            ("{}", .object([:])), (#" [1, [null], {"a": {}}] "#, .array([.integer(1), .array([.null]), .object(["a": .object([:])])])),
        ])
    func reading(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
    }

    @Test("Numbers, Booleans and strings are not confused with one another")
    func kindsAreKeptApart() throws {
        #expect(try parse(#"[0, 1, true, false, "1", "true", "null"]"#) == [0, 1, true, false, "1", "true", "null"])
    }

    @Test("64-bit integers keep every digit", arguments: ["9223372036854775807", "-9223372036854775808", "9007199254740993"])
    func bigIntegers(text: String) throws {
        #expect(try parse(text) == .integer(try #require(Int64(text))))
        #expect(try write(parse(text)) == text)
    }

    @Test("A larger integer is rounded to the nearest Double")
    func largerThanInt64() throws {
        #expect(try parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try parse("9223372036854775808").intValue == nil)
    }

    @Test("Malformed JSON throws DecodingError", arguments: ["", " ", "{", "[,1]", "nul", "'a'", "{\"a\"}", "1 2", "NaN", "\u{FEFF}"])
    func refusing(text: String) {
        #expect(throws: DecodingError.self) { try parse(text) }
    }

    @Test("A number beyond Double and unlimited nesting throw and do not trap")
    func extremes() {
        #expect(throws: (any Error).self) { try parse("1e999") }
        #expect(throws: (any Error).self) { try parse(#"{"a": [{"b": 1e999}]}"#) }
        #expect(throws: (any Error).self) { try parse(String(repeating: "[", count: 100_000)) }
    }

    @Test(
        "Reading a document with too many values throws an error that names the limit",
        arguments: [("[1,2,3]", 4), (#"{"a":{"b":[null]}}"#, 4), ("7", 1), ("[]", 1), (#"[[],{},""]"#, 4)])
    func values(text: String, count: Int) throws {
        #expect(try JSONValue(parsing: Data(text.utf8), maxValues: count) == parse(text))
        let error = #expect(throws: DecodingError.self) { try JSONValue(parsing: Data(text.utf8), maxValues: count - 1) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((context.underlyingError as? JSONSyntaxError)?.kind == .tooManyValues(limit: count - 1))
        #expect(JSONValue.defaultMaxValues == 10_000_000)
    }

    @Test("Up to 512 nested brackets are read without delay, and more are refused", arguments: ["[", #"{"a":"#])
    func deep(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        let text = { (levels: Int) in String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels) }
        var (value, levels) = (try parse(text(512)), 0)
        while let inner = value[0] ?? value["a"] { (value, levels) = (inner, levels + 1) }
        #expect(levels == 512 && value == 1)
        #expect(throws: DecodingError.self) { try parse(text(513)) }
        // The decoder tries each type at each level, so it must refuse a depth that would take too long.
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text(128).utf8)) == parse(text(128)))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text(129).utf8)) }
    }

    @Test(
        "A number is an integer if its value is, in every notation",
        arguments: [
            ("1.0", JSONValue.integer(1)), ("1e3", .integer(1000)), ("-0", .integer(0)), ("1e18", .integer(1_000_000_000_000_000_000)),
            ("9007199254740993.00", .integer(9_007_199_254_740_993)), ("0e5", .integer(0)), ("9223372036854775808", .number(0x1p63)),
        ])
    func wholeNumbers(text: String, expected: JSONValue) throws {
        #expect(try parse(text) == expected)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == expected)
        #expect(try JSONBodyDecoder().decode(JSONValue.self, from: Data(text.utf8)) == expected)
    }

    @Test("The first value of a repeated name is used, as in JSONDecoder")
    func duplicateNames() throws {
        #expect(try parse(#"{"a": 1, "b": 2, "a": 3}"#) == ["a": 1, "b": 2])
    }

    @Test("A byte order mark is skipped, and invalid UTF-8 and unpaired surrogates are refused (RFC 8259 §8)")
    func encodings() throws {
        #expect(try parse("\u{FEFF}[1]") == [1])
        #expect(throws: DecodingError.self) { try parse(#""\ud800""#) }
        #expect(throws: DecodingError.self) { try JSONValue(parsing: Data([0x22, 0xFF, 0x22])) }
        #expect(throws: DecodingError.self) { try JSONValue(parsing: Data([0x5B, 0, 0x31, 0, 0x5D, 0])) }
    }

    @Test("Literals create the corresponding values")
    func literals() {
        let value: JSONValue = ["a": [1, 2.5, true, nil, "x"], "b": ["c": [:]]]
        #expect(value == .object(["a": .array([.integer(1), .number(2.5), .bool(true), .null, .string("x")]), "b": ["c": .object([:])]]))
        let name = "you"
        #expect(("hi \(name)" as JSONValue) == .string("hi you"))
    }

    @Test("The last value of a repeated key in a literal is used")
    func duplicateKeys() {
        #expect((["a": 1, "a": 2] as JSONValue) == ["a": 2])
    }

    @Test("Subscripts return members and elements, and nil for missing ones")
    func subscripts() throws {
        let value = try parse(#"{"items": [{"id": 7}], "none": null}"#)
        #expect(value["items"]?[0]?["id"]?.intValue == 7)
        #expect(value["items"]?[1] == nil)
        #expect(value["items"]?[-1] == nil)
        #expect(value["items"]?["id"] == nil)
        #expect(value["missing"] == nil)
        #expect(value["none"] == .some(.null))
        #expect(value[0] == nil)
    }

    @Test("Each accessor returns its own kind of value and nil for the others")
    func accessors() {
        #expect(JSONValue.string("x").stringValue == "x")
        #expect(JSONValue.integer(1).stringValue == nil)
        #expect(JSONValue.bool(true).boolValue == true)
        #expect(JSONValue.integer(1).boolValue == nil)
        #expect(JSONValue.integer(7).intValue == 7)
        #expect(JSONValue.number(7).intValue == 7)
        #expect(JSONValue.number(7.5).intValue == nil)
        #expect(JSONValue.number(1e300).intValue == nil)
        #expect(JSONValue.string("7").intValue == nil)
        #expect(JSONValue.integer(7).doubleValue == 7)
        #expect(JSONValue.number(7.5).doubleValue == 7.5)
        #expect(JSONValue.null.doubleValue == nil)
        #expect(JSONValue.array([1]).arrayValue == [1])
        #expect(JSONValue.object([:]).arrayValue == nil)
        #expect(JSONValue.object(["a": 1]).objectValue == ["a": 1])
        #expect(JSONValue.array([]).objectValue == nil)
    }

    @Test("Written JSON is read back equal, with sorted keys and unescaped slashes")
    func roundTrip() throws {
        let text = #"{"a/b":[1,-2.5,"ü\"\\/",true,null,{}],"z":{"y":[]}}"#
        #expect(try write(parse(text)) == text)
    }

    @Test("Keys are kept verbatim, regardless of the coders' key strategies")
    func verbatimKeys() throws {
        let value: JSONValue = ["fullName": ["innerKey": 1], "snake_key": 2]
        #expect(try write(value, .snakeCase) == #"{"fullName":{"innerKey":1},"snake_key":2}"#)
        let text = Data(#"{"full_name": {"inner_key": 1}}"#.utf8)
        #expect(try JSONBodyDecoder.snakeCase.decode(JSONValue.self, from: text) == ["full_name": ["inner_key": 1]])
    }

    @Test("A number that JSON can't write throws EncodingError", arguments: [Double.nan, .infinity, -.infinity])
    func unwritable(number: Double) {
        #expect(throws: EncodingError.self) { try write(.array([.number(number)])) }
    }

    @Test("A value of another type becomes the JSON that the encoder writes for it")
    func encodingValues() throws {
        struct Person: Encodable { let fullName: String, born: Date }
        let person = Person(fullName: "A", born: Date(timeIntervalSince1970: 0))
        #expect(try JSONValue(encoding: person) == ["fullName": "A", "born": "1970-01-01T00:00:00Z"])
        #expect(try JSONValue(encoding: person, with: .snakeCase) == ["full_name": "A", "born": "1970-01-01T00:00:00Z"])
    }
}
