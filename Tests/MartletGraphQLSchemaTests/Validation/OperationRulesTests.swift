import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of operations", .timeLimit(.minutes(5)))
struct OperationRulesTests {
    @Test(
        "Operations and subscriptions that are invalid",
        arguments: [
            ViolationCase(
                #"mutation { addDog(name: "Rex") { name } } query { dog { name } }"#,
                (.loneAnonymousOperation, "1:1: an operation without a name must be the only one of its document"),
                (.loneAnonymousOperation, "1:43: an operation without a name must be the only one of its document")),
            ViolationCase(
                #"query A { dog { name } } query A { dog { name } } mutation A { addDog(name: "Rex") { name } }"#,
                (.uniqueOperationNames, #"1:26: there are two operations "A""#),
                (.uniqueOperationNames, #"1:51: there are two operations "A""#)),
            ViolationCase(
                "subscription { newDog { name } dogs { name } }",
                (.singleFieldSubscriptions, "1:32: the subscription may have only one root field")),
            ViolationCase(
                "subscription S { newDog { name } ...More } fragment More on Subscription { dogs { name } newDog { name } }",
                (.singleFieldSubscriptions, #"1:76: the subscription "S" may have only one root field"#)),
            ViolationCase(
                "subscription S { newDog @skip(if: true) { name } }",
                (.singleFieldSubscriptions, #"1:25: "@skip" is not allowed at the root of the subscription "S""#)),
            ViolationCase(
                "subscription S { ... @include(if: true) { newDog { name } } }",
                (.singleFieldSubscriptions, #"1:22: "@include" is not allowed at the root of the subscription "S""#)),
            ViolationCase(
                "subscription S { __typename }",
                (.singleFieldSubscriptions, #"1:18: the root field of the subscription "S" must not be of introspection"#)),
            ViolationCase(
                "subscription S { ... on Query { dog { name } } }",
                (.singleFieldSubscriptions, #"1:16: the subscription "S" has no root field"#),
                (.possibleFragmentSpreads, #"1:18: a fragment on "Query" never applies to a value of type "Subscription""#)),
            ViolationCase(
                #"mutation { addDog(name: "Rex") { name } ... @defer { addDog(name: "Rex") { name } } }"#,
                (.deferStreamDirectiveOnRootField, #"1:45: "@defer" is not allowed at the root of a mutation"#)),
            ViolationCase(
                #"mutation A { ...F @defer } mutation B { ...F @defer } fragment F on Mutation { addDog(name: "Rex") { name } }"#,
                (.deferStreamDirectiveOnRootField, #"1:19: "@defer" is not allowed at the root of a mutation"#),
                (.deferStreamDirectiveOnRootField, #"1:46: "@defer" is not allowed at the root of a mutation"#)),
            ViolationCase(
                "subscription { dogs @stream { name } }",
                (.deferStreamDirectiveOnRootField, #"1:21: "@stream" is not allowed at the root of a subscription"#),
                (
                    .deferStreamDirectiveOnValidOperations,
                    #"1:21: "@stream" is not allowed in a subscription without a condition (did you mean "#
                        + #""@stream(if: false)"?)"#
                )),
            ViolationCase(
                "subscription { newDog { ...F @defer } } fragment F on Dog { name friends @stream(if: true) { name } }",
                (
                    .deferStreamDirectiveOnValidOperations,
                    #"1:30: "@defer" is not allowed in a subscription without a condition (did you mean "#
                        + #""@defer(if: false)"?)"#
                ),
                (
                    .deferStreamDirectiveOnValidOperations,
                    #"1:74: "@stream" is not allowed in a subscription without a condition (did you mean "#
                        + #""@stream(if: false)"?)"#
                )),
        ])
    func operations(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid operations",
        arguments: [
            "{ dog { name } }",
            "query A { dog { name } } query B { dog { name } } subscription C { newDog { name } }",
            "subscription { dogs { name owner { name } } dogs { nickname } }",
            "subscription S { ...F } fragment F on Subscription { newDog { name } ... { newDog { nickname } } }",
            "subscription S($now: Boolean!) { newDog { ... @defer(if: $now) { name } friends @stream(if: false) { name } ... "
                + "@skip(if: $now) { ... @defer { owner { name } } } } }",
            "{ ... @defer { dog { name friends @stream(initialCount: 1) { name } } } }",
        ])
    func validOperations(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
