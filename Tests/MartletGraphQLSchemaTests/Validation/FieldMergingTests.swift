import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Merging of fields", .timeLimit(.minutes(5)))
struct FieldMergingTests {
    @Test(
        "Fields with the same name in the response that differ",
        arguments: [
            ViolationCase(
                "{ dog { name: nickname name } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:24: "name" is the field "name" here, but the field "nickname" at 1:9 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                "{ dog { a: knows(command: SIT) a: knows(command: DOWN) } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:32: "a" has other arguments here than at 1:9 (use different aliases to select "#
                        + "both)"
                )),
            ViolationCase(
                "{ dog { knows(command: SIT) ... { ... on Pet { name } knows(command: HEEL) } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:55: "knows" has other arguments here than at 1:9 (use different aliases to select "#
                        + "both)"
                )),
            ViolationCase(
                "query Q($c: Command!) { dog { a: knows(command: $c) a: knows(command: SIT) } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:53: "a" has other arguments here than at 1:31 (use different aliases to select "#
                        + "both)"
                )),
            ViolationCase(
                "{ dog { ...F a: name } } fragment F on Dog { a: barkVolume }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:46: "a" is the field "barkVolume" here, but the field "name" at 1:14 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                "{ dog { ...F ...G } } fragment F on Dog { a: barkVolume } fragment G on Dog { a: nickname }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:79: "a" is the field "nickname" here, but the field "barkVolume" at 1:43 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                "{ dog { owner { a: name } } dog { owner { a: __typename } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:43: "a" is the field "__typename" here, but the field "name" at 1:17 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                "{ dog { owner { ...F } } dog { owner { ...G } } } fragment F on Human { a: name } fragment G on Human { ...H } "
                    + "fragment H on Human { a: pets { name } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:134: "a" is the field "pets" here, but the field "name" at 1:73 (use different "#
                        + "aliases to select both)"
                )),
            ViolationCase(
                "{ pet { ... on Dog { a: barkVolume } ... on Cat { a: nickname } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:51: "a" is of type "[String]" here, but of type "Int" at 1:22 (use different "#
                        + "aliases to select both)"
                )),
            ViolationCase(
                "{ pet { ... on Dog { a: name } ... on Cat { a: meowVolume } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:45: "a" is of type "Int" here, but of type "String!" at 1:22 (use different "#
                        + "aliases to select both)"
                )),
            ViolationCase(
                "{ pet { ... on Dog { nickname } ... on Cat { nickname } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:46: "nickname" is of type "[String]" here, but of type "String" at 1:22 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                "{ pet { ... on Dog { a: owner { b: name } } ... on Cat { a: owner { b: pets { name } } } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:69: "b" is of type "[Pet]" here, but of type "String!" at 1:33 (use different "#
                        + "aliases to select both)"
                )),
            ViolationCase(
                "{ pet { ... on Dog { a: name } ... on Canine { a: __typename } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:48: "a" is the field "__typename" here, but the field "name" at 1:22 (use "#
                        + "different aliases to select both)"
                )),
            ViolationCase(
                #"{ dog(id: 1) { name } dog(id: "1") { name } }"#,
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:23: "dog" has other arguments here than at 1:3 (use different aliases to select "#
                        + "both)"
                )),
            ViolationCase(
                "{ dog { friends @stream { name } friends @stream { nickname } } }",
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:34: "friends" is streamed, but selected also at 1:9 (use different aliases to "#
                        + "select both)"
                )),
            ViolationCase(
                "{ ...F } fragment F on Query { a: dog { name } ...F a: pet { name } }",
                (.noFragmentCycles, "1:48: the fragments form a cycle: F → F"),
                (
                    .overlappingFieldsCanBeMerged,
                    #"1:53: "a" is the field "pet" here, but the field "dog" at 1:32 (use different "#
                        + "aliases to select both)"
                )),
        ])
    func conflicts(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Fields that can be merged",
        arguments: [
            "{ dog { name name nickname: nickname owner { name } owner { pets { name } } } }",
            "{ pet { ... on Dog { a: name } ... on Cat { a: name } } }",
            "{ pet { ... on Dog { a: knows(command: SIT) } ... on Dog { a: knows(command: SIT) } } }",
            "{ pet { ... on Dog { a: name } ... on Cat { a: name b: meowVolume } ... on Dog { b: barkVolume } } }",
            "{ pet { ... on Dog { owner { a: name } } ... on Cat { owner { a: name } } } }",
            #"{ pets(filter: {name: "a", limit: 1}) { name } pets(filter: {limit: 1, name: "a"}) { owner { name } } }"#,
            "{ dog { ...F ...F ... on Dog { ...F } } } fragment F on Dog { name owner { name } }",
            "{ human(id: 1) { pets { ...F } } } fragment F on Pet { name owner { ...G } } fragment G on Human { name pets { name "
                + "owner { name } } }",
        ])
    func merged(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
