import MartletEssentials
import MartletGraphQL
import MartletJSON
import Testing

@testable import MartletGraphQLSchema

@Suite("IntrospectionReader", .timeLimit(.minutes(5)))
struct IntrospectionReaderTests {
    private func mistakes(_ json: String) -> [String] {
        do {
            _ = try GraphQLSchema(introspection: Data(json.utf8))
            return []
        } catch { return error.mistakes.map(\.description) }
    }

    /// A response with a query type and one more type, and perhaps directives.
    private func response(_ type: String, directives: String = "") -> String {
        """
        {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"types":[
        {"kind":"OBJECT","name":"Query","fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}],"interfaces":[]},
        {"kind":"SCALAR","name":"Int"},{"kind":"OBJECT","name":"__Type","fields":null}\(type.isEmpty ? "" : ",")\(type)],
        "directives":[\(directives)]}}}
        """
    }

    @Test("Every kind of type is read, with or without `data`")
    func kinds() throws {
        let json = response(
            #"""
            {"kind":"INTERFACE","name":"Node","description":"A\nnode","fields":[{"name":"id","args":[{"name":"x","description":"d",
              "type":{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":{"kind":"SCALAR","name":"Int"}}},"defaultValue":"[1, 2]",
              "isDeprecated":true,"deprecationReason":null}],
              "type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"INTERFACE","name":"Node","ofType":null}},
              "isDeprecated":true,"deprecationReason":"old"}],"interfaces":[],"possibleTypes":[{"kind":"OBJECT","name":"A"}]},
            {"kind":"OBJECT","name":"A","fields":[{"name":"id","args":[{"name":"x","type":{"kind":"LIST","ofType":{"kind":"NON_NULL","ofType":
              {"kind":"SCALAR","name":"Int"}}}}],"type":{"kind":"NON_NULL","ofType":{"kind":"OBJECT","name":"A"}}}],
              "interfaces":[{"kind":"INTERFACE","name":"Node"}]},
            {"kind":"UNION","name":"U","possibleTypes":[{"name":"A"}]},
            {"kind":"ENUM","name":"E","enumValues":[{"name":"X","description":"x"},{"name":"Y","isDeprecated":true}]},
            {"kind":"INPUT_OBJECT","name":"I","isOneOf":true,"inputFields":[{"name":"a","type":{"kind":"ENUM","name":"E"},"defaultValue":null}]},
            {"kind":"SCALAR","name":"Date","specifiedByURL":"https://example.org"}
            """#,
            directives: #"""
                {"name":"cache","description":"c","isRepeatable":true,"locations":["FIELD","QUERY"],"args":[{"name":"age","type":
                {"kind":"SCALAR","name":"Int"},"defaultValue":"3"}]},
                {"name":"skip","locations":["FIELD"],"args":[]}
                """#)
        let schema = try GraphQLSchema(introspection: Data(json.utf8))
        #expect(schema.ownTypes == ["Query", "Node", "A", "U", "E", "I", "Date"] && schema.roots == [.query: "Query"])
        let node = try #require(schema.types["Node"]), id = try #require(node.fields.first)
        #expect(node.description == "A\nnode" && id.type.description == "Node!" && id.deprecation == "old")
        #expect(
            id.arguments.first?.type.description == "[Int!]" && id.arguments.first?.defaultValue == .list([.integer("1"), .integer("2")]))
        #expect(id.arguments.first?.description == "d" && id.arguments.first?.deprecation == "No longer supported")
        #expect(schema.possibleTypes(of: "Node") == ["A"] && schema.types["U"]?.members == ["A"])
        #expect(schema.types["E"]?.values.map(\.deprecation) == [nil, "No longer supported"])
        #expect(schema.types["I"]?.isOneOf == true && schema.types["Date"]?.specifiedBy == "https://example.org")
        let cache = try #require(schema.directives["cache"])
        #expect(cache.isRepeatable && cache.locations == ["FIELD", "QUERY"] && cache.arguments.first?.defaultValue == .integer("3"))
        #expect(schema.ownDirectives == ["cache"] && schema.directives["skip"]?.arguments.count == 1)
        let data = try JSONValue(parsing: Data(json.utf8))["data"]
        #expect(try GraphQLSchema(introspection: JSONBodyEncoder.json.encode(data)).sdl == schema.sdl)
    }

    @Test(
        "A malformed response says what was expected, and where",
        arguments: [
            ("", "the response is not JSON: "), ("{", "the response is not JSON: "), ("[]", #"the response has no "__schema""#),
            (
                #"{"data":null,"errors":[{"message":"no introspection"}]}"#,
                #"the response has no "__schema", but errors: "no introspection""#
            ),
            (#"{"__schema":{}}"#, "__schema.types: expected an array, found nothing"),
            (#"{"__schema":{"queryType":3,"types":[]}}"#, "__schema.queryType: expected an object, found a number"),
        ])
    func malformed(json: String, message: String) { #expect(mistakes(json).first?.hasPrefix(message) == true) }

    @Test(
        "A malformed type says what was expected, and where",
        arguments: [
            ("3", "__schema.types[3]: expected an object, found a number"),
            ("{}", "__schema.types[3].name: expected a string, found nothing"),
            (#"{"name":"a b","kind":"SCALAR"}"#, #"__schema.types[3].name: expected a name, found "a b""#),
            (#"{"name":"\u0000","kind":"SCALAR"}"#, #"__schema.types[3].name: expected a name, found "U+0000""#),
            (#"{"name":"A","kind":"OTHER"}"#, #"A.kind: expected the kind of a type, found "OTHER""#),
            (#"{"name":"A","kind":"OBJECT","fields":{}}"#, "A.fields: expected an array, found an object"),
            (#"{"name":"A","kind":"OBJECT","fields":[{"name":"a"}]}"#, "A.fields[0].type: expected a type, found nothing"),
            (
                #"{"name":"A","kind":"OBJECT","fields":[{"name":"a","type":{"kind":"LIST","ofType":null}}]}"#,
                "A.fields[0].type: expected a type in 1 of LIST and NON_NULL, found null"
            ),
            (
                #"{"name":"A","kind":"OBJECT","fields":[{"name":"a","description":1,"type":{"name":"Int"}}]}"#,
                "A.fields[0].description: expected a string, found a number"
            ),
            (
                #"{"name":"A","kind":"INPUT_OBJECT","inputFields":[{"name":"a","type":{"name":"Int"},"defaultValue":"1 2"}]}"#,
                #"A.inputFields[0].defaultValue: expected the end of the value, found "2" in "1 2""#
            ),
            (#"{"name":"A","kind":"OBJECT","fields":[]}"#, #"the type "A" has no fields"#),
        ])
    func malformedTypes(type: String, message: String) { #expect(mistakes(response(type)) == [message]) }

    @Test("A response lists all directives, so that @defer and @stream are allowed only if it has them")
    func incrementalDirectives() throws {
        let document: GraphQLDocument = "{ ... @defer { a } }", listed = #"{"name":"defer","locations":["INLINE_FRAGMENT"],"args":[]}"#
        for (directives, rules) in [("", [GraphQLRule.knownDirectives]), (listed, [])] {
            let schema = try GraphQLSchema(introspection: Data(response("", directives: directives).utf8))
            #expect(document.violations(in: schema).map(\.rule) == rules)
            #expect(schema.directives["stream"] == nil && schema.directives["skip"] != nil)
        }
        let withoutList = response("").replacing(#""directives":[]"#, with: #""other":[]"#)
        #expect(try document.violations(in: GraphQLSchema(introspection: Data(withoutList.utf8))) == [])
    }

    @Test("The introspection queries can be parsed, and the one for older servers has no newer field")
    func queries() throws {
        let newer = ["isOneOf", "specifiedByURL", "isRepeatable"]
        for (query, hasNewer) in [(GraphQLSchema.introspectionQuery, true), (GraphQLSchema.introspectionQueryForOlderServers, false)] {
            let document = try ExecutableDocument.parse(query)
            #expect(document.operations.map(\.name) == ["IntrospectionQuery"] && document.fragments.count == 3)
            for field in newer { #expect(query.contains(field) == hasNewer) }
        }
    }
}
