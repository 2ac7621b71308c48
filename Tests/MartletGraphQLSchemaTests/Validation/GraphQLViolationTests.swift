import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("GraphQLViolation", .timeLimit(.minutes(5)))
struct GraphQLViolationTests {
    @Test("A violation has the rule, the position, the message and a hint")
    func parts() throws {
        let document: GraphQLDocument = "query Pet {\n  dog {\n    # é\n    nmae\n  }\n}"
        let violation = try #require(document.violations(in: .pets).first)
        #expect(violation.rule == .fieldsOnCorrectType)
        #expect(violation.rule.rawValue == "FieldsOnCorrectTypeRule")
        #expect((violation.line, violation.column) == (4, 5))
        #expect(violation.message == "the type \"Dog\" has no field \"nmae\"")
        #expect(violation.hint == "did you mean \"name\"?")
        #expect(violation.description == "4:5: the type \"Dog\" has no field \"nmae\" (did you mean \"name\"?)")
        let plain = GraphQLViolation(rule: .limits, message: "too large", line: 1, column: 2)
        #expect(plain.description == "1:2: too large")
    }

    @Test("Violations are in the order of the text, whatever their rules")
    func order() {
        let document: GraphQLDocument = """
            query A($unused: Nowhere) { ...Missing dog { a: name a: nickname none } }
            fragment F on Dog { ...F }
            query A { dog @unknown }
            """
        #expect(
            document.violations(in: .pets).map { "\($0.line):\($0.column) \($0.rule)" } == [
                "1:9 noUnusedVariables", "1:18 knownTypeNames", "1:29 knownFragmentNames", "1:54 overlappingFieldsCanBeMerged",
                "1:66 fieldsOnCorrectType", "2:1 noUnusedFragments", "2:21 noFragmentCycles", "3:1 uniqueOperationNames",
                "3:11 scalarLeafs",
                "3:15 knownDirectives",
            ])
    }

    @Test("A syntax error is the only violation")
    func syntax() {
        let document: GraphQLDocument = "{ dog { nmae "
        #expect(
            document.violations(in: .pets) == [
                GraphQLViolation(
                    rule: .syntax, message: "expected a field, \"...\" or \"}\", found the end of the document", line: 1, column: 14)
            ])
        #expect(!document.isValid(in: .pets))
        let types: GraphQLDocument = "type Query { dog: Dog }"
        #expect(types.violations(in: .pets).map(\.rule) == [.syntax])
    }

    @Test("The fragments of a document are validated with it, at their positions in the complete text")
    func fragments() {
        let fragment: GraphQLFragment = "fragment Names on Dog { nmae }"
        let document: GraphQLDocument = "{ dog { \(fragment) } }"
        #expect(document.text == "{ dog { ...Names } }\n\nfragment Names on Dog { nmae }")
        #expect(
            document.violations(in: .pets).map(\.description) == ["3:25: the type \"Dog\" has no field \"nmae\" (did you mean \"name\"?)"])
    }

    @Test("An operation in a fragment of the document is a violation")
    func operationInFragment() {
        let document = GraphQLDocument("query A { ...F }", fragments: ["fragment F on Query { dog { name } } query B { dog { name } }"])
        #expect(document.violations(in: .pets).map(\.description) == ["3:38: expected a fragment, found an operation"])
        #expect(!document.isValid(in: .pets))
    }

    @Test("The type of an operation must exist in the schema")
    func operationTypes() throws {
        let schema = try GraphQLSchema(sdl: "type Query { a: Int }")
        let document: GraphQLDocument = "query A { a } mutation B { b { c } } subscription C { __typename }"
        #expect(
            document.violations(in: schema).map(\.description) == [
                "1:15: the schema has no mutation type", "1:38: the schema has no subscription type",
            ])
    }

    @Test("Each rule for documents has a case")
    func rules() {
        #expect(GraphQLRule.allCases.count == 32)
        #expect(GraphQLRule(rawValue: "PossibleFragmentSpreadsRule") == .possibleFragmentSpreads)
    }
}
