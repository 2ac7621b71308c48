import MartletGraphQL
import Testing

@testable import MartletGraphQLSchema

/// Returns the mistake for a part of a default value.
private func wrong(_ type: String, _ found: String, part: String = "", at column: Int = 16) -> String {
    #"1:\#(column): expected a value of type "\#(type)" for "Query.q(x:)\#(part)", found \#(found)"#
}

@Suite("SchemaRules", .timeLimit(.minutes(5)))
struct SchemaRulesTests {
    private func mistakes(_ sdl: String) -> [String] {
        do {
            _ = try GraphQLSchema(sdl: sdl)
            return []
        } catch { return error.mistakes.map(\.description) }
    }

    @Test(
        "Each violation is reported with its position",
        arguments: [
            // Names
            ("type A { a: Int } type A { b: Int }", [#"1:24: there are two definitions of the type "A""#]),
            ("directive @a on FIELD directive @a on FIELD", [#"1:34: there are two definitions of the directive "@a""#]),
            ("type A { a: Int a: Int }", [#"1:17: there are two fields "A.a""#]),
            ("type A { a(x: Int x: Int): Int }", [#"1:19: there are two arguments "A.a(x:)""#]),
            ("enum A { B B }", [#"1:12: there are two values "A.B""#]),
            ("input A { a: Int a: Int }", [#"1:18: there are two fields "A.a""#]),
            ("type A { a: Int } union U = A | A", [#"1:33: "A" is a member of the union "U" twice"#]),
            ("type __A { a: Int }", [#"1:6: the type "__A" begins with "__", which is reserved for introspection"#]),
            ("type A { __a: Int }", [#"1:10: "A.__a" begins with "__", which is reserved for introspection"#]),
            ("directive @__a on FIELD", [#"1:12: the directive "@__a" begins with "__", which is reserved for introspection"#]),
            ("enum A { true }", [#"1:10: "A.true" can't be the name of an enum's value"#]),
            // References
            (
                "type Hero { a: Int } type A { a: Heros }",
                [#"1:31: the type "Heros" of "A.a" is not defined (did you mean "Hero"?)"#]
            ),
            ("type A { a(b: [Xyzzy!]!): Int }", [#"1:12: the type "Xyzzy" of "A.a(b:)" is not defined"#]),
            ("input I { a: Int } type A { a: [I] }", [#"1:29: the type of "A.a" is the input object "I", and must be an output type"#]),
            ("type A { a(b: A): Int }", [#"1:12: the type of "A.a(b:)" is an object, "A", and must be an input type"#]),
            ("type A { a: Int } input I { a: A }", [#"1:29: the type of "I.a" is an object, "A", and must be an input type"#]),
            ("scalar S union U = S", [#"1:20: the member "S" of the union "U" is a scalar, and must be an object"#]),
            ("union U = Zorro", [#"1:11: the type "Zorro" of the union "U" is not defined"#]),
            // Empty types
            ("type A", [#"1:6: the type "A" has no fields"#]), ("interface A", [#"1:11: the interface "A" has no fields"#]),
            ("union A", [#"1:7: the union "A" has no members"#]), ("enum A", [#"1:6: the enum "A" has no values"#]),
            ("input A", [#"1:7: the input "A" has no fields"#]),
            // Extensions
            (
                "extend type Querie { a: Int }",
                [
                    #"1:13: the type "Querie", which is extended, is not defined (did you mean "Query"?)"#
                ]
            ), ("extend input Query { a: Int }", [#"1:14: "Query" is an object, and is extended as an input object"#]),
            ("extend type Query { q: Int }", [#"1:21: there are two fields "Query.q""#]),
            // One of
            (
                "input A @oneOf { a: Int! b: Int = 1 }",
                [
                    #"1:18: "A.a" of a @oneOf must not be "Int!", but nullable"#, #"1:26: "A.b" of a @oneOf has a default value"#,
                ]
            ),
            // Deprecation
            (
                "type A { a(b: Int! @deprecated): Int }",
                [
                    #"1:12: "A.a(b:)" is deprecated, but required. Make it nullable, or give it a default value"#
                ]
            ),
        ])
    func violations(sdl: String, expected: [String]) { #expect(mistakes(sdl + " type Query { q: Int }") == expected) }

    @Test(
        "Root types are objects, exist, and differ",
        arguments: [
            ("type A { a: Int }", [#"the schema has no query type: define the object "Query", or name one in "schema""#]),
            (
                "schema { mutation: A } type A { a: Int }",
                [#"1:1: the schema has no query type: define the object "Query", or name one in "schema""#]
            ),
            ("schema { query: B } type A { a: Int }", [#"1:10: the type "B" of the query type is not defined"#]),
            ("schema { query: A } union A = B type B { b: Int }", [#"1:10: the query type "A" is a union, and must be an object"#]),
            ("schema { query: A mutation: A } type A { a: Int }", [#"1:19: "A" is the mutation type and the query type"#]),
            ("schema { query: A query: B } type A { a: Int } type B { b: Int }", ["1:19: the query type is given twice"]),
            ("schema { query: A } schema { mutation: B } type A { a: Int } type B { b: Int }", [#"1:21: "schema" is defined twice"#]),
        ])
    func roots(sdl: String, expected: [String]) { #expect(mistakes(sdl) == expected) }

    @Test(
        "A type has what its interfaces promise",
        arguments: [
            ("type A implements I { b: Int }", [#"1:19: "A" lacks the field "a" of its interface "I""#]),
            ("type A implements I & I { a(x: Int): Int }", [#"1:23: "A" implements "I" twice"#]),
            (
                "type A implements I { a(x: Int): String }",
                [#"1:23: "A.a" has the type "String", which is not a kind of "Int" of "I.a""#]
            ),
            ("type A implements I { a(x: Int): Int! }", []),
            ("type A implements I { a: Int }", [#"1:23: "A.a" lacks the argument "x" of "I.a""#]),
            ("type A implements I { a(x: Int!): Int }", [#"1:25: "A.a(x:)" has the type "Int!", but "I.a(x:)" has "Int""#]),
            ("type A implements I { a(x: Int, y: Int!): Int }", [#"1:33: "A.a(y:)" is required, but "I.a" has no such argument"#]),
            ("type A implements I { a(x: Int, y: Int, z: Int! = 1): Int }", []),
            ("type A implements Q { a: Int } type Q { a: Int }", [#"1:19: "A" implements "Q", which is an object, not an interface"#]),
            ("type A implements J { a(x: Int): Int }", [#"1:19: "A" must implement "I" too, because "J" does"#]),
            ("type A implements L { l: [A!]! }", []),
            (
                "type A implements L { l: [[A]] }",
                [#"1:23: "A.l" has the type "[[A]]", which is not a kind of "[L]" of "L.l""#]
            ),
            ("interface A implements A { a: Int }", [#"1:24: the interface "A" implements itself"#]),
            (
                "interface A implements B { a: Int } interface B implements A { a: Int }",
                [
                    #"1:24: the interface "A" implements itself through "B""#, #"1:60: the interface "B" implements itself through "A""#,
                ]
            ), ("type A implements U { u: A } interface U { u: AorQuery } union AorQuery = A | Query", []),
        ])
    func interfaces(sdl: String, expected: [String]) {
        let others =
            " interface I { a(x: Int): Int } interface J implements I { a(x: Int): Int } interface L { l: [L] } type Query { q: Int }"
        #expect(mistakes(sdl + others) == expected)
    }

    @Test(
        "Input objects have finite values",
        arguments: [
            ("input A { a: A! }", [#"1:11: "A" requires itself, so that it has no finite value: A.a → A.a"#]),
            ("input A { a: A, b: [A!]! }", []),
            (
                "input A { b: B! } input B { c: C! } input C { a: A! x: D! } input D { d: D! }",
                [
                    #"1:11: "A" requires itself, so that it has no finite value: A.b → B.c → C.a → A.b"#,
                    #"1:71: "D" requires itself, so that it has no finite value: D.d → D.d"#,
                ]
            ), ("input A { a: A = {} }", [#"1:11: the default value of "A.a" needs itself: A.a → A.a"#]),
            ("input A { a: A = { a: null } }", []),
            (
                "input A { b: B = {} } input B { a: [A] = [{}, { b: null }] }",
                [#"1:11: the default value of "A.b" needs itself: A.b → B.a → A.b"#]
            ),
        ])
    func inputCycles(sdl: String, expected: [String]) { #expect(mistakes(sdl + " type Query { q: Int }") == expected) }

    @Test(
        "Default values have their types, by the same rules as in documents",
        arguments: [
            ("Int = 1", nil), ("Int = 2147483648", wrong("Int", #""2147483648""#)), ("Int = 1.0", wrong("Int", #""1.0""#)),
            ("Int! = null", wrong("Int!", #""null""#)), ("Int = null", nil),
            ("[Int!] = [1, null]", wrong("Int!", #""null""#, part: "[1]")), ("[[Int]] = 3", nil), ("Float = 1", nil),
            ("Float = 1e999", wrong("Float", #""1e999""#)), ("String = 1", wrong("String", #""1""#)), ("ID = 1", nil), ("ID = \"a\"", nil),
            ("ID = true", wrong("ID", #""true""#)), ("Boolean = true", nil), ("Date = [1, {a: B}]", nil), ("Color = RED", nil),
            ("Color = REED", wrong("Color", #""REED" (did you mean "RED"?)"#)),
            ("Color = \"RED\"", wrong("Color", #"the string "RED" (did you mean "RED"?)"#)), ("Color = 1", wrong("Color", #""1""#)),
            ("In = { a: 1 }", nil), ("In = {}", #"1:16: "Query.q(x:)" needs the field "a" of type "Int!""#),
            ("In = { a: 1, a: 2 }", #"1:32: there are two input fields "a""#),
            ("In = { a: 1, bb: 2 }", #"1:32: the input object "In" has no field "bb" (did you mean "b"?)"#),
            ("In = 1", wrong("In", #""1""#)), ("In = { a: 1, b: \"x\" }", wrong("Int", #"the string "x""#, part: ".b", at: 32)),
            ("One = { a: 1 }", nil),
            ("One = { a: null }", #"1:16: "Query.q(x:)" needs exactly one field of "One", and it must not be null"#),
            ("One = { a: 1, b: 2 }", #"1:16: "Query.q(x:)" needs exactly one field of "One", and it must not be null"#),
        ] as [(String, String?)])
    func defaultValues(value: String, mistake: String?) throws {
        let sdl = """
            type Query { q(x: \(value)): Int }
            scalar Date enum Color { RED BLUE } input In { a: Int!, b: Int } input One @oneOf { a: Int, b: Int }
            """
        #expect(mistakes(sdl) == (mistake.map { [$0] } ?? []))
        let document = "query ($x: \(value)) { q(x: $x) }", schema = sdl.replacing(value, with: value.prefix { $0 != "=" })
        #expect(try GraphQLDocument(document).isValid(in: GraphQLSchema(sdl: schema)) == (mistake == nil), "in a document")
    }

    @Test(
        "Directives on definitions are defined, allowed there, and have their arguments",
        arguments: [
            ("type A @b { a: Int }", [#"1:8: the directive "@b" on "A" is not defined"#]),
            (
                "type A { a: Int @depricated }",
                [#"1:17: the directive "@depricated" on "A.a" is not defined (did you mean "@deprecated"?)"#]
            ),
            ("type A @key(fields: \"a\") @key(fields: \"b\") { a: Int }", []),
            ("type A @once @once { a: Int }", [#"1:14: the directive "@once" is on "A" twice, and is not repeatable"#]),
            ("type A @once { a: Int } extend type A @once", [#"1:39: the directive "@once" is on "A" twice, and is not repeatable"#]),
            ("scalar A @once", [#"1:10: the directive "@once" can't be on SCALAR ("A"), but on OBJECT"#]),
            ("type A @key { a: Int }", [#"1:8: "@key(fields:)" is required, and missing on "A""#]),
            (
                "type A @key(field: 1, fields: 2) { a: Int }",
                [
                    #"1:13: the directive "@key" has no argument "field" (did you mean "fields"?)"#,
                    #"1:23: expected a value of type "String!" for "@key(fields:)", found "2""#,
                ]
            ), ("directive @x on FILED", [#"1:12: the location "FILED" of "@x" is not one of GraphQL (did you mean "FIELD"?)"#]),
            ("directive @x(a: Query) on FIELD", [#"1:14: the type of "@x(a:)" is an object, "Query", and must be an input type"#]),
        ])
    func directives(sdl: String, expected: [String]) {
        let others = " directive @key(fields: String!) repeatable on OBJECT directive @once on OBJECT type Query { q: Int }"
        #expect(mistakes(sdl + others) == expected)
    }

    @Test("A directive on the schema is not one on a type with the name schema, nor that on a type one on a directive")
    func owners() {
        let sdl = """
            directive @once on OBJECT | SCHEMA | ARGUMENT_DEFINITION | INPUT_OBJECT | ENUM
            schema @once { query: schema } type schema @once { a: Int }
            """
        #expect(mistakes(sdl) == [])
        #expect(mistakes(sdl + "\nextend schema @once") == [#"3:15: the directive "@once" is on "schema" twice, and is not repeatable"#])
    }

    @Test("A built-in scalar can be extended by directives, and by nothing else")
    func builtInExtensions() throws {
        let sdl = "directive @x on SCALAR | OBJECT type Query { a: Int } "
        #expect(mistakes(sdl + "extend scalar Int @x") == [])
        #expect(try GraphQLSchema(sdl: sdl + "extend scalar Int @x").sdl == GraphQLSchema(sdl: sdl).sdl)
        #expect(mistakes(sdl + "extend scalar Int @y") == [#"1:73: the directive "@y" on "Int" is not defined"#])
        #expect(mistakes(sdl + "extend type Int @x") == [#"1:67: "Int" is a scalar, and is extended as an object"#])
        #expect(mistakes(sdl + "extend type __Type { x: Int }") == [#"1:67: the type "__Type" is built in, and can't be extended"#])
    }

    @Test(
        "A directive that uses itself is a mistake, directly, by another directive or by a type of its arguments",
        arguments: [
            ("directive @x(a: Int @x) on ARGUMENT_DEFINITION", #"1:12: the directive "@x" uses itself: @x → @x"#),
            (
                "directive @x(a: Int @y) on ARGUMENT_DEFINITION directive @y(a: Int @x) on ARGUMENT_DEFINITION",
                #"1:12: the directive "@x" uses itself: @x → @y → @x"#
            ),
            ("directive @x(a: [I!]) on INPUT_OBJECT input I @x { a: Int }", #"1:12: the directive "@x" uses itself: @x → I → @x"#),
            (
                "directive @x(a: I) on INPUT_FIELD_DEFINITION input I { j: J } input J { a: Int @x }",
                #"1:12: the directive "@x" uses itself: @x → I → J → @x"#
            ),
            ("directive @x(a: E) on ENUM_VALUE enum E { A @x }", #"1:12: the directive "@x" uses itself: @x → E → @x"#),
            ("directive @x(a: S) on SCALAR scalar S extend scalar S @x", #"1:12: the directive "@x" uses itself: @x → S → @x"#),
            ("directive @x(a: Int @y) on ENUM directive @y(a: Int, b: I) on ARGUMENT_DEFINITION input I { i: I }", nil),
            ("directive @x on ARGUMENT_DEFINITION directive @y(a: Int @x, b: Int @x) on OBJECT type T @y { a(b: Int @x): Int @y }", nil),
        ] as [(String, String?)])
    func directiveCycles(sdl: String, message: String?) {
        let found = mistakes(sdl + " type Query { q: Int }").filter { $0.contains("uses itself") }
        #expect(found == (message.map { [$0] } ?? []))
    }

    @Test("Mistakes of several files are listed by file and position, and say the file")
    func files() {
        let files = [("a.graphqls", "type Query {\n  a: Intt\n  b: Int = 3 }"), ("b.graphqls", "type {}"), ("c.graphqls", "type X")]
        #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(sdl: files) }
        do {
            _ = try GraphQLSchema(sdl: [
                files[2], ("d.graphqls", "extend type Query { b: B, a: Int }"), ("e.graphqls", "type Query { a: Int }"),
            ])
        } catch {
            #expect(
                error.description == """
                    c.graphqls:1:6: the type "X" has no fields
                    d.graphqls:1:21: the type "B" of "Query.b" is not defined
                    d.graphqls:1:27: there are two fields "Query.a"
                    """)
        }
        do { _ = try GraphQLSchema(sdl: files) } catch {
            #expect(
                error.mistakes.map(\.description) == [
                    #"a.graphqls:3:10: expected a field's name or "}", found "=""#, #"b.graphqls:1:6: expected a type's name, found "{""#,
                ])
        }
    }

    @Test("Extensions add to their types, also in other files and before them")
    func extensions() throws {
        let schema = try GraphQLSchema(sdl: [
            (
                "a",
                "extend type Query implements I { b: Int } extend enum E { B } extend union U = A extend scalar S @specifiedBy(url: \"x\")"
            ),
            (
                "b",
                "type Query { a: I, e: E, u: U, s(i: In): S } enum E { A } union U = Query scalar S type A { a: Int } input In { a: Int }"
            ),
            ("c", "interface I { b: Int } extend input In @oneOf { b: Int } extend schema { mutation: Mute } type Mute { a: Int }"),
        ])
        #expect(schema.types["Query"]?.fields.map(\.name) == ["a", "e", "u", "s", "b"])
        #expect(schema.types["Query"]?.interfaces == ["I"] && schema.possibleTypes(of: "I") == ["Query"])
        #expect(schema.types["E"]?.values.map(\.name) == ["A", "B"] && schema.types["U"]?.members == ["Query", "A"])
        #expect(schema.types["S"]?.specifiedBy == "x" && schema.types["In"]?.isOneOf == true)
        #expect(schema.roots == [.query: "Query", .mutation: "Mute"])
    }

    @Test("There is a limit for the number of mistakes, and for the work of hints")
    func manyMistakes() {
        let fields = (0..<60_000).map { "f\($0): T\($0)" }.joined(separator: " ")
        #expect(mistakes("type Query { \(fields) }").count == SchemaRules.maxMistakes)
        let interfaces = (0..<300).map { "I\($0)" }
        let many = interfaces.map { name in "interface \(name) { \((0..<100).map { "\(name)_\($0): Int" }.joined(separator: " ")) }" }
        let types = (0..<300).map { "type T\($0) implements \(interfaces.joined(separator: " & ")) { a: Int }" }
        #expect(mistakes((many + types).joined(separator: "\n") + "type Query { a: Int }").count == SchemaRules.maxMistakes)
    }
}
