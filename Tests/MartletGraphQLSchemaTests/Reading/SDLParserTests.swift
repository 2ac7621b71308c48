import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("SDLParser", .timeLimit(.minutes(5)))
struct SDLParserTests {
    private func error(_ sdl: String) -> String? {
        do {
            _ = try SDLParser.parse(sdl)
            return nil
        } catch { return error.description }
    }

    @Test("Every kind of definition is read")
    func kinds() throws {
        let found = try SDLParser.parse(
            #"""
            "The service" schema @a { query: Query, mutation: M }
            """
            A date.
              Indented.
            """
            scalar Date @specifiedBy(url: "https://example.org/date")
            type Query implements & Node & Named @a {
              "The hero" hero("Its ID" id: ID! = 1 @b, "Old" old: [Int!] @deprecated): Hero! @deprecated(reason: "Use heroes")
            }
            interface Node implements Named { id: ID! }
            union Any = | Query | Hero
            enum Color { "Hot" RED BLUE @deprecated }
            input Filter @oneOf { name: String, size: Int @deprecated(reason: "big") }
            directive @a("x" x: Int = 3) repeatable on | OBJECT | SCHEMA
            directive @b on ARGUMENT_DEFINITION
            """#)
        #expect(found.description == "The service")
        #expect(found.roots.map(\.type) == ["Query", "M"] && found.roots.map(\.kind) == [.query, .mutation])
        #expect(found.types.map(\.kind) == [.scalar, .object, .interface, .union, .enumeration, .inputObject])
        #expect(found.types.map(\.name) == ["Date", "Query", "Node", "Any", "Color", "Filter"])
        #expect(found.types[0].description == "A date.\n  Indented.")
        #expect(found.types[0].specifiedBy == "https://example.org/date")
        #expect(found.types[1].interfaces == ["Node", "Named"])
        let hero = try #require(found.types[1].fields.first)
        #expect(hero.description == "The hero" && hero.type.description == "Hero!" && hero.deprecation == "Use heroes")
        #expect(hero.arguments.map(\.name) == ["id", "old"] && hero.arguments.map(\.description) == ["Its ID", "Old"])
        #expect(hero.arguments.map(\.defaultValue) == [.integer("1"), nil])
        #expect(hero.arguments.map(\.deprecation) == [nil, "No longer supported"])
        #expect(hero.place.line == 8 && hero.place.column == 14)
        #expect(found.types[2].interfaces == ["Named"])
        #expect(found.types[3].members == ["Query", "Hero"])
        #expect(found.types[4].values.map(\.name) == ["RED", "BLUE"])
        #expect(found.types[4].values.map(\.deprecation) == [nil, "No longer supported"])
        #expect(found.types[5].isOneOf && found.types[5].inputFields.map(\.deprecation) == [nil, "big"])
        #expect(found.directives.map(\.name) == ["a", "b"] && found.directives.map(\.isRepeatable) == [true, false])
        #expect(
            found.directives[0].locations == ["OBJECT", "SCHEMA"] && found.directives[0].arguments.first?.defaultValue == .integer("3"))
        #expect(found.uses.map(\.owner).prefix(3) == ["schema", "Date", "Query"])
        #expect(found.uses.first { $0.directive.name == "b" }?.owner == "Query.hero(id:)")
    }

    @Test("Every kind of extension is read")
    func extensions() throws {
        let found = try SDLParser.parse(
            """
            extend schema @a { query: Q } extend schema @b extend scalar S @a extend type T implements I extend type T { a: Int }
            extend interface I { b: Int } extend union U = T extend enum E { A } extend input N { c: Int }
            """)
        #expect(found.types == [] && found.extensions.map(\.name) == ["S", "T", "T", "I", "U", "E", "N"])
        #expect(found.roots.map(\.type) == ["Q"] && found.schemas == [])
    }

    @Test(
        "A syntax error says what was expected, with its position",
        arguments: [
            (
                "query { a }",
                #"1:1: expected "type", "interface", "union", "enum", "input", "scalar", "directive", "schema" or "extend", "#
                    + #"found "query""#
            ),
            ("type A {}", #"1:9: expected a field's name, found "}""#), ("type A { a Int }", #"1:12: expected ":", found "Int""#),
            ("type A { a: Int", #"1:16: expected a field's name or "}", found the end of the document"#),
            ("type A { a(): Int }", #"1:12: expected an argument's name, found ")""#),
            ("input A { a: Int = $b }", #"1:20: expected a value without variables, found "$""#),
            ("extend type A", "1:14: expected what the extension adds, found the end of the document"),
            (
                #""x" extend type A { a: Int }"#,
                #"1:5: expected "type", "interface", "union", "enum", "input", "scalar", "directive", "#
                    + #""schema" or "extend", found "extend""#
            ),
            ("schema { querie: Q }", #"1:10: expected "query", "mutation" or "subscription", found "querie""#),
            ("schema", #"1:7: expected "{", found the end of the document"#),
            ("directive @a FIELD", #"1:14: expected "on" and the locations of the directive, found "FIELD""#),
            ("union A = | |", #"1:13: expected a type's name, found "|""#),
            ("type A implements { a: Int }", #"1:19: expected an interface's name, found "{""#),
            (#"type A { a: Int @deprecated(reason: "x }"#, #"1:41: expected '"' at the end of the string, found the end of the document"#),
        ])
    func errors(sdl: String, message: String) { #expect(error(sdl) == message) }

    @Test("A text is parsed with offsets that begin at its own, and lines that begin at 1")
    func offset() throws {
        let found = try SDLParser.parse("#ä\ntype A { a: Int } type B { b: Int }\n", offset: 1000)
        #expect(
            found.types.map(\.place) == [
                SourcePlace(offset: 1009, line: 2, column: 6), SourcePlace(offset: 1027, line: 2, column: 24),
            ])
    }

    @Test("Built-in types and directives are in every schema")
    func builtIns() throws {
        let found = try SDLParser.parse(BuiltInDefinitions.text)
        #expect(found.types.map(\.name).prefix(5) == ["Int", "Float", "String", "Boolean", "ID"])
        let schema = try GraphQLSchema(sdl: "type Query { a: Int }")
        #expect(schema.types["__Type"]?.fields.count == 11 && schema.types["Int"]?.kind == .scalar)
        #expect(Set(schema.directives.keys) == ["include", "skip", "deprecated", "specifiedBy", "oneOf", "defer", "stream"])
        #expect(schema.ownTypes == ["Query"] && schema.roots == [.query: "Query"])
        #expect(schema.possibleTypes(of: "__Type") == ["__Type"])
    }

    @Test("Deep nesting and too many tokens are errors")
    func limits() {
        #expect(error("type A { a: \(String(repeating: "[", count: 300))")?.contains("at most 200 levels of nesting") == true)
        #expect(error("input A { a: Int = \(String(repeating: "[", count: 300))")?.contains("at most 200 levels of nesting") == true)
        #expect(throws: GraphQLSyntaxError.self) { try SDLParser.parse("type A { a: Int }", limits: SyntaxLimits(tokens: 3)) }
    }
}
