import Testing

@testable import MartletGraphQL

@Suite("Validation of documents without a schema", .timeLimit(.minutes(5)))
struct DocumentRulesTests {
    private func problem(_ document: GraphQLDocument) -> String? {
        do throws(GraphQLSyntaxError) {
            _ = try document.parsed.get()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "A document that is invalid with every schema is an error with a position",
        arguments: [
            SyntaxErrorCase("query A {a}\nquery A {a}", "2:1: there are two operations \"A\""),
            SyntaxErrorCase("query A {a} {a}", "1:13: an operation without a name must be the only one of its document"),
            SyntaxErrorCase("{a} query A {a}", "1:1: an operation without a name must be the only one of its document"),
            SyntaxErrorCase("{a} {a}", "1:1: an operation without a name must be the only one of its document"),
            SyntaxErrorCase("{...F} fragment F on A {a} fragment F on B {b}", "1:28: there are two fragments \"F\""),
            SyntaxErrorCase("{a { ...F } }", "1:6: the fragment \"F\" is not defined"),
            SyntaxErrorCase("{...F} fragment F on A { ... on B { ...G } }", "1:37: the fragment \"G\" is not defined"),
            SyntaxErrorCase("{...F} fragment F on A { a { ...F } }", "1:30: the fragments form a cycle: F → F"),
            SyntaxErrorCase(
                "{...A} fragment A on T {...B} fragment B on T {...C} fragment C on T {...B}",
                "1:71: the fragments form a cycle: B → C → B"),
            SyntaxErrorCase("{a} fragment F on A {...F}", "1:22: the fragments form a cycle: F → F"),
            SyntaxErrorCase(
                "{a} fragment C on A {c} fragment F on A {...C ...F}", "1:47: the fragments form a cycle: F → F"),
            SyntaxErrorCase("query Q($a: Int, $a: Int) {a}", "1:18: there are two variables \"$a\""),
            SyntaxErrorCase("{a(b: $c)}", "1:7: the variable \"$c\" is not defined by the operation"),
            SyntaxErrorCase("query Q($a: Int) {a(b: [{c: $d}])}", "1:29: the variable \"$d\" is not defined by the operation \"Q\""),
            SyntaxErrorCase("query Q @a(b: $c) {a}", "1:15: the variable \"$c\" is not defined by the operation \"Q\""),
            SyntaxErrorCase("query Q {a ... @include(if: $c) {a}}", "1:29: the variable \"$c\" is not defined by the operation \"Q\""),
            SyntaxErrorCase(
                "query Q {...F} fragment F on A {a{...G}} fragment G on A @x(y: $c) {a}",
                "1:64: the variable \"$c\" is not defined by the operation \"Q\", which spreads the fragment \"G\""),
            SyntaxErrorCase(
                "query P($c: Int) {...F} query Q {...F} fragment F on A {a(b: $c)}",
                "1:62: the variable \"$c\" is not defined by the operation \"Q\", which spreads the fragment \"F\""),
        ])
    func refusing(_ refused: SyntaxErrorCase) {
        #expect(problem(GraphQLDocument(refused.text)) == refused.expected)
    }

    @Test(
        "Rules that need a schema or depend on the server are not checked",
        arguments: [
            "subscription {a b}", "{a} fragment Unused on A {b}", "query Q($unused: Int) {a}", "fragment F on A {a}",
            "fragment F on A {a(b: $c)}", "query A {a} mutation B {a} fragment A on A {a}", "{a(b: 1, b: 2) a: b}",
            "query P($c: Int) {...F} query Q {a} fragment F on A {a(b: $c)}", "{...F ...F} fragment F on A {...G ...G} fragment G on A {a}",
        ])
    func accepting(_ text: String) {
        #expect(problem(GraphQLDocument(text)) == nil)
    }

    @Test("All violations are found, up to a limit, with the names they are about")
    func all() throws {
        let document = try ExecutableDocument.parse(
            """
            query A($a: Int, $a: Int) { a(b: $b) ...F ...G ...H }
            query A { ...F }
            { a }
            fragment F on A { a(b: $c) ...F ...G }
            fragment G on A { ...F }
            fragment G on B { a }
            """)
        let expected = [
            "2:1 uniqueOperationNames A", "3:1 loneAnonymousOperation ", "6:1 uniqueFragmentNames G", "1:48 knownFragmentNames H",
            "4:28 noFragmentCycles F", "5:19 noFragmentCycles F", "1:18 uniqueVariableNames a", "1:34 noUndefinedVariables b",
            "4:24 noUndefinedVariables c", "4:24 noUndefinedVariables c",
        ]
        for limit in [1, 2, 3, 4, 5, 6, 7, 9, 100] {
            let found = DocumentRules.violations(in: document, atMost: limit)
            #expect(found.map { "\($0.place.line):\($0.place.column) \($0.rule) \($0.name)" } == Array(expected.prefix(limit)))
        }
    }

    @Test("Fragments that expand exponentially are checked once each")
    func exponential() {
        let levels = 2_000
        let chain = (0..<levels).map { "fragment F\($0) on A {a ...F\($0 + 1) b {...F\($0 + 1)}}" }.joined(separator: "\n")
        let text = "query Q($x: Int) {...F0}\n\(chain)\nfragment F\(levels) on A {a(b: $x)}"
        #expect(problem(GraphQLDocument(text)) == nil)
        let undefined = GraphQLDocument(text.replacing("a(b: $x)", with: "a(b: $y)"))
        #expect(problem(undefined)?.hasPrefix("2002:27: the variable \"$y\" is not defined") == true)
        let cyclic = GraphQLDocument(text.replacing("a(b: $x)", with: "...F0"))
        #expect(
            problem(cyclic)
                == "2002:22: the fragments form a cycle: F0 → F1 → F2 → F3 → F4 → F5 → F6 → … → F0")
    }

    @Test("Many operations that share many fragments are checked quickly")
    func manyOperations() {
        let count = 3_000
        let operations = (0..<count).map { "query Q\($0){...F0}" }.joined()
        let fragments = (0..<count).map { "fragment F\($0) on A{...F\($0 + 1)}" }.joined()
        let text = "\(operations)\(fragments)fragment F\(count) on A{a}"
        #expect(problem(GraphQLDocument(text)) == nil)
    }
}
