import MartletEssentials
import MartletGraphQL
import MartletGraphQLSchema
import MartletTesting
import Testing

@Suite("GraphQLClientMock with a schema", .timeLimit(.minutes(5)))
struct GraphQLClientMockSchemaTests {
    private struct HeroQuery: GraphQLQuery {
        struct Data: Decodable, Sendable { var hero: String? }

        static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) }"
        var id: String
    }

    private struct Misspelled: GraphQLQuery {
        struct Data: Decodable, Sendable { var hro: String? }

        static let document: GraphQLDocument = "query Misspelled { hro }"
    }

    private func mock() throws -> GraphQLClientMock {
        GraphQLClientMock(
            schema: try GraphQLSchema(sdl: "type Query { hero(id: ID!): String } type Subscription { heroes: Int! }"))
    }

    private func message(_ body: () async throws(GraphQLError) -> Void) async -> String? {
        do throws(GraphQLError) {
            try await body()
            return nil
        } catch { return if case .invalidOperation(let explanation) = error { "\(explanation)" } else { "\(error)" } }
    }

    @Test("An operation that the schema does not allow is refused with the violations, and not recorded")
    func operations() async throws {
        let mock = try mock()
        mock.on(Misspelled.self, .data(Misspelled.Data()))
        let message = await message { () throws(GraphQLError) in _ = try await mock.execute(Misspelled()) }
        #expect(message?.contains("invalid in the mock's schema:\n  1:20: ") == true && message?.contains(#"did you mean "hero"?"#) == true)
        #expect(mock.requestedOperations.isEmpty)
    }

    @Test("Variables that the schema does not allow are refused")
    func variables() async throws {
        let mock = try mock()
        mock.on("Hero", .data(["hero": nil]))
        let operation = GraphQLOperation<JSONValue>(HeroQuery.document, variables: ["id": 3.5])
        let message = await message { () throws(GraphQLError) in _ = try await mock.execute(operation) }
        #expect(message?.contains("\n  $id of type \"ID\" is 3.5") == true)
    }

    @Test("Data that the schema does not allow are refused: JSON, a whole response, and the result of all operations")
    func data() async throws {
        let mock = try mock(), expected = "the stubbed data for"
        let call =
            { () throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: "1")) } as @Sendable () async throws(GraphQLError) -> Void
        mock.on("Hero", .data(["hero": 3]))
        var text = await message(call)
        #expect(text?.contains(expected) == true && text?.contains("\n  data.hero is 3, but has the type \"String\"") == true)
        mock.on("Hero", .json(#"{"data":{"hro":"A"}}"#))
        text = await message(call)
        #expect(text?.contains("\n  data lacks \"hero\"\n  data has \"hro\", which is not selected (did you mean \"hero\"?)") == true)
        let other = try self.mock()
        other.result = .success(Data(#"{"hero":false}"#.utf8))
        text = await message { () throws(GraphQLError) in _ = try await other.execute(HeroQuery(id: "1")) }
        #expect(text?.contains("data.hero is false") == true)
    }

    @Test("What the schema allows is returned: JSON, typed data, errors without data, and events")
    func allowed() async throws {
        let mock = try mock()
        mock.on("Hero", .data(["hero": "A"]), .json(#"{"data":null,"errors":[{"message":"no"}]}"#))
        #expect(try await mock.execute(HeroQuery(id: "1")).hero == "A")
        await #expect(throws: GraphQLError.self) { try await mock.execute(HeroQuery(id: "1")) }
        mock.on(HeroQuery.self, .data(HeroQuery.Data(hero: "B")))
        #expect(try await mock.execute(HeroQuery(id: "1")).hero == "B")
    }

    @Test("A subscription is refused too, and so are its events")
    func subscriptions() async throws {
        let mock = try mock()
        mock.on("Heroes", .data(["heroes": 1]), .data(["heroes": nil]))
        var events = mock.subscribe(GraphQLOperation<JSONValue>("subscription Heroes { heroes }")).makeAsyncIterator()
        var seen = 0
        let text = await message { () throws(GraphQLError) in
            while try await events.next() != nil { seen += 1 }
        }
        #expect(seen > 0 && text?.contains("data.heroes is null") == true)
        var none = mock.subscribe(GraphQLOperation<JSONValue>("subscription Heroes { heros }")).makeAsyncIterator()
        #expect(await message { () throws(GraphQLError) in _ = try await none.next() }?.contains("invalid in the mock's schema") == true)
    }
}
