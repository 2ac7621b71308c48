import Testing

@testable import MartletGraphQL

@Suite("Type names in documents", .timeLimit(.minutes(5)))
struct TypenameInsertionTests {
    @Test(
        "Each selection set gets __typename, except at the root and where it exists",
        arguments: [
            ("{ hero { name } }", "{ hero { __typename name } }"), ("{a{b{c}}}", "{a{ __typename b{ __typename c}}}"),
            ("{ a { __typename b } }", "{ a { __typename b } }"), ("{ a { b __typename } }", "{ a { b __typename } }"),
            ("{ a { kind: __typename } }", "{ a { __typename kind: __typename } }"),
            ("{ a { __typename @include(if: true) } }", "{ a { __typename __typename @include(if: true) } }"),
            ("{ a { __typename: b } }", "{ a { __typename: b } }"), ("{a{# {\nb}}", "{a{ __typename # {\nb}}"),
            ("{a{\nb}}", "{a{ __typename\nb}}"),
            ("{ a { ... on B { c } } }", "{ a { __typename ... on B { __typename c } } }"),
            ("{ ü: 1", "{ ü: 1"), ("{a(x:\"ü{🦋\"){b}}", "{a(x:\"ü{🦋\"){ __typename b}}"), ("{a(x:{y:1})}", "{a(x:{y:1})}"),
        ])
    func insertion(_ text: String, _ expected: String) {
        let typed = GraphQLDocument(text).withTypenames()
        #expect(typed.text == expected)
        #expect(typed.withTypenames().text == expected)
    }

    @Test(
        "Inline fragments and fragments spread at the root count as the root (GraphQL §5.2.4.1)",
        arguments: [
            ("subscription { ... { ... on S { a { b } } } }", "subscription { ... { ... on S { a { __typename b } } } }"),
            (
                "subscription { ...F } fragment F on S { ... { ...G } } fragment G on S { a { b } }",
                "subscription { ...F } fragment F on S { ... { ...G } } fragment G on S { a { __typename b } }"
            ),
            (
                "{ a { ...F } } fragment F on A { b ... { c } }",
                "{ a { __typename ...F } } fragment F on A { __typename b ... { __typename c } }"
            ),
        ])
    func roots(_ text: String, _ expected: String) {
        #expect(GraphQLDocument(text).withTypenames().text == expected)
    }

    @Test("The new text parses, has the same operations, and includes __typename in fragments")
    func parsed() throws {
        let person: GraphQLFragment = "fragment Person on User { id friends { id } }"
        let typed = (GraphQLDocument("query A { me { \(person) } }") as GraphQLDocument).withTypenames()
        #expect(try typed.operation(named: nil).name == "A")
        #expect(typed.text.hasSuffix("fragment Person on User { __typename id friends { __typename id } }"))
    }

    @Test("A document at the token limit still gets __typename")
    func limit() throws {
        let text = "{" + String(repeating: "a{b}", count: 24_999) + "}"
        let typed = GraphQLDocument(text).withTypenames()
        #expect(typed.text.utf8.count == text.utf8.count + 24_999 * " __typename ".utf8.count)
        _ = try typed.operation(named: nil)
    }
}
