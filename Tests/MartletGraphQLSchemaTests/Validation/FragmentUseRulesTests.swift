import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of used fragments and variables", .timeLimit(.minutes(5)))
struct FragmentUseRulesTests {
    @Test(
        "Fragments and variables that are not used or undefined, and variables of another type",
        arguments: [
            ViolationCase(
                "{ dog { name } } fragment F on Dog { ...G } fragment G on Dog { name }",
                (.noUnusedFragments, #"1:18: the fragment "F" is not used"#),
                (.noUnusedFragments, #"1:45: the fragment "G" is not used"#)),
            ViolationCase(
                "{ dog { ...F } }",
                (.knownFragmentNames, #"1:9: the fragment "F" is not defined"#)),
            ViolationCase(
                "{ dog { ...F } } fragment F on Dog { name ...F } fragment F on Dog { nickname }",
                (.noFragmentCycles, "1:43: the fragments form a cycle: F → F"),
                (.uniqueFragmentNames, #"1:50: there are two fragments "F""#)),
            ViolationCase(
                "query Q($id: ID) { dog { name } }",
                (.noUnusedVariables, #"1:9: the variable "$id" is not used by the operation "Q""#)),
            ViolationCase(
                "query Q($id: ID, $id: ID) { dog(id: $id) { name } }",
                (.uniqueVariableNames, #"1:18: there are two variables "$id""#)),
            ViolationCase(
                "{ dog(id: $id) { name } }",
                (.noUndefinedVariables, #"1:11: the variable "$id" is not defined by the operation"#)),
            ViolationCase(
                "query P($id: ID) { ...F } query Q { ...F } fragment F on Query { dog(id: $id) { name } }",
                (
                    .noUndefinedVariables,
                    #"1:74: the variable "$id" is not defined by the operation "Q", which spreads the "#
                        + #"fragment "F""#
                )),
            ViolationCase(
                "query Q($id: ID) { human(id: $id) { name } }",
                (.variablesInAllowedPosition, #"1:30: the variable "$id" of type "ID" is used for "id", which expects "ID!""#)),
            ViolationCase(
                "query Q($id: ID = null) { human(id: $id) { name } }",
                (.variablesInAllowedPosition, #"1:37: the variable "$id" of type "ID" is used for "id", which expects "ID!""#)),
            ViolationCase(
                "query Q($id: String!) { human(id: $id) { name } }",
                (.variablesInAllowedPosition, #"1:35: the variable "$id" of type "String!" is used for "id", which expects "ID!""#)),
            ViolationCase(
                "query Q($ids: [ID]) { pets(ids: $ids) { name } }",
                (.variablesInAllowedPosition, #"1:33: the variable "$ids" of type "[ID]" is used for "ids", which expects "[ID!]""#)),
            ViolationCase(
                "query Q($id: ID!) { pets(ids: $id) { name } }",
                (.variablesInAllowedPosition, #"1:31: the variable "$id" of type "ID!" is used for "ids", which expects "[ID!]""#)),
            ViolationCase(
                "query Q($id: ID) { pets(ids: [$id]) { name } }",
                (.variablesInAllowedPosition, #"1:31: the variable "$id" of type "ID" is used for "ids[0]", which expects "ID!""#)),
            ViolationCase(
                "query Q($ids: [ID!]!) { dog(id: $ids) { name } }",
                (.variablesInAllowedPosition, #"1:33: the variable "$ids" of type "[ID!]!" is used for "id", which expects "ID""#)),
            ViolationCase(
                "query P($n: String) { ...F } query Q($n: String!) { ...F } fragment F on Query { pets(filter: {owner: {name: $n}}) { "
                    + "name } }",
                (
                    .variablesInAllowedPosition,
                    #"1:110: the variable "$n" of type "String" is used for "filter.owner.name", which "#
                        + #"expects "String!""#
                )),
            ViolationCase(
                "query Q($id: ID) { find(by: {id: $id}) { name } }",
                (
                    .variablesInAllowedPosition,
                    #"1:34: the variable "$id" of type "ID" is used for a field of "FindBy", which must "#
                        + #"not be null (did you mean "$id: ID!"?)"#
                )),
            ViolationCase(
                "query Q($id: ID = 1) { find(by: {id: $id}) { name } }",
                (
                    .variablesInAllowedPosition,
                    #"1:38: the variable "$id" of type "ID" is used for a field of "FindBy", which must "#
                        + #"not be null (did you mean "$id: ID!"?)"#
                )),
            ViolationCase(
                "query Q($if: Boolean) { dog @include(if: $if) { name } }",
                (
                    .variablesInAllowedPosition,
                    #"1:42: the variable "$if" of type "Boolean" is used for "if", which expects "#
                        + #""Boolean!""#
                )),
            ViolationCase(
                "{ ...Dogs } fragment Dog on Query { dog { name } }",
                (.knownFragmentNames, #"1:3: the fragment "Dogs" is not defined (did you mean "Dog"?)"#),
                (.noUnusedFragments, #"1:13: the fragment "Dog" is not used"#)),
            ViolationCase(
                "query Q($dogs: ID) { dog(id: $dog) { name } }",
                (.noUnusedVariables, #"1:9: the variable "$dogs" is not used by the operation "Q""#),
                (
                    .noUndefinedVariables,
                    #"1:30: the variable "$dog" is not defined by the operation "Q" (did you mean "#
                        + #""$dogs"?)"#
                )),
        ])
    func uses(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid uses",
        arguments: [
            "query Q($id: ID = 1) { human(id: $id) { ...F } } fragment F on Human { pets { ...G } } fragment G on Pet { name }",
            "query Q($first: Int, $limit: Int) { pets(first: $first, filter: {limit: $limit}) { name } }",
            "query P($id: ID!) { ...F } query Q($id: ID) { ...F } fragment F on Query { dog(id: $id) { name } }",
            "query Q($ids: [ID!]!, $i: ID!) { pets(ids: $ids) { name } more: pets(ids: [$i, 2]) { name } }",
            "query Q($if: Boolean = true) { dog { name @include(if: $if) } }",
        ])
    func validUses(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
