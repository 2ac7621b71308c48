import EndpointGenerator
import Testing

@Suite("Types", .timeLimit(.minutes(5)))
struct TypeBuilderTests {
    @Test("Repeated words become an open enum, and other strings do not")
    func enums() throws {
        let found = try lines(#"{"a":[{"s":"on"},{"s":"off"},{"s":"on"},{"s":"off"}]}"#)
        #expect(found.contains("let s: OpenEnum<S>") && found.contains("enum S: String, Codable, Sendable {") && found.contains("case off"))
        // Each value is different, all are equal, or they are sentences.
        #expect(try lines(#"{"a":[{"s":"on"},{"s":"off"}]}"#).contains("let s: String"))
        #expect(try lines(#"{"a":[{"s":"on"},{"s":"on"}]}"#).contains("let s: String"))
        #expect(try lines(#"{"a":[{"s":"A b"},{"s":"B c"},{"s":"A b"},{"s":"B c"}]}"#).contains("let s: String"))
    }

    @Test("--enum makes any strings an enum, and --no-enums none")
    func enumOptions() throws {
        let forced = try lines(#"{"s":"in progress","t":""}"#) { $0.enums = ["s", "t"] }
        #expect(forced.contains("case inProgress = \"in progress\""))
        #expect(forced.contains("let t: String"), "An empty string is no name")
        let json = #"[{"s":"on"},{"s":"off"},{"s":"on"},{"s":"off"}]"#
        #expect(try lines(json) { $0.findsEnums = false }.contains("let s: String"))
    }

    @Test("Cases have distinct names that mean nothing else")
    func cases() throws {
        let lines = try lines(#"{"s":["none","a-b","a_b","default","self","1st"]}"#) { $0.enums = ["s"] }
        for name in ["noneValue = \"none\"", "noneValue", "aB = \"a-b\"", "aB2 = \"a_b\"", "`default`", "selfValue = \"self\""] {
            #expect(lines.contains("case \(name)") || name == "noneValue", "\(name)")
        }
        #expect(lines.contains("case value1st = \"1st\""))
    }

    @Test(
        "An object whose names are data is a dictionary",
        arguments: [
            #"{"17":{"x":1},"18":{"x":2}}"#, #"{"9f3b2c1d-0000-4000-8000-00000000abcd":{"x":1}}"#, #"{"2026-01-01":{"x":1}}"#,
            #"{"5f2b6c1d7e8f9a0b":{"x":1}}"#, #"{"ann@a.example":{"x":1}}"#,
        ])
    func dictionaries(_ json: String) throws {
        let lines = try lines(#"{"items":\#(json)}"#)
        #expect(lines.contains("let items: [String: Item]") && lines.contains("let x: Int"))
    }

    @Test("Prices by currency are a dictionary, and objects with other names are not")
    func currencies() throws {
        #expect(try lines(#"{"rates":{"EUR":1,"USD":1.5}}"#).contains("let rates: [String: Double]"))
        #expect(try lines(#"{"rates":{"EUR":1,"note":"x"}}"#).contains("let rates: Rates"))
        #expect(try lines(#"{"a":{"1":1,"2":"x"}}"#).contains("let a: A"), "Values of several kinds")
        #expect(try lines(#"{"rates":{"a":1,"b":2}}"#) { $0.dictionaries = ["rates"] }.contains("let rates: [String: Int]"))
        #expect(try lines(#"{"a":{}}"#).contains("let a: [String: JSONValue]"))
    }

    @Test("Equal objects share a type that is named after the end of their names")
    func shared() throws {
        let lines = try lines(#"{"billing_address":{"zip":"1"},"shipping_address":{"zip":"2"},"owner":{"zip":"3"}}"#)
        #expect(lines.contains("let billingAddress: Address") && lines.contains("let shippingAddress: Address"))
        #expect(lines.contains("let owner: Owner"))
        #expect(lines.count { $0 == "struct Address: Codable, Hashable, Sendable {" } == 1)
    }

    @Test("Objects whose names have no letters have types too")
    func namesWithoutLetters() throws {
        let lines = try lines(#"{"":{"a":1},"🎉":{"a":1},"_":[{"b":1}]}"#)
        for name in ["Value", "Value2", "Value3"] { #expect(lines.contains("struct \(name): Codable, Hashable, Sendable {")) }
    }

    @Test("Two members with one key in snake case are one property")
    func equalKeys() throws {
        let lines = try lines(#"{"user_id":1,"userId":2}"#) { $0.isSnakeCase = true }
        #expect(lines.count { $0.hasPrefix("let userId") } == 1)
    }

    @Test("A name that the snake case encoder would change is reported for a body")
    func otherKeys() throws {
        let plan = try plan("POST", "/things", [#"{"pageSize":1}"#], bodies: [#"{"pageSize":1,"page_count":1}"#]) { $0.isSnakeCase = true }
        let steps = plan.generate().checklist.filter { $0.contains("another name") }
        #expect(steps.count == 1 && steps.first?.hasPrefix("Body: pageSize:") == true)
    }

    @Test(
        "A nested type does not hide a type of Swift, Foundation or Martlet",
        arguments: ["date", "string", "path", "type", "URL", "error"])
    func hidden(_ member: String) throws {
        let lines = try lines(#"{"\#(member)":{"at":"2026-01-01T00:00:00Z"}}"#)
        #expect(lines.contains { $0.hasPrefix("struct ") && $0.contains("Value: Codable") })
    }

    @Test("The document itself can be an array, a dictionary, a scalar or null")
    func documents() throws {
        #expect(try lines(#"[{"a":1}]"#).contains("typealias Response = [Thing]"))
        #expect(try lines(#"[[{"a":1}]]"#).contains("typealias Response = [[Thing]]"))
        #expect(try lines(#"{"1":2}"#).contains("typealias Response = [String: Int]"))
        #expect(try lines("7").contains("typealias Response = Int"))
        #expect(try lines("null").contains("typealias Response = JSONValue"))
        #expect(try lines("null", #"{"a":1}"#).contains("typealias Response = Response?") == false)
        #expect(try lines("[]").contains("typealias Response = [JSONValue]"))
        #expect(try lines().contains("typealias Response = EmptyResponse"))
    }

    @Test("In a script without capitals, a type has another name than its property")
    func caseless() throws {
        let lines = try lines(#"{"名前":{"a":1}}"#)
        #expect(lines.contains("let 名前: 名前2") && lines.contains("struct 名前2: Codable, Hashable, Sendable {"))
    }

    @Test("Objects with thousands of members are an error that names the object, and not a struct")
    func manyMembers() throws {
        let members = (0..<20_000).map { "\"🎉\($0)\":{\"b\":null}" }.joined(separator: ",")
        let error = GeneratorError.tooManyMembers(path: "x", limit: 2_000)
        #expect(throws: error) { try plan("GET", "/things", ["{\"x\":{\(members)}}"]) }
        #expect(error.isInSample && error.description.contains("up to those of x. "))
        _ = try plan("GET", "/things", ["{\"x\":{\(members)}}"]) { $0.dictionaries = ["x"] }
    }

    @Test("A long name that is almost an e-mail address is a member")
    func longNames() throws {
        let lines = try lines("{\"a@\(String(repeating: ".", count: 200_000))@\":1}")
        #expect(lines.contains("let a: Int"))
    }
}
