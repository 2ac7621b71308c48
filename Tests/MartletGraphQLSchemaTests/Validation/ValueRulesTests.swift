import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of values", .timeLimit(.minutes(5)))
struct ValueRulesTests {
    @Test(
        "Values that have another type",
        arguments: [
            ViolationCase(
                "{ arguments(required: null) }",
                (.valuesOfCorrectType, #"1:13: expected a value of type "Int!" for "required", found "null""#)),
            ViolationCase(
                "{ arguments(required: 2147483648) }",
                (.valuesOfCorrectType, #"1:13: expected a value of type "Int!" for "required", found "2147483648""#)),
            ViolationCase(
                "{ arguments(required: 1.0) }",
                (.valuesOfCorrectType, #"1:13: expected a value of type "Int!" for "required", found "1.0""#)),
            ViolationCase(
                #"{ arguments(required: 1, int: "1") }"#,
                (.valuesOfCorrectType, #"1:26: expected a value of type "Int" for "int", found the string "1""#)),
            ViolationCase(
                "{ arguments(required: 1, int: [1]) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "Int" for "int", found a list"#)),
            ViolationCase(
                #"{ arguments(required: 1, float: "1.5") }"#,
                (.valuesOfCorrectType, #"1:26: expected a value of type "Float" for "float", found the string "1.5""#)),
            ViolationCase(
                "{ arguments(required: 1, float: 1e400) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "Float" for "float", found "1e400""#)),
            ViolationCase(
                "{ arguments(required: 1, string: 1) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "String" for "string", found "1""#)),
            ViolationCase(
                "{ arguments(required: 1, string: SMALL) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "String" for "string", found "SMALL""#)),
            ViolationCase(
                #"{ arguments(required: 1, boolean: "true") }"#,
                (.valuesOfCorrectType, #"1:26: expected a value of type "Boolean" for "boolean", found the string "true""#)),
            ViolationCase(
                "{ arguments(required: 1, boolean: 1) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "Boolean" for "boolean", found "1""#)),
            ViolationCase(
                "{ arguments(required: 1, id: 1.5) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "ID" for "id", found "1.5""#)),
            ViolationCase(
                "{ arguments(required: 1, id: true) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "ID" for "id", found "true""#)),
            ViolationCase(
                #"{ arguments(required: 1, size: "SMALL") }"#,
                (
                    .valuesOfCorrectType,
                    #"1:26: expected a value of type "Size" for "size", found the string "SMALL" (did you "#
                        + #"mean "SMALL"?)"#
                )),
            ViolationCase(
                "{ arguments(required: 1, size: SMAL) }",
                (
                    .valuesOfCorrectType,
                    #"1:26: expected a value of type "Size" for "size", found "SMAL" (did you mean "#
                        + #""SMALL"?)"#
                )),
            ViolationCase(
                "{ arguments(required: 1, size: {a: 1}) }",
                (.valuesOfCorrectType, #"1:26: expected a value of type "Size" for "size", found an object"#)),
            ViolationCase(
                "{ pets(ids: [1, null, 2.5]) { name } }",
                (.valuesOfCorrectType, #"1:8: expected a value of type "ID!" for "ids[1]", found "null""#),
                (.valuesOfCorrectType, #"1:8: expected a value of type "ID!" for "ids[2]", found "2.5""#)),
            ViolationCase(
                "{ pets(ids: 2.5) { name } }",
                (.valuesOfCorrectType, #"1:8: expected a value of type "[ID!]" for "ids", found "2.5""#)),
            ViolationCase(
                #"{ pets(matrix: [[1, 2], [3, "4"]]) { name } }"#,
                (.valuesOfCorrectType, #"1:8: expected a value of type "Int!" for "matrix[1][1]", found the string "4""#)),
            ViolationCase(
                #"{ pets(filter: "Rex") { name } }"#,
                (.valuesOfCorrectType, #"1:8: expected a value of type "PetFilter" for "filter", found the string "Rex""#)),
            ViolationCase(
                #"{ pets(filter: {nam: "Rex"}) { name } }"#,
                (
                    .valuesOfCorrectType,
                    #"1:17: the input object "PetFilter" has no field "nam" (did you mean "name" or "#
                        + #""and"?)"#
                )),
            ViolationCase(
                #"{ pets(filter: {owner: {age: "7"}}) { name } }"#,
                (.valuesOfCorrectType, #"1:17: "filter.owner" needs the field "name" of type "String!""#),
                (.valuesOfCorrectType, #"1:25: expected a value of type "Int" for "filter.owner.age", found the string "7""#)),
            ViolationCase(
                "{ pets(filter: {and: [{limit: null}, {sizes: [BIG, HUGE]}]}) { name } }",
                (.valuesOfCorrectType, #"1:24: expected a value of type "Int!" for "filter.and[0].limit", found "null""#),
                (.valuesOfCorrectType, #"1:39: expected a value of type "Size!" for "filter.and[1].sizes[1]", found "HUGE""#)),
            ViolationCase(
                #"{ pets(filter: {name: "a", name: "b"}) { name } }"#,
                (.uniqueInputFieldNames, #"1:28: there are two input fields "name""#)),
            ViolationCase(
                "{ find(by: {}) { name } }",
                (.valuesOfCorrectType, #"1:8: "by" needs exactly one field of "FindBy", and it must not be null"#)),
            ViolationCase(
                #"{ find(by: {id: 1, name: "Rex"}) { name } }"#,
                (.valuesOfCorrectType, #"1:8: "by" needs exactly one field of "FindBy", and it must not be null"#)),
            ViolationCase(
                "{ find(by: {id: null}) { name } }",
                (.valuesOfCorrectType, #"1:8: "by" needs exactly one field of "FindBy", and it must not be null"#)),
            ViolationCase(
                #"query Q($first: Int! = "10", $filter: PetFilter = {limit: 1.5}) { pets(first: $first, filter: $filter) { name } }"#,
                (.valuesOfCorrectType, #"1:9: expected a value of type "Int!" for "$first", found the string "10""#),
                (.valuesOfCorrectType, #"1:52: expected a value of type "Int!" for "$filter.limit", found "1.5""#)),
            ViolationCase(
                "{ dog @include(if: 1) { name } }",
                (.valuesOfCorrectType, #"1:16: expected a value of type "Boolean!" for "if", found "1""#)),
        ])
    func values(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid values",
        arguments: [
            #"{ arguments(required: -2147483648, float: 1, string: """a""", boolean: false, id: 4, size: BIG) }"#,
            #"{ arguments(required: 1, float: -1.5e3, id: "4", date: {any: [1, "a", THING, null]}, int: null) }"#,
            #"{ pets(ids: 1, matrix: [1], filter: {sizes: BIG, and: {name: "Rex"}}) { name } }"#,
            "query Q($name: String!, $sizes: [Size!], $d: Int) { pets(filter: {owner: {name: $name}, sizes: $sizes}) { name } "
                + "arguments(required: 1, date: [{a: $d}]) }",
            #"query Q($id: ID!) { find(by: {id: $id}, orBy: {name: "Rex"}) { name } }"#,
        ])
    func validValues(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
