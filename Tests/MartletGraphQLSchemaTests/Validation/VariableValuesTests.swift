import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("VariableValues", .timeLimit(.minutes(5)))
struct VariableValuesTests {
    private static let sdl = """
        type Query { a: Int } input In { a: Int! b: [Color!] = null c: In } input One @oneOf { a: Int b: Int }
        enum Color { RED BLUE } scalar Date scalar Upload
        """

    @Test(
        "Variables have values of their types",
        arguments: [
            ("Int", 3, nil), ("Int!", .null, #"$x of type "Int!" is null"#), ("Int", .null, nil), ("Int", 3.5, #"$x of type "Int" is 3.5"#),
            ("Int", 3_000_000_000, #"$x of type "Int" is 3000000000"#), ("Float", 3, nil), ("ID", 3, nil), ("ID!", "a", nil),
            ("String", 3, #"$x of type "String" is 3"#), ("Boolean", "true", #"$x of type "Boolean" is "true""#), ("Date", ["a": 1], nil),
            ("[Int!]", [1, nil], #"$x[1] of type "Int!" is null"#), ("[Int]", 3, nil), ("Int", [3], #"$x of type "Int" is a list"#),
            ("Color", "RED", nil), ("Color", "RD", #"$x of type "Color" is "RD" (did you mean "RED"?)"#),
            ("Color", 1, #"$x of type "Color" is 1"#),
            ("In", ["a": 1, "b": ["RED"], "c": ["a": 2]], nil), ("In", ["b": .null], #"$x lacks the field "a" of type "Int!""#),
            ("In", ["a": 1, "c": ["a": "x"]], #"$x.c.a of type "Int" is "x""#), ("In", 1, #"$x of type "In" is 1"#),
            ("In", ["a": 1, "d": 1], #"$x has "d", which is no field of the input object "In""#),
            ("One", ["a": 1], nil), ("One", [:], #"$x needs exactly one field of "One", and not null"#),
            ("One", ["a": 1, "b": 2], #"$x needs exactly one field of "One", and not null"#),
            ("One", ["a": nil], #"$x needs exactly one field of "One", and not null"#),
        ] as [(String, GraphQLVariable, String?)])
    func values(type: String, value: GraphQLVariable, message: String?) throws {
        #expect(try violations("query ($x: \(type)) { a }", ["x": value]) == (message.map { [$0] } ?? []))
    }

    @Test("A variable may be missing if it is nullable or has a default value")
    func missing() throws {
        #expect(try violations("query ($x: Int, $y: Int! = 3, $z: Int!) { a }", [:]) == [#"$z of type "Int!" is missing"#])
    }

    private func violations(_ document: String, _ variables: [String: GraphQLVariable]) throws -> [String] {
        let operation = try ExecutableDocument.parse(document).operations[0]
        return VariableValues.violations(of: variables, for: operation, schema: try GraphQLSchema(sdl: Self.sdl))
    }
}
