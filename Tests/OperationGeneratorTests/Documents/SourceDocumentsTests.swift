import OperationGenerator
import Testing

@Suite("The documents of a generation", .timeLimit(.minutes(5)))
struct SourceDocumentsTests {
    private let sdl = "type Query { a: Int b: Query e: E } enum E { A }"

    /// Returns the descriptions of the problems.
    private func problems(_ documents: String..., change: (inout OperationOptions) -> Void = { _ in }) throws -> [String] {
        var options = OperationOptions()
        change(&options)
        let named = documents.enumerated().map { OperationDocument(name: "\($0 + 1).graphql", text: $1) }
        let schema = try schema(sdl)
        let error = #expect(throws: OperationGeneratorError.self) {
            try OperationGenerator.files(schema: schema, documents: named, options: options)
        }
        return error?.problems.map(\.description) ?? []
    }

    @Test("A syntax error has the file, line and column of its document")
    func syntax() throws {
        let found = try problems("query A { a }", "\nquery B { a ")
        #expect(found.count == 1 && found[0].hasPrefix("2.graphql:2:13: error: expected a field"), "\(found)")
    }

    @Test("Violations of the schema have the file, line and column of their document, in the order of the documents")
    func violations() throws {
        let found = try problems("query A { a ...F }\n", "\r\nfragment F on Query { aa }\r\n", "query A { b }")
        #expect(found.count == 3)
        #expect(found.contains { $0.hasPrefix("2.graphql:2:23: error: ") && $0.contains("aa") && $0.contains("did you mean") })
        #expect(found.contains { $0.hasPrefix("3.graphql:1:") && $0.contains("A") })
    }

    @Test("A mistake in any of several documents has the place in this document", arguments: 0..<7)
    func places(_ wrong: Int) throws {
        let documents = (0..<7).map { index in
            let lines = String(repeating: "\n", count: index % 3)
            return OperationDocument(name: "\(index).graphql", text: "\(lines)query A\(index) { \(index == wrong ? "x" : "a") }")
        }
        let schema = try schema(sdl)
        let error = #expect(throws: OperationGeneratorError.self) { try OperationGenerator.files(schema: schema, documents: documents) }
        #expect(error?.problems.map { "\($0.file ?? ""):\($0.line):\($0.column)" } == ["\(wrong).graphql:\(wrong % 3 + 1):12"])
    }

    @Test("A violation that involves two documents names the position in the other")
    func otherDocument() throws {
        let message = "\"a\" is the field \"a\" here, but the field \"b\" at 1.graphql:2:11 (use different aliases to select both)"
        let found = try problems("\nquery A { a: b { a } ...F }", "\nfragment F on Query { a }")
        #expect(found == ["2.graphql:2:23: error: \(message)"])
    }

    @Test("Of many mistakes, a hundred are listed, and a line says that there are more", arguments: [99, 100, 101, 150])
    func manyMistakes(count: Int) throws {
        let found = try problems("query A { \((0..<count).map { "x\($0)" }.joined(separator: " ")) }")
        let isMore = count > 100
        #expect(found.count { $0.contains("has no field") } == min(count, 100))
        #expect(found.last == (isMore ? "error: there are more mistakes, which are not shown" : found.last))
        #expect(found.contains { $0.contains("not shown") } == isMore)
    }

    @Test("An operation without a name is a problem")
    func anonymous() throws {
        #expect(try problems("{ a }") == ["1.graphql:1:1: error: an operation needs a name, from which the name of its type is made"])
    }

    @Test("Names that would be the same in Swift are problems, also on file systems that ignore case")
    func names() throws {
        #expect(try problems("query a_b { a }", "query AB { a }").contains { $0.hasPrefix("2.graphql:1:1") && $0.contains("ABQuery") })
        #expect(try problems("query Ab { a }", "query AB { a }").contains { $0.contains("ABQuery") })
        #expect(try problems("query A { ...E } fragment E on Query { a }").contains { $0.contains("the type \"E\" of the schema") })
        #expect(try problems("query A { ...Date } fragment Date on Query { a }").contains { $0.contains("a type of Swift") })
    }

    @Test("Selections that are nested too deeply are a problem")
    func depth() throws {
        let text = "query A " + String(repeating: "{ b ", count: 70) + "{ a }" + String(repeating: " }", count: 70)
        #expect(try problems(text).contains { $0.contains("at most 64 levels") })
    }

    @Test("Fragments that form a cycle are a problem")
    func cycle() throws {
        #expect(try !problems("query A { ...F } fragment F on Query { b { ...G } } fragment G on Query { ...F }").isEmpty)
    }

    @Test("Operations may have the same labels, but one operation may not repeat a label")
    func labels() throws {
        let deferred = "query A { ... @defer(label: \"x\") { a } }", schema = try schema(sdl)
        let documents = [deferred, deferred.replacing("A", with: "B")].map { OperationDocument(name: "x", text: $0) }
        #expect(try OperationGenerator.files(schema: schema, documents: documents).count == 2)
        let repeated = "query A { ... @defer(label: \"x\") { a } ... @defer(label: \"x\") { b { a } } }"
        #expect(try problems(repeated).contains { $0.hasPrefix("1.graphql:1:1: error: ") && $0.contains("AQuery") })
    }

    @Test("The mistakes after many operations with the same label are found")
    func manyLabels() throws {
        let deferred = (0..<110).map { "query Q\($0) { ... @defer(label: \"x\") { a } }" }.joined(separator: "\n")
        let found = try problems(deferred, "query Bad { a nope(x: 1) { deep } }")
        #expect(found.count == 1 && found[0].hasPrefix("2.graphql:1:15: error: ") && found[0].contains("nope"), "\(found)")
    }

    @Test("Another field with the alias __typename is a problem")
    func typenameAlias() throws {
        let found = try problems("query A { b { ...F __typename: __typename } }", "fragment F on Query {\n... { b { __typename: a } } }")
        #expect(found == ["2.graphql:2:11: error: the alias \"__typename\" hides the field that tells the types apart: use another"])
    }

    @Test("Documents without definitions are skipped, unless all are")
    func comments() throws {
        let empty = ["", "# A comment\n", "\u{FEFF}\r\n, #", "# the end"], schema = try schema(sdl)
        let texts = empty + ["query A { a }"] + empty + ["query B { a }"]
        func named(_ texts: [String]) -> [OperationDocument] {
            texts.enumerated().map { OperationDocument(name: "\($0).graphql", text: $1) }
        }
        let files = try OperationGenerator.files(schema: schema, documents: named(texts))
        #expect(files.map { $0.text.prefix { $0 != "\n" }.split(separator: " ")[5] } == ["4.graphql.", "9.graphql."])
        let wrong = #expect(throws: OperationGeneratorError.self) {
            try OperationGenerator.files(schema: schema, documents: named(empty + ["\nquery A { x }"]))
        }
        #expect(wrong?.description.hasPrefix("4.graphql:2:11: error: ") == true)
        #expect(try problems("# a", "") == ["error: there are no operations or fragments in the documents"])
    }

    @Test("The error for a scalar of input objects names the first field, in every run")
    func unknownScalar() throws {
        let inputs = (0..<20).map { "input A\($0) { x: Money }" }.joined(separator: " ")
        let fields = (0..<20).map { "a\($0): A\($0)" }.joined(separator: " "),
            schema = try schema(
                """
                type Query { a(i: I): Int } scalar Money input I { \(fields) } \(inputs)
                """)
        let document = OperationDocument(name: "x", text: "query A($i: I) { a(i: $i) }")
        let error = #expect(throws: OperationGeneratorError.self) { try OperationGenerator.files(schema: schema, documents: [document]) }
        #expect(error?.description.contains("the input field A0.x has") == true, "\(error?.description ?? "")")
    }

    @Test("No documents are a problem")
    func none() throws { #expect(try problems() == ["error: there are no documents"]) }
}
