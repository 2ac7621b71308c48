import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of types of fragments and variables", .timeLimit(.minutes(5)))
struct DocumentWalkTests {
    @Test(
        "Types that are unknown or of the wrong kind, and fragments that never apply",
        arguments: [
            ViolationCase(
                "{ dog { ... on Dgo { name } } }",
                (.knownTypeNames, #"1:16: the schema has no type "Dgo" (did you mean "Dog"?)"#)),
            ViolationCase(
                "{ ...F } fragment F on Qery { dog { name } }",
                (.knownTypeNames, #"1:24: the schema has no type "Qery" (did you mean "Query"?)"#)),
            ViolationCase(
                "{ dog { ... on String { length } } }",
                (
                    .fragmentsOnCompositeTypes,
                    "1:16: a fragment's type must be an object, interface or union, found the scalar "
                        + #""String""#
                )),
            ViolationCase(
                "{ dog { ...F } } fragment F on PetFilter { name }",
                (
                    .fragmentsOnCompositeTypes,
                    "1:32: a fragment's type must be an object, interface or union, found the input "
                        + #"object "PetFilter""#
                )),
            ViolationCase(
                "query Q($id: IDD) { dog(id: $id) { name } }",
                (.knownTypeNames, #"1:14: the schema has no type "IDD" (did you mean "ID" or "Int"?)"#)),
            ViolationCase(
                "query Q($dog: [Dog!]!) { dog(id: $dog) { name } }",
                (.variablesAreInputTypes, #"1:15: the variable "$dog" must have an input type, found the object "[Dog!]!""#),
                (.variablesInAllowedPosition, #"1:34: the variable "$dog" of type "[Dog!]!" is used for "id", which expects "ID""#)),
            ViolationCase(
                "{ dog { ... on Cat { name } } }",
                (.possibleFragmentSpreads, #"1:9: a fragment on "Cat" never applies to a value of type "Dog""#)),
            ViolationCase(
                "{ dog { ...F } } fragment F on Cat { name }",
                (.possibleFragmentSpreads, #"1:9: the fragment "F" on "Cat" never applies to a value of type "Dog""#)),
            ViolationCase(
                "{ catOrDog { ... on Human { name } } }",
                (.possibleFragmentSpreads, #"1:14: a fragment on "Human" never applies to a value of type "CatOrDog""#)),
            ViolationCase(
                "{ human(id: 1) { ...F } } fragment F on Pet { name }",
                (.possibleFragmentSpreads, #"1:18: the fragment "F" on "Pet" never applies to a value of type "Human""#)),
            ViolationCase(
                "{ pet { ...F } } fragment F on Pet { ... on Canine { ... on Cat { name } } }",
                (.possibleFragmentSpreads, #"1:54: a fragment on "Cat" never applies to a value of type "Canine""#)),
        ])
    func types(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid types",
        arguments: [
            "{ pet { ... on Dog { name } ... on CatOrDog { ... on Pet { name } } ... on Canine { name } ... { name } ... "
                + "@include(if: true) { name } } }",
            "{ dog { ...F ...G } } fragment F on Pet { name } fragment G on CatOrDog { ... on Dog { name } }",
            "query Q($a: Int, $b: [[Int!]!], $c: PetFilter, $d: Size, $e: Date) { arguments(required: 1, int: $a, size: $d, date: "
                + "$e) pets(matrix: $b, filter: $c) { name } }",
        ])
    func validTypes(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
