import OperationGenerator
import Testing

@Suite("Hostile schemas and documents", .timeLimit(.minutes(5)))
struct HostileSchemaTests {
    @Test("Descriptions and reasons stay in comments and string literals")
    func injection() throws {
        let evil = #"*/ x\n}\nprint(1)\r\u2028print(2)\u0000\u202E \"\"\" \\(print(3)) ``Link`` # `b`"#
        let sdl = """
            "\(evil)" type Query { "\(evil)" a: Int @deprecated(reason: "\(evil)") "\(evil)" e(i: I): E }
            "\(evil)" enum E { "\(evil)" A @deprecated(reason: "\(evil)") }
            "\(evil)" input I { "\(evil)" x: Int @deprecated(reason: "\(evil)") }
            """
        for isPublic in [false, true] {
            let files = try files(sdl, "query Q($i: I) { a e(i: $i) ...F } fragment F on Query { a }") { $0.isPublic = isPublic }
            for line in files.flatMap({ $0.text.split(separator: "\n") }) {
                let code = line.drop { $0 == " " }
                if code.contains("print") {
                    #expect(code.hasPrefix("/// ") || code.hasPrefix("@available(*, deprecated, message: \""), "\(line)")
                }
                #expect(!code.contains("``") && line.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{2028}" && $0 != "\u{202E}" })
                if code.hasPrefix("@available(*, deprecated, ") {
                    #expect(code.contains("\\\\(print(3))") && code.contains("\\\"\\\"\\\""), "\(code)")
                }
            }
        }
    }

    @Test("Strings of a document stay in its literal")
    func strings() throws {
        let sdl = "type Query { a(x: String, y: [String]): Int }"
        let document = #"query Q { a(x: "\"\"\" \\(print(1)) \u202E\n", y: ["", """ "x" \ y """]) }"#
        let lines = lines(try files(sdl, document), "QQuery.swift")
        #expect(lines.contains(#"query Q { a(x: "\\"\\"\\" \\\\(print(1)) \\u202E\\n", y: ["", " \\"x\\" \\\\ y "]) }"#), "\(lines)")
    }

    @Test("A backslash or quote in a string is escaped also before a combining mark")
    func combiningMarks() throws {
        let document = "query Q { a(x: \"\\\\\u{301}(print(1)) \u{301}\", y: [\"\u{301}\", \"\"]) }"
        let lines = lines(try files("type Query { a(x: String, y: [String]): Int }", document), "QQuery.swift")
        let expected = "query Q { a(x: \"\\\\\\\\\u{301}(print(1)) \u{301}\", y: [\"\u{301}\", \"\"]) }"
        #expect(lines.contains { $0.unicodeScalars.elementsEqual(expected.unicodeScalars) }, "\(lines)")
    }

    @Test("Names of Swift are changed or escaped, and keys stay")
    func keywords() throws {
        let names = [
            "self", "init", "Type", "Protocol", "default", "class", "description", "hashValue", "Data", "_", "__x", "none", "data", "a_b",
            "aB",
        ]
        let sdl = "type Query { \(names.map { "\($0): Query" }.joined(separator: " ")) x: Int }"
        let document = "query Q { \(names.map { "\($0) { x }" }.joined(separator: " ")) }"
            .replacing("__x { x }", with: "")
        let lines = lines(try files(sdl.replacing("__x: Query", with: ""), document), "QQuery.swift")
        for line in [
            "let selfValue: SelfValue?", "let initValue: Init?", "let type: TypeValue?", "let `default`: Default?",
            "let description: Description?",
            "let hashValueValue: HashValue?", "let data: DataValue2?", "let noneValue: None?", "let aB: AB2?",
        ] {
            #expect(lines.contains(line), "\(line) \(lines.filter { $0.hasPrefix("let ") })")
        }
        #expect(lines.contains { $0.contains("case selfValue = \"self\", initValue = \"init\", type = \"Type\"") })
    }

    @Test("A schema type with a name of Swift gets another name")
    func reservedTypes() throws {
        let names = try files("type Query { a: Type b: Error } enum Type { A } enum Error { B }", "query Q { a b }").map(\.name)
        #expect(names == ["ErrorValue.swift", "QQuery.swift", "TypeValue.swift"])
        let alike = try files("type Query { a: AB b: Ab } enum AB { A } enum Ab { B }", "query Q { a b }").map(\.name)
        #expect(alike == ["AB.swift", "Ab2.swift", "QQuery.swift"])
    }

    @Test(
        "Selections that lead to far more fields than they have are an error with the operation, not megabytes of Swift",
        arguments: [14, 31])
    func exponential(levels: Int) throws {
        let sdl = """
            type Query { n: N } union N = A | B | C interface I { n: N id: ID } type A implements I { n: N id: ID a: Int }
            type B implements I { n: N id: ID } type C { id: ID }
            """
        let selections = (0..<levels).reduce("{ id }") { inner, _ in "{ n { ... on I \(inner) ... on A { a } } }" }
        let error = #expect(throws: OperationGeneratorError.self) {
            try files(sdl, "query Small { n { ... on A { a } } }", "\nquery Big \(selections)")
        }
        #expect(error?.problems.count == 1)
        let text = error?.description ?? ""
        #expect(
            text.hasPrefix("2.graphql:2:1: error: the selections of the query \"Big\" are repeated for too many combinations"), "\(text)")
        #expect(text.hasSuffix("move inner selections to fragments"), "\(text)")
        let split = (0..<levels).map { level in
            "fragment F\(level) on I { n { ... on I { ...F\(level + 1) } ... on A { a } } }"
        }
        let documents = (["query Big { n { ...F0 } }", "fragment F\(levels) on I { id }"] + split).joined(separator: "\n")
        #expect(try files(sdl, documents).count == levels + 2)
    }

    @Test("Thousands of names that are one name in Swift are numbered in the order of the text")
    func alike() throws {
        let marks = (1...45).map { String(repeating: "_", count: $0) }
        let names = marks.flatMap { first in marks.map { "a\(first)b\($0)c" } }
        let sdl = """
            type Query { \(names.map { "\($0): Query" }.joined(separator: " ")) e: E x: Int }
            enum E { \(names.map { $0.uppercased() }.joined(separator: " ")) }
            """
        let files = try files(sdl, "query Q { \(names.map { "\($0) { x }" }.joined(separator: " ")) e }"),
            query = lines(files, "QQuery.swift")
        #expect(query.contains("let aBC: ABC?") && query.contains("let aBC2: ABC2?") && query.contains("let aBC2025: ABC2025?"))
        #expect(lines(files, "E.swift").contains { $0.hasSuffix("aBC2025 = \"\(names[2_024].uppercased())\"") })
    }

    @Test("A chain of fragments that doubles takes linear time")
    func doubling() throws {
        let chain = (0..<200).map { "fragment F\($0) on Query { a: o { ...F\($0 + 1) } b: o { ...F\($0 + 1) } }" }.joined(separator: "\n")
        let files = try files("type Query { o: Query x: Int }", "query Q { ...F0 } \(chain) fragment F200 on Query { x }")
        #expect(files.count == 202)
    }
}
