import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("Validation of arguments", .timeLimit(.minutes(5)))
struct ArgumentRulesTests {
    @Test(
        "Arguments that do not exist, are repeated or are missing",
        arguments: [
            ViolationCase(
                "{ dog(di: 1) { name } }",
                (.knownArgumentNames, #"1:7: the field "Query.dog" has no argument "di" (did you mean "id"?)"#)),
            ViolationCase(
                "{ dog { knows(comand: SIT) } }",
                (.providedRequiredArguments, #"1:9: the field "Dog.knows" needs the argument "command" of type "Command!""#),
                (.knownArgumentNames, #"1:15: the field "Dog.knows" has no argument "comand" (did you mean "command"?)"#)),
            ViolationCase(
                "{ dog { knows } }",
                (.providedRequiredArguments, #"1:9: the field "Dog.knows" needs the argument "command" of type "Command!""#)),
            ViolationCase(
                "{ dog(id: 1, id: 2) { name } }",
                (.uniqueArgumentNames, #"1:14: there are two arguments "id""#)),
            ViolationCase(
                "{ dog @include(iff: true) { name } }",
                (.providedRequiredArguments, #"1:7: the directive "@include" needs the argument "if" of type "Boolean!""#),
                (.knownArgumentNames, #"1:16: the directive "@include" has no argument "iff" (did you mean "if"?)"#)),
            ViolationCase(
                "{ dog @skip { name } }",
                (.providedRequiredArguments, #"1:7: the directive "@skip" needs the argument "if" of type "Boolean!""#)),
            ViolationCase(
                #"{ dog { name @many(reason: "a", reason: "b") } }"#,
                (.uniqueArgumentNames, #"1:33: there are two arguments "reason""#)),
            ViolationCase(
                "{ __type { name } }",
                (.providedRequiredArguments, #"1:3: the field "Query.__type" needs the argument "name" of type "String!""#)),
            ViolationCase(
                "{ dog { name(a: 1) } }",
                (.knownArgumentNames, #"1:14: the field "Dog.name" has no argument "a""#)),
        ])
    func arguments(_ invalid: ViolationCase) {
        #expect(invalid.found == invalid.expected)
        #expect(!GraphQLDocument(invalid.text).isValid(in: .pets))
    }

    @Test(
        "Valid arguments",
        arguments: [
            "{ pets { name } dog(id: 1) { name @once knows(command: SIT) } }"
        ])
    func validArguments(_ text: String) {
        #expect(GraphQLDocument(text).violations(in: .pets) == [])
        #expect(GraphQLDocument(text).isValid(in: .pets))
    }
}
