import MartletEssentials
import MartletGraphQL
import MartletJSON
import Testing

@testable import MartletGraphQLSchema

@Suite("ResponseData", .timeLimit(.minutes(5)))
struct ResponseDataTests {
    private static let sdl = """
        type Query { owned: Owned hero: Character! heroes: [Hero!]! pets: [Pet] size: Int rate: Float date: Date id: ID flag: Boolean color: Color name: String }
        interface Character { name: String! friend: Character }
        type Hero implements Character { name: String! friend: Character weapon: String height: Float }
        type Droid implements Character { name: String! friend: Character model: Int! }
        union Pet = Hero | Droid interface Owned { owner: Character } type Ship implements Owned { owner: Hero }
        enum Color { RED BLUE } scalar Date
        """

    private func violations(_ selections: String, _ data: String) throws -> [String] {
        let document = try ExecutableDocument.parse(selections)
        let schema = try GraphQLSchema(sdl: Self.sdl)
        #expect(DocumentValidator.violations(of: document, in: schema) == [])
        let value = try JSONValue(parsing: Data(data.utf8))
        return ResponseData.violations(of: value, for: document.operations[0], in: document, schema: schema)
    }

    @Test(
        "Leaves have values of their types",
        arguments: [
            ("size", "3", nil), ("size", "3.5", #"data.a is 3.5, but has the type "Int""#),
            ("size", "3000000000", #"data.a is 3000000000, but has the type "Int""#), ("size", "1e2", nil), ("size", "null", nil),
            ("rate", "3", nil), ("rate", "3.5", nil), ("rate", "\"3\"", #"data.a is "3", but has the type "Float""#),
            ("date", "{\"any\":[1]}", nil), ("id", "7", nil), ("id", "\"7\"", nil), ("id", "7.5", #"data.a is 7.5, but has the type "ID""#),
            ("flag", "true", nil), ("flag", "1", #"data.a is 1, but has the type "Boolean""#),
            ("color", "\"RED\"", nil),
            ("color", "\"RAD\"", #"data.a is "RAD", which is no value of the enum "Color" (did you mean "RED"?)"#),
            ("color", "1", #"data.a is 1, but has the type "Color""#), ("name", "[]", #"data.a is an array, but has the type "String""#),
        ] as [(String, String, String?)])
    func leaves(field: String, value: String, message: String?) throws {
        #expect(try violations("{ a: \(field) }", "{\"a\":\(value)}") == (message.map { [$0] } ?? []))
    }

    @Test("Fragments that are spread under several types on each level are read once for each group of types")
    func manySpreads() throws {
        let levels = 60
        let fragments = (0..<levels).map { level in
            let next = level + 1 == levels ? "name" : "...F\(level + 1)"
            return "fragment F\(level) on Character { ... on Hero { \(next) } ... on Droid { \(next) } ... on Character { \(next) } }"
        }
        let document = "{ hero { __typename ...F0 } } " + fragments.joined(separator: " ")
        #expect(try violations(document, #"{"hero":{"__typename":"Hero","name":"R2"}}"#) == [])
        #expect(try violations(document, #"{"hero":{"__typename":"Droid"}}"#) == [#"data.hero lacks "name""#])
    }

    @Test(
        "Objects have the selected fields and no others",
        arguments: [
            ("{ hero { name } }", #"{"hero":{"name":"A"}}"#, []), ("{ hero { name } }", "null", []),
            ("{ hero { name } }", #"{"hero":null}"#, [#"data.hero is null, but has the type "Character!""#]),
            ("{ hero { name } }", #"{"hero":{"name":null}}"#, [#"data.hero.name is null, but has the type "String!""#]),
            ("{ hero { name } }", #"{"hero":{}}"#, [#"data.hero lacks "name""#]),
            ("{ hero { name } }", #"{"hero":3}"#, [#"data.hero is 3, but has the type "Character""#]),
            (
                "{ hero { name } }", #"{"hero":{"name":"A","nme":1}}"#,
                [#"data.hero has "nme", which is not selected (did you mean "name"?)"#]
            ),
            ("{ hero { name } }", "[]", [#"data is an array, but has the type "Query""#]),
            ("{ hero { name } }", "{}", [#"data lacks "hero""#]),
            (
                "{ heroes { name } }", #"{"heroes":[{"name":"A"},{"name":1},null]}"#,
                [
                    #"data.heroes[1].name is 1, but has the type "String""#, #"data.heroes[2] is null, but has the type "Hero!""#,
                ]
            ), ("{ heroes { name } }", #"{"heroes":{}}"#, [#"data.heroes is an object, but has the type "[Hero!]""#]),
            ("{ hero { n: name } hero { friend { name } } }", #"{"hero":{"n":"A","friend":{"name":"B"}}}"#, []),
            (
                "query ($a: Boolean!) { hero { name @skip(if: $a) friend @include(if: $a) { name } } size @skip(if: true) }",
                #"{"hero":{}}"#, []
            ),
            ("{ hero { ...F @defer } } fragment F on Character { name }", #"{"hero":{}}"#, []),
            (
                "{ __schema { description } __type(name: \"Hero\") { name } __typename }",
                #"{"__schema":{"description":null},"__type":{"name":"Hero"},"__typename":"Query"}"#, []
            ),
            ("{ __typename }", #"{"__typename":"Hero"}"#, [#"data.__typename is "Hero", which is no type of "Query""#]),
        ])
    func objects(document: String, data: String, messages: [String]) throws { #expect(try violations(document, data) == messages) }

    @Test(
        "The type name decides which fragments apply",
        arguments: [
            (#"{"__typename":"Hero","name":"A","weapon":null}"#, []),
            (#"{"__typename":"Droid","name":"A","model":1}"#, []),
            (
                #"{"__typename":"Droid","name":"A","weapon":"B"}"#,
                [
                    #"data.hero lacks "model""#, #"data.hero has "weapon", which is not selected"#,
                ]
            ), (#"{"__typename":"Heroo"}"#, [#"data.hero.__typename is "Heroo", which is no type of "Character" (did you mean "Hero"?)"#]),
            (#"{"name":"A"}"#, [#"data.hero lacks "__typename""#]),
            (#"{"__typename":3}"#, [#"data.hero.__typename is 3, which is no type of "Character""#]),
        ])
    func typenames(hero: String, messages: [String]) throws {
        let document =
            "{ hero { __typename name ... on Hero { weapon } ...D } } fragment D on Droid { ... on Character { ... on Droid { model } } }"
        #expect(try violations(document, "{\"hero\":\(hero)}") == messages)
    }

    @Test("Without a type name, the fields of fragments may be missing, and an unselected type name is allowed")
    func unknownType() throws {
        let document = "{ pets { ... on Hero { name weapon } ... on Droid { model } ... on Character { friend { name } } } }"
        #expect(try violations(document, #"{"pets":[{"friend":null},{"weapon":"B","model":1,"friend":null}]}"#) == [])
        #expect(try violations(document, #"{"pets":[{}]}"#) == [#"data.pets[0] lacks "friend""#])
        #expect(try violations(document, #"{"pets":[{"__typename":"Droid","friend":null}]}"#) == [#"data.pets[0] lacks "model""#])
    }

    @Test(
        "The fields of an object are those of all its selections, of which one on an interface can have a wider type",
        arguments: [
            "{ owned { ... on Owned { owner { name } } ... on Ship { owner { height } } } }",
            "{ owned { ... on Ship { owner { height } } ... on Owned { owner { name } } } }",
        ])
    func narrowerField(document: String) throws {
        #expect(try violations(document, #"{"owned":{"owner":{"name":"A","height":1.8}}}"#) == [])
        #expect(
            try violations(document, #"{"owned":{"__typename":"Ship","owner":{"name":"A"}}}"#) == [#"data.owned.owner lacks "height""#])
        #expect(
            try violations(document, #"{"owned":{"owner":{"name":"A","height":"x"}}}"#) == [
                #"data.owned.owner.height is "x", but has the type "Float""#
            ])
    }

    @Test("At most 20 messages are returned")
    func limit() throws {
        let heroes = Array(repeating: "{}", count: 100).joined(separator: ",")
        #expect(try violations("{ heroes { name } }", "{\"heroes\":[\(heroes)]}").count == 20)
    }
}
