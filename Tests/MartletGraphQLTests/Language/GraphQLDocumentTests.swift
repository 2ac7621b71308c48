import Testing

@testable import MartletGraphQL

@Suite("GraphQLDocument", .timeLimit(.minutes(5)))
struct GraphQLDocumentTests {
    private let person: GraphQLFragment = "fragment Person on User { id }"

    private func problem(_ document: GraphQLDocument) -> String? {
        do throws(GraphQLSyntaxError) {
            _ = try document.parsed.get()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A fragment in a literal is spread in place, and its definition is sent once")
    func interpolation() {
        let document: GraphQLDocument = "query Q { me { \(person) friends { \(person) } } }"
        #expect(document.text == "query Q { me { ...Person friends { ...Person } } }\n\nfragment Person on User { id }")
        #expect(problem(document) == nil)
    }

    @Test("A name after an interpolated fragment stays separate, and dots before it are not repeated")
    func separation() {
        let document: GraphQLDocument = "{me{\(person)name \(raw: "a")...\(person)\(person)\(raw: "b")}}"
        #expect(document.text.hasPrefix("{me{...Person name a...Person...Person b}}\n"))
        #expect(problem(document) == nil)
    }

    @Test("Fragments include the fragments they spread, each once, in the given order")
    func composition() {
        let a: GraphQLFragment = "fragment A on T { a }", b: GraphQLFragment = "fragment B on T { \(a) }"
        let c = GraphQLFragment("fragment C on T { ...B ...A }", fragments: [b, a])
        let document = GraphQLDocument("{ ...C ...B ...A }", fragments: [c, a, b])
        #expect(document.text == ["{ ...C ...B ...A }", c.text, b.text, a.text].joined(separator: "\n\n"))
        #expect(problem(document) == nil)
        #expect(
            GraphQLDocument("{ ...A ...C }", fragments: [a, c]).text == ["{ ...A ...C }", a.text, c.text, b.text].joined(separator: "\n\n"))
    }

    @Test("Nested fragments used twice at each level are still sent once")
    func doubling() {
        var fragment: GraphQLFragment = "fragment F0 on T { a }"
        for level in 1..<200 { fragment = "fragment F\(raw: "\(level)") on T { \(fragment) b { \(fragment) } }" }
        let document: GraphQLDocument = "{ \(fragment) }"
        #expect(problem(document) == nil)
        #expect((try? document.parsed.get())?.fragments.count == 200)
    }

    @Test("A comment at the end of a text does not extend into the next text")
    func comments() {
        let commented: GraphQLFragment = "fragment P on U { id } # of a user"
        let document = GraphQLDocument("{ ...P ...Q } # all", fragments: [commented, "fragment Q on U { id }"])
        #expect(problem(document) == nil)
    }

    @Test("An error in a fragment is reported first, with its line in the complete document")
    func brokenFragments() {
        let broken: GraphQLFragment = "fragment Broken on User {\n  id(\n}", operation: GraphQLFragment = "query Q { a }"
        let unnamed: GraphQLFragment = "fragment { a }", lines: GraphQLFragment = "fragment Lines on User {\r\n id }"
        #expect(broken.name == "Broken")
        #expect(unnamed.name == "")
        let document: GraphQLDocument = "query {\r\n  me {\(lines) \(broken)}\r}"
        #expect(problem(document) == "10:1: expected an argument's name, found \"}\"")
        #expect(document.text.split(separator: "\n", omittingEmptySubsequences: false).last == "}")
        #expect(problem("{ \(operation) }") == "3:1: expected a fragment, found an operation")
        #expect(problem("{ \(unnamed) }") == "3:10: expected a fragment's name, found \"{\"")
        #expect(
            problem(GraphQLDocument("{ a", fragments: [person])) == "1:4: expected a field, \"...\" or \"}\", found the end of the document"
        )
    }

    @Test("Two different fragments with one name are an error at the second")
    func conflicts() {
        let other: GraphQLFragment = "fragment Person on User { name }"
        #expect(problem("{ \(person) \(other) }") == "5:1: there are two fragments \"Person\"")
    }

    @Test("Documents are equal if their texts are")
    func equality() {
        let written: GraphQLDocument = "{ ...Person }\n\nfragment Person on User { id }", composed: GraphQLDocument = "{ \(person) }"
        #expect(written == composed)
        #expect(written.hashValue == composed.hashValue)
        #expect(written != GraphQLDocument("{ a }"))
        #expect(GraphQLDocument("{a(b:\"\u{E9}\")}") != GraphQLDocument("{a(b:\"e\u{301}\")}"))
        #expect("\(composed)" == composed.text)
        #expect(person == GraphQLFragment(person.text))
        #expect(person != GraphQLFragment(person.text, fragments: ["fragment A on B { a }"]))
    }

    @Test("An operation is found by name, or without a name if it is the only one")
    func operations() throws {
        let one: GraphQLDocument = "mutation M { a }", unnamed: GraphQLDocument = "{ a }",
            two: GraphQLDocument = "query A { a }\nquery B { a }"
        #expect(try one.operation(named: nil).kind == .mutation)
        #expect(try one.operation(named: "M").name == "M")
        #expect(try unnamed.operation(named: nil).kind == .query)
        #expect(try two.operation(named: "B").line == 2)
        #expect(throws: GraphQLSyntaxError(message: "the document has 2 operations: name one of A, B", line: 2, column: 1)) {
            try two.operation(named: nil)
        }
        #expect(throws: GraphQLSyntaxError(message: "the document has no operation \"C\": it has A, B", line: 1, column: 1)) {
            try two.operation(named: "C")
        }
        #expect(
            throws: GraphQLSyntaxError(message: "the document has no operation \"C\": its only operation has no name", line: 1, column: 1)
        ) {
            try unnamed.operation(named: "C")
        }
        #expect(throws: GraphQLSyntaxError(message: "the document has no operation", line: 1, column: 1)) {
            try GraphQLDocument("fragment A on B { a }").operation(named: nil)
        }
        #expect(throws: GraphQLSyntaxError(message: "expected a field or \"...\", found \"}\"", line: 1, column: 2)) {
            try GraphQLDocument("{}").operation(named: nil)
        }
    }

    @Test(
        "Incremental delivery is detected anywhere in the document",
        arguments: [
            ("{ a ... @defer { b } }", true), ("{ a { b { c @stream(initialCount: 1) } } }", true),
            ("{ ...F @defer } fragment F on A { a }", true),
            ("{ ...F } fragment F on A { a { ...G @defer } } fragment G on A { a }", true), ("{ defer: stream @skip(if: true) }", false),
            ("{ a(b: \"@defer\") # @defer\n }", false), ("{ ... @defer {", false),
        ])
    func incrementalDelivery(_ text: String, _ expected: Bool) {
        #expect(GraphQLDocument(text).usesIncrementalDelivery == expected)
    }
}
