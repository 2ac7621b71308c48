import Foundation
import Martlet
import MartletGraphQL
import MartletWebSocket
import Testing

/// Subscribes to strawberry and ariadne over both protocols of GraphQL over WebSocket.
@Suite("strawberry and ariadne: GraphQL over WebSocket", .timeLimit(.minutes(1)))
struct WebSocketGraphQLTests {
    enum Server: String, CaseIterable, Sendable {
        case strawberry = "strawberry/new"
        case oldStrawberry = "strawberry/old"
        case ariadne = "ariadne/new"
        case oldAriadne = "ariadne/old"

        var isOld: Bool { rawValue.hasSuffix("old") }
    }

    private struct Count: Decodable, Sendable { let count: Int }

    private struct CountTo: GraphQLSubscription {
        typealias Data = Count
        static let document: GraphQLDocument = "subscription CountTo($to: Int!) { count(to: $to) }"
        let to: Int
    }

    private typealias Numbers = [String: Int]

    private func client(
        _ server: Server, _ parameters: GraphQLConnectionParameters = .none, offering protocols: [GraphQLSocketProtocol]? = nil
    ) throws -> GraphQLClient {
        var transport = WebSocketSubscriptionTransport(parameters: parameters)
        if let protocols { transport.protocols = protocols }
        var options = GraphQLSubscriptionOptions(transport: transport)
        options.reconnection = EventReconnection(reconnects: true, delay: .milliseconds(10), minDelay: .zero, maxFailures: 3)
        let http = HTTPClient(baseURL: try Servers.url("SOCKETGRAPHQL", scheme: "http"))
        return GraphQLClient(http, path: Path(raw: server.rawValue), configuration: .init(subscriptions: options, webSocket: transport))
    }

    private func counts(_ client: GraphQLClient, to: Int) async throws -> [Int] {
        var counts: [Int] = []
        for try await result in client.subscribe(CountTo(to: to)) { counts.append(try result.get().count) }
        return counts
    }

    @Test("Concurrent subscriptions get all results in order, whether one or both protocols are offered", arguments: Server.allCases)
    func subscriptions(_ server: Server) async throws {
        for protocols in [nil, [server.isOld ? .graphQLWS : .graphQLTransportWS]] as [[GraphQLSocketProtocol]?] {
            let client = try client(server, offering: protocols)
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for _ in 0..<3 { group.addTask { try await counts(client, to: 200) } }
                for try await counts in group { #expect(counts == Array(1...200)) }
            }
        }
    }

    @Test("Queries and mutations use the socket", arguments: Server.allCases.filter { $0 != .oldStrawberry })
    func queries(_ server: Server) async throws {
        let client = try client(server)
        #expect(try await client.execute(GraphQLOperation<Numbers>("query Count { count }")) == ["count": 42])
        #expect(try await client.execute(GraphQLOperation<Numbers>("mutation Increase { increase }")) == ["increase": 43])
    }

    @Test("A subscription that raises delivers its error after the results, and one that does not validate only its error", arguments: Server.allCases)
    func failures(_ server: Server) async throws {
        let client = try client(server)
        func results(_ document: GraphQLDocument) async throws -> [GraphQLResult<Numbers>] {
            var results: [GraphQLResult<Numbers>] = []
            do { for try await result in client.subscribe(GraphQLOperation<Numbers>(document)) { results.append(result) } } catch {
                guard case .response(let errors) = error else { throw error }
                results.append(.failed(errors))
            }
            return results
        }
        let raised = try await results("subscription Fails { fails }")
        #expect(raised.first?.data == ["fails": 1] && raised.last?.errors.first?.message.contains("in the middle") == true, "\(raised)")
        let invalid = try await results("subscription Wrong { nothing }")
        #expect(invalid.count == 1 && invalid[0].data == nil && invalid[0].errors.first?.message.contains("nothing") == true, "\(invalid)")
    }

    @Test("Leaving a subscription leaves the others on its connection alone", arguments: [Server.strawberry, .ariadne, .oldStrawberry])
    func leaving(_ server: Server) async throws {
        let client = try client(server)
        async let whole = counts(client, to: 300)
        for _ in 0..<5 {
            for try await result in client.subscribe(CountTo(to: 10_000)) {
                #expect(result.data?.count == 1)
                break
            }
        }
        #expect(try await whole == Array(1...300))
    }

    /// A provider whose first token the servers reject.
    private actor Tokens: TokenProvider {
        private(set) var renewals = 0

        func token() -> AccessToken? { AccessToken(renewals == 0 ? "old" : "new") }

        func token(replacing rejected: AccessToken) -> AccessToken? {
            renewals += 1
            return AccessToken("new")
        }
    }

    @Test("A token that the server rejects is renewed once, and a rejection that stays is an error", arguments: Server.allCases)
    func renewal(_ server: Server) async throws {
        let tokens = Tokens()
        #expect(try await counts(client(server, .token(from: tokens)), to: 3) == [1, 2, 3])
        #expect(await tokens.renewals == 1)
        let rejected = try client(server, GraphQLConnectionParameters { ["Authorization": "Bearer old"] })
        await #expect(throws: GraphQLError.self) { try await counts(rejected, to: 3) }
    }

    /// A provider that counts renewals of a token that no server rejects at first.
    private actor Renewals: TokenProvider {
        private(set) var count = 0

        func token() -> AccessToken? { AccessToken("token-\(count)", session: "s") }

        func token(replacing rejected: AccessToken) -> AccessToken? {
            count += 1
            return AccessToken("token-\(count)", session: "s")
        }
    }

    @Test("A token that expires while the socket is open, 4401, is renewed, and the subscription goes on over another connection")
    func expiry() async throws {
        let tokens = Renewals()
        let client = try client(.strawberry, .token(from: tokens))
        let operation = GraphQLOperation<Numbers>(
            "subscription Expires($session: String!) { expires(session: $session) }", variables: ["session": .string(UUID().uuidString)])
        var numbers: [Int?] = []
        for try await result in client.subscribe(operation) { numbers.append(try result.get()["expires"]) }
        #expect(numbers == [1, 2])
        #expect(await tokens.count == 1)
    }
}
