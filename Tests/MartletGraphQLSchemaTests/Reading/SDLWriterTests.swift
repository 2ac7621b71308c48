import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

@Suite("SDLWriter", .timeLimit(.minutes(5)))
struct SDLWriterTests {
    @Test("A schema is written as a person would write it, and read again as the same")
    func text() throws {
        let sdl = #"""
            "The service"
            schema {
              query: Query
            }

            "A directive"
            directive @a("x" x: Int) on FIELD | OBJECT

            """
            Two
              "lines" and \"""
            """
            type Query implements I & J {
              "One \"line\""
              hero(id: ID! = "a\n", in: In = {a: [1, 2.5], b: {a: null}}): [Hero!]! @deprecated(reason: "x")
              long(
                "An argument"
                id: ID
              ): E @deprecated
            }
            """#
        let others =
            " interface I { long(id: ID): E } interface J { long(id: ID): E } type Hero { a: S } enum E { A B @deprecated } scalar S @specifiedBy(url: \"u\")"
        let inputs =
            " input In { a: [Float], b: In } input One @oneOf { a: Int b: String @deprecated(reason: \"no\") } union U = Hero | Query"
        let schema = try GraphQLSchema(sdl: sdl + others + inputs)
        let written = schema.sdl
        #expect(written.hasPrefix(sdl.replacing("(\"x\" x: Int)", with: "(\n  \"x\"\n  x: Int\n)")))
        #expect(try GraphQLSchema(sdl: written).sdl == written)
        #expect(written.contains("scalar S @specifiedBy(url: \"u\")\n") && written.contains("input One @oneOf {\n"))
        #expect(written.contains("union U = Hero | Query\n") && written.contains("  B @deprecated\n"))
    }

    @Test(
        "A description is kept exactly",
        arguments: [
            "", " ", "a", "a\nb", "a\n\nb", " a\nb", "a\n b ", "a\n  ", "\na", "a\n", "  a\n  b", "\"\"\"", "a\n\"\"\"\"", "\\",
            "a\n\\\"\"\"\\",
            "\t", "a\r\nb", "a\rb", "\u{0}\u{7F}\u{85}", "ä😀\n\u{2028}", "*/ // \"\n#", "a\n\tb", "\n", "a\"\nb\"", "a\n   \nb",
            "a\nsay \"\"\"\u{301}", "a\nsay \"\"\u{301}\"\"\"\"", " \u{301}a\n b", "\u{301}\n \u{301}", "a\n \u{301}", "\\\u{301}",
            "a\n\\\"\"\"\u{301}",
        ])
    func descriptions(text: String) throws {
        let schema = GraphQLSchema(
            types: [
                SchemaType(
                    kind: .object, name: "Query", description: text,
                    fields: [FieldDefinition(name: "a", description: text, type: .named("Int"), deprecation: text)])
            ], directives: [], roots: [.query: "Query"], description: text)
        let read = try GraphQLSchema(sdl: schema.sdl)
        let query = try #require(read.types["Query"]), expected = Array(text.unicodeScalars)
        for description in [read.description, query.description, query.fields[0].description, query.fields[0].deprecation] {
            #expect(description.map { Array($0.unicodeScalars) } == expected, "\(schema.sdl)")
        }
    }
}
