import Martlet
import MartletEssentials
import MartletGraphQL
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLClientTests {
    struct Touch: GraphQLMutation {
        typealias Data = EmptyResponse
        static let document: GraphQLDocument = "mutation Touch { touch }"
    }

    @Test("Data of the type EmptyResponse can be discarded, and errors are still thrown")
    func discardable() async throws {
        let (client, _) = graphQL { _ in .json(#"{"data":{"touch":1}}"#) }
        try await client.execute(Touch())
        try await client.execute(Touch().operation)
        let refused = graphQL { _ in .json(#"{"errors":[{"message":"no"}]}"#) }.client
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) { try await refused.execute(Touch()) }
    }

    @Test("A copy with another configuration uses the same server and the same knowledge of it")
    func derived() async throws {
        let (client, transport) = graphQL(configuration: .init(persistedQueries: .automatic())) { request in
            request.json?["query"] == nil
                ? .json(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#) : .json(#"{"data":{"hero":null}}"#)
        }
        _ = try await client.execute(HeroQuery(id: "1"))
        #expect(transport.requests.count == 2)
        let derived = client.with { $0.headers["X-A"] = "1" }
        _ = try await derived.execute(HeroQuery(id: "1"))
        #expect(transport.requests.count == 3)
        #expect(transport.requests.last?.headers["X-A"] == "1")
        #expect(transport.requests.last?.url == transport.requests.first?.url)
        #expect(client.configuration.headers.isEmpty)
    }

    @Test("The name of a request for logs and metrics is the kinds and names of its operations")
    func names() async throws {
        let (client, transport) = graphQL { request in
            .json(request.text?.hasPrefix("[") == true ? #"[{"data":{"touch":1}},{"data":{"hero":null}}]"# : #"{"data":{"touch":1}}"#)
        }
        try await client.execute(Touch())
        _ = try await client.batch(Touch(), HeroQuery(id: "1"))
        #expect(transport.requests.map(\.context.endpointName) == ["mutation Touch", "mutation Touch, query Hero"])
    }

    @Test("A client at a full URL needs no base URL")
    func fullURL() async throws {
        let transport = MockTransport { _ in .json(#"{"data":{"hero":null}}"#) }
        let url = try #require(URL(string: "https://other.example/v2/graphql?tenant=a"))
        _ = try await GraphQLClient(HTTPClient(transport: transport), url: url).execute(HeroQuery(id: "1"))
        #expect(transport.requests.first?.url == url)
    }

    @Test("A cancelled call reports that it was cancelled")
    func cancelled() async throws {
        let gate = Gate()
        let (client, transport) = graphQL { _ in
            await gate.pass()
            return .status(500)
        }
        let task = Task { await #expect(throws: GraphQLError.self) { try await client.execute(HeroQuery(id: "1")) } }
        try await transport.waitForRequests(1)
        task.cancel()
        #expect(await task.value?.isCancelled == true)
        gate.open()
        #expect(!GraphQLError.http(.timeout).isCancelled)
    }
}
