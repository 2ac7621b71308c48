import Foundation
import Testing

@testable import MartletClient

@Suite("Dictionaries of values of unknown types", .timeLimit(.minutes(5)))
struct MixedValueTests {
    private struct Owner: Encodable { var firstName = "Ada" }
    private struct Image {}
    private struct Failing: Encodable { func encode(to encoder: any Encoder) throws { throw HTTPError.timeout } }

    private func json(_ members: [String: Any], with encoder: any BodyEncoder = .json) throws -> String {
        String(decoding: try RequestBody.json(untyped: members).encoded(with: encoder).body.buffered ?? Data(), as: UTF8.self)
    }

    private func problem(_ body: () throws -> String) -> String {
        do { return "no error: \(try body())" } catch { return (error as? HTTPError)?.explanation?.text ?? "\(error)" }
    }

    @Test("Values of common types become JSON, a query and a form, with verbatim keys")
    func common() throws {
        let id = UUID()
        let members: [String: Any] = [
            "firstName": "Ada", "part": "abc".prefix(2), "n": 1, "big": UInt64.max, "small": Int8(-1), "f": 2.5, "single": Float(0.1),
            "price": Decimal(string: "0.10") ?? 0, "on": true, "id": id, "url": URL(string: "https://h/a") ?? URL(fileURLWithPath: "/"),
            "at": Date(timeIntervalSince1970: 0),
        ]
        #expect(
            try json(members, with: .snakeCase)
                == #"{"at":"1970-01-01T00:00:00Z","big":18446744073709551615,"f":2.5,"firstName":"Ada","id":"\#(id.uuidString)","n":1,"#
                + #""on":true,"part":"ab","price":0.1,"single":0.1,"small":-1,"url":"https://h/a"}"#)
        let text =
            "at=1970-01-01T00%3A00%3A00Z&big=18446744073709551615&f=2.5&firstName=Ada&id=\(id.uuidString)&n=1&on=true&part=ab&price=0.1"
        #expect(try Query(untyped: members).encoded() == text + "&single=0.1&small=-1&url=https%3A%2F%2Fh%2Fa")
        #expect(try Form(untyped: members).encoded() == text + "&single=0.1&small=-1&url=https%3A%2F%2Fh%2Fa")
    }

    @Test("Arrays and dictionaries are nested, and nil is null in JSON and left out of a query")
    func nested() throws {
        let none: Int? = nil, some: Int?? = 3
        let members: [String: Any] = [
            "user": ["name": "Ada", "tags": ["a", "b"], "none": none as Any] as [String: Any], "list": [1, "x", [true]] as [Any],
            "none": none as Any, "some": some as Any, "null": NSNull(),
        ]
        #expect(
            try json(members)
                == #"{"list":[1,"x",[true]],"none":null,"null":null,"some":3,"user":{"name":"Ada","none":null,"tags":["a","b"]}}"#)
        #expect(
            try Query(untyped: members, arrays: .commas).encoded()
                == "list=1%2Cx%2Ctrue&some=3&user%5Bname%5D=Ada&user%5Btags%5D=a%2Cb")
        #expect(try Query(untyped: [:]).encoded() == "" && json([:]) == "{}")
        let optional: [String: Int?] = ["a": 1, "b": nil]
        #expect(try Form(untyped: optional as [String: Any]).encoded() == "a=1")
    }

    @Test("The objects of Foundation are what they contain: 1 stays a number, and true a Boolean")
    func foundation() throws {
        let members: [String: Any] = [
            "true": NSNumber(value: true), "one": NSNumber(value: 1), "half": NSNumber(value: 0.5), "max": NSNumber(value: UInt64.max),
            "price": NSDecimalNumber(string: "1.234567890123456789"), "text": NSString(string: "t"), "list": NSArray(array: [1, "a"]),
            "map": NSDictionary(dictionary: ["a": 1]), "data": NSData(data: Data("d".utf8)),
        ]
        #expect(
            try json(members)
                == #"{"data":"ZA==","half":0.5,"list":[1,"a"],"map":{"a":1},"max":18446744073709551615,"one":1,"#
                + #""price":1.234567890123456789,"text":"t","true":true}"#)
        let text = #"{"a":true,"b":[1,2.5,null],"c":{"d":"e"}}"#
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(try json(parsed) == text)
    }

    @Test("Dates and data follow the client's encoder, and other Encodable values are encoded as they are")
    func encodables() throws {
        var encoder = JSONBodyEncoder.json
        encoder.dateEncodingStrategy = .secondsSince1970
        #expect(
            try json(["at": Date(timeIntervalSince1970: 7), "in": ["at": Date(timeIntervalSince1970: 8)]], with: encoder)
                == #"{"at":7,"in":{"at":8}}"#)
        #expect(
            try json(["owner": Owner(), "set": Set([1]), "byID": [1: "a"]]) == #"{"byID":{"1":"a"},"owner":{"firstName":"Ada"},"set":[1]}"#)
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        foundation.keyEncodingStrategy = .convertToSnakeCase
        #expect(try json(["firstName": "Ada", "list": [1]], with: foundation) == #"{"firstName":"Ada","list":[1]}"#)
    }

    @Test("A value that can't be encoded is an error that names its key and type")
    func unsupported() {
        let members: [String: Any] = ["name": "Ada", "user": ["avatars": [1, Image()] as [Any]]]
        #expect(problem { try json(members) } == "the body: user.avatars[1]: Image can't be encoded")
        #expect(problem { try Query(untyped: members).encoded() } == "the query: user.avatars[1]: Image can't be encoded")
        #expect(problem { try Form(untyped: members).encoded() } == "the form: user.avatars[1]: Image can't be encoded")
        #expect(problem { try json(members, with: JSONEncoder()) } == "the body: user.avatars[1]: Image can't be encoded")
        #expect(problem { try json(["user": ["score": Double.nan]]) }.contains("user.score"))
        #expect(problem { try json(["a": Failing()]) }.contains("a: Failing can't be encoded: Timed out"))
    }

    @Test("A value with too many levels is refused")
    func deep() {
        let deep = (0..<600).reduce(1 as Any) { value, _ in [value] }
        #expect(throws: HTTPError.encodingFailed) { try json(["a": deep]) }
    }
}
