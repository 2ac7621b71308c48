import Foundation
import Testing

@testable import MartletGraphQL

@Suite("JSONValue of a payload", .timeLimit(.minutes(5))) struct JSONValuePayloadTests {
    private func tree(_ json: String, limits: JSONLimits = .payload) throws -> JSONValue {
        try JSONValue(payload: Data(json.utf8), limits: limits)
    }

    @Test(
        "Numbers keep all their digits",
        arguments: [
            "18446744073709551615", "-9223372036854775808", "170141183460469231731687303715884105727", "0.10000000000000000000000000001",
            "1e400", "0.5", "-0", "-0.0", "12345678901234567890123456789012345678901234567890", "1E-7",
        ])
    func digits(number: String) throws {
        #expect(String(decoding: try tree("[\(number)]").json, as: UTF8.self) == "[\(number)]")
    }

    @Test("Strings are unescaped, and surrogate pairs are combined")
    func texts() throws {
        #expect(try tree(#""\"\\\/\b\f\n\r\té🎈\u0000""#) == .string("\"\\/\u{8}\u{C}\n\r\té🎈\0"))
        #expect(try tree("\u{FEFF} \"ü🎈\" ") == .string("ü🎈"))
    }

    @Test("Encoded values decode to the same values, also with other decoders")
    func roundTrip() throws {
        let text = #"{"a":[1,2.50,{"ü\n\u0001\"\\":null}],"b":{},"c":[],"d":[true,false],"e":"/"}"#
        let first = try tree(text)
        #expect(try JSONValue(payload: first.json) == first)
        #expect(try JSONValue(parsing: first.json) == JSONValue(parsing: Data(text.utf8)))
    }

    @Test(
        "Malformed JSON is an error with its position",
        arguments: [
            "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "-", "+1", "1e",
            "1e+",
            "nul", "tru", "True", "NaN", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"", "\"\\udc00\"", "\"\n\"",
            "1 2",
            "[1]]", "{\"a\":1}x", "'a'", "/* */1",
        ])
    func malformed(json: String) {
        #expect(throws: JSONSyntaxError.self) { try tree(json) }
    }

    @Test("Invalid UTF-8 is an error")
    func encoding() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(payload: Data([0x22, 0xFF, 0xFE, 0x22])) }
        #expect(error?.reason == "the bytes are not valid UTF-8" && error?.position.offset == 1)
    }

    @Test("Depth and number of values are limited exactly")
    func limits() throws {
        let limits = JSONLimits(maxDepth: 3, maxValues: 5)
        #expect(try tree("[[[1]]]", limits: limits).valueCount == 4)
        #expect(throws: JSONSyntaxError.self) { try tree("[[[[1]]]]", limits: limits) }
        #expect(try tree("[1,2,3,4]", limits: limits).valueCount == 5)
        #expect(throws: JSONSyntaxError.self) { try tree("[1,2,3,4,5]", limits: limits) }
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let error = #expect(throws: JSONSyntaxError.self) { try tree(deep) }
        #expect(error?.kind == .tooDeep(limit: 100) && error?.position.offset == 100)
        let objects = String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try tree(objects) }
    }

    @Test("The first of two members with the same name counts, and a missing member is nil")
    func members() throws {
        let object = try tree(#"{"a":1,"a":2,"t":"x","b":true,"l":[1],"f":1.5}"#)
        #expect(object["a"]?.intValue == 1 && object["t"]?.stringValue == "x" && object["b"] == true && object["l"] == [1])
        #expect(object["z"] == nil && object["t"]?.intValue == nil && object["f"]?.intValue == nil && object["a"]?["b"] == nil)
    }
}
