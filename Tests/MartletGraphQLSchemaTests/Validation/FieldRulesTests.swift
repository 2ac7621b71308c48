import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of fields", .timeLimit(.minutes(5)))
struct FieldRulesTests {
    @Test(
        "Fields that do not exist, and selections that are missing or in excess",
        arguments: [
            ViolationCase(
                "{ dog { nmae } }",
                (.fieldsOnCorrectType, #"1:9: the type "Dog" has no field "nmae" (did you mean "name"?)"#)),
            ViolationCase(
                "{ dog { meowVolume } }",
                (.fieldsOnCorrectType, #"1:9: the type "Dog" has no field "meowVolume" (did you mean "barkVolume"?)"#)),
            ViolationCase(
                "{ pet { barkVolume } }",
                (.fieldsOnCorrectType, #"1:9: the type "Pet" has no field "barkVolume" (did you mean "... on Dog"?)"#)),
            ViolationCase(
                "{ pet { nickname } }",
                (
                    .fieldsOnCorrectType,
                    #"1:9: the type "Pet" has no field "nickname" (did you mean "... on Cat" or "... on "#
                        + #"Dog"?)"#
                )),
            ViolationCase(
                "{ catOrDog { name } }",
                (
                    .fieldsOnCorrectType,
                    #"1:14: the union "CatOrDog" has no field "name" (did you mean "... on Canine", "... "#
                        + #"on Pet" or "... on Cat"?)"#
                )),
            ViolationCase(
                "{ dog { unheardOf { name anything(a: 1) } } }",
                (.fieldsOnCorrectType, #"1:9: the type "Dog" has no field "unheardOf""#)),
            ViolationCase(
                "{ dog { __schema { types { name } } } }",
                (.fieldsOnCorrectType, #"1:9: the type "Dog" has no field "__schema""#)),
            ViolationCase(
                "{ __schema { typs } }",
                (.fieldsOnCorrectType, #"1:14: the type "__Schema" has no field "typs" (did you mean "types"?)"#)),
            ViolationCase(
                "{ dog }",
                (
                    .scalarLeafs,
                    #"1:3: the field "dog" of type "Dog" needs a selection of fields (did you mean "dog { "#
                        + #"… }"?)"#
                )),
            ViolationCase(
                "{ dog { name { first } } }",
                (.scalarLeafs, #"1:14: the field "name" of type "String!" has no fields to select"#)),
            ViolationCase(
                "{ pets __typename { name } }",
                (
                    .scalarLeafs,
                    #"1:3: the field "pets" of type "[Pet!]!" needs a selection of fields (did you mean "#
                        + #""pets { … }"?)"#
                ),
                (.scalarLeafs, #"1:19: the field "__typename" of type "String!" has no fields to select"#)),
            ViolationCase(
                "{ dog { name @stream } }",
                (.streamDirectiveOnListField, #"1:14: "@stream" needs a list, found the field "name" of type "String!""#)),
        ])
    func fields(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid selections",
        arguments: [
            #"{ dog { name } __typename __schema { types { name kind fields { name } } } __type(name: "Dog") { name } }"#,
            "{ catOrDog { __typename ... on Dog { name } ... on Cat { meowVolume } } }",
            "{ pets { name @include(if: true) ... on Dog { barkVolume } } }",
        ])
    func validFields(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
