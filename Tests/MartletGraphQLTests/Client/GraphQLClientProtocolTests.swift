import Martlet
import MartletGraphQL
import MartletTesting
import Testing

/// What a service can do with any client.
@Suite(.timeLimit(.minutes(5))) struct GraphQLClientProtocolTests {
    private struct Birds: GraphQLQuery {
        struct Data: Decodable, Sendable { let birds: GraphQLConnection<String> }
        static let document: GraphQLDocument =
            "query Birds($after: String) { birds(after: $after) { nodes pageInfo { hasNextPage endCursor } } }"
    }

    private struct Sightings: GraphQLSubscription {
        struct Data: Decodable, Sendable { let bird: String }
        static let document: GraphQLDocument = "subscription Sightings { bird }"
    }

    /// A service as an app would write it.
    private struct Repository {
        let graphQL: any GraphQLClientProtocol

        func hero() async throws(GraphQLError) -> String? { try await graphQL.execute(HeroQuery(id: "1")).hero?.name }

        func birds() async throws(GraphQLError) -> [String] {
            var birds: [String] = []
            for try await bird in graphQL.items(Birds(), next: .cursor { $0.birds.pageInfo }, items: \.birds.nodes) {
                birds.append(bird)
            }
            return birds
        }

        func sightings() async throws(GraphQLError) -> [String?] {
            var birds: [String?] = []
            for try await result in graphQL.subscribe(Sightings()) { birds.append(result.data?.bird) }
            return birds
        }

        func growing() async throws(GraphQLError) -> [Bool] {
            var ends: [Bool] = []
            for try await update in graphQL.updates(HeroQuery(id: "1")) { ends.append(update.hasNext) }
            return ends
        }
    }

    private let mock = GraphQLClientMock()

    private func page(_ birds: String, next: String?) -> StubbedGraphQLResponse<JSONValue> {
        let info: JSONValue = ["hasNextPage": .bool(next != nil), "endCursor": next.map { .string($0) } ?? .null]
        return .data(["birds": ["nodes": [.string(birds)], "pageInfo": info]])
    }

    @Test("A service requests data, pages, updates and subscriptions from any client, and throws only GraphQLError")
    func service() async throws {
        mock.on(HeroQuery.self, .data(HeroData(hero: .init(name: "Luke"))))
        mock.on("Birds", page("swift", next: "1"), page("martin", next: nil))
        mock.on(Sightings.self, .data(.init(bird: "swift")))
        let repository = Repository(graphQL: mock)
        #expect(try await repository.hero() == "Luke")
        #expect(try await repository.birds() == ["swift", "martin"])
        #expect(try await repository.sightings() == ["swift"])
        #expect(try await repository.growing() == [false])
        #expect(mock.requestedOperations.compactMap { $0.variables["after"] } == ["1"])
    }

    @Test("EmptyResponse accepts any data of a mutation")
    func nothingWanted() async throws {
        struct Touch: GraphQLMutation {
            typealias Data = EmptyResponse
            static let document: GraphQLDocument = "mutation Touch { touch { id } }"
        }
        let (client, _) = graphQL { _ in .json(#"{"data":{"touch":{"id":1}}}"#) }
        _ = try await client.execute(Touch())
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) {
            try await graphQL { _ in .json(#"{"data":null,"errors":[{"message":"no"}]}"#) }.client.execute(Touch())
        }
    }
}
