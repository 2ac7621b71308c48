import EndpointGenerator
import Testing

@Suite("Sample queries", .timeLimit(.minutes(5)))
struct QuerySampleTests {
    @Test(
        "A parameter has the type that writes its sample unchanged",
        arguments: [
            ("1", "Int?"), ("-5", "Int?"), ("007", "String?"), ("+1", "String?"), ("4294967296", "Int?"), ("true", "Bool?"),
            ("2.5", "Double?"), ("2.0", "String?"), ("2.50", "String?"), ("1e3", "String?"), ("", "String?"), ("name", "String?"),
            ("99999999999999999999", "String?"),
        ])
    func types(_ value: String, _ type: String) throws {
        #expect(try lines { $0.query = "a=\(value)" }.contains("var a: \(type)"))
    }

    @Test("A repeated name and a name with brackets become arrays, and names are decoded")
    func lists() throws {
        let lines = try lines { $0.query = "?tag=a&tag=b&ids[]=1&full%5Fname=x+y" }
        #expect(lines.contains("var tag: [String]?") && lines.contains("var ids: [Int]?") && lines.contains("var fullName: String?"))
        #expect(lines.contains(#"var query: Query { ["tag": tag, "ids[]": ids, "full_name": fullName] }"#))
    }

    @Test("A parameter without a name and a fragment are errors")
    func invalid() {
        #expect(throws: GeneratorError.self) { try plan { $0.query = "=1" } }
        #expect(throws: GeneratorError.self) { try plan { $0.query = "a=1&&b=2" } }
        #expect(throws: GeneratorError.self) { try plan { $0.query = "a=1#x" } }
    }
}
