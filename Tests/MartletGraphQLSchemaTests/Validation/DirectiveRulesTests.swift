import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of directives", .timeLimit(.minutes(5)))
struct DirectiveRulesTests {
    @Test(
        "Directives that are unknown, misplaced or repeated",
        arguments: [
            ViolationCase(
                "{ dog @unknown { name } }",
                (.knownDirectives, #"1:7: the schema has no directive "@unknown""#)),
            ViolationCase(
                "{ dog @includ(if: true) { name } }",
                (.knownDirectives, #"1:7: the schema has no directive "@includ" (did you mean "@include"?)"#)),
            ViolationCase(
                "query @skip(if: true) { dog { name } }",
                (.knownDirectives, #"1:7: the directive "@skip" is not allowed at a query"#)),
            ViolationCase(
                "{ dog { ...F @once } } fragment F on Dog @once { name }",
                (.knownDirectives, #"1:14: the directive "@once" is not allowed at a fragment spread"#),
                (.knownDirectives, #"1:42: the directive "@once" is not allowed at the definition of a fragment"#)),
            ViolationCase(
                "{ dog { ... @once { name } } }",
                (.knownDirectives, #"1:13: the directive "@once" is not allowed at an inline fragment"#)),
            ViolationCase(
                #"query Q($id: ID @many(reason: "a")) { dog(id: $id) { name } }"#,
                (.knownDirectives, #"1:17: the directive "@many" is not allowed at a variable"#)),
            ViolationCase(
                #"mutation @once { addDog(name: "Rex") { name } }"#,
                (.knownDirectives, #"1:10: the directive "@once" is not allowed at a mutation"#)),
            ViolationCase(
                "subscription @once { newDog { name } }",
                (.knownDirectives, #"1:14: the directive "@once" is not allowed at a subscription"#)),
            ViolationCase(
                "{ dog { name @include(if: true) @skip(if: false) @include(if: true) } }",
                (.uniqueDirectivesPerLocation, #"1:50: the directive "@include" may occur only once here"#)),
            ViolationCase(
                "{ dog @deprecated { name } }",
                (.knownDirectives, #"1:7: the directive "@deprecated" is not allowed at a field"#)),
            ViolationCase(
                #"{ ... @defer(label: "a") { dog { friends @stream(label: "a") { name } } } }"#,
                (.deferStreamDirectiveLabel, #"1:50: there are two labels "a""#)),
            ViolationCase(
                "query Q($l: String) { ... @defer(label: $l) { dog { name } } }",
                (.deferStreamDirectiveLabel, #"1:34: the label of "@defer" must be a string, found "$l""#)),
        ])
    func directives(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid directives",
        arguments: [
            #"query Q($id: ID @once) @once(reason: "a") { dog(id: $id) @skip(if: false) { name @many(reason: "a") @many(reason: "#
                + #""b") } }"#,
            #"{ ...F @include(if: true) @many(reason: "a") } fragment F on Query @many(reason: "a") { dog { ... @skip(if: true) { "#
                + "name } } }",
            #"{ ... @defer(label: "a") { dog { friends @stream(label: "b") { name } } } ... @defer { pet { name } } }"#,
        ])
    func validDirectives(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
