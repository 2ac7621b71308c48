import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Queries and mutations over WebSocket", .timeLimit(.minutes(5)))
struct WebSocketExchangeTests {
    private let bench = SubscriptionBench()

    private struct CountQuery: GraphQLQuery {
        typealias Data = Count
        static let document: GraphQLDocument = "query Current { count }"
    }

    private struct Increase: GraphQLMutation {
        typealias Data = Count
        static let document: GraphQLDocument = "mutation Increase { count }"
    }

    private func client(_ sockets: FakeGraphQLSockets, _ parameters: GraphQLConnectionParameters = .none) -> GraphQLClient {
        let transport = sockets.transport(parameters)
        return bench.client(MockTransport(), options: bench.options(transport)).with { $0.webSocket = transport }
    }

    @Test("Operations share the connection of a subscription, and their responses are those of HTTP")
    func sharing() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets)
        let subscription = Task { await Outcome(client.subscribe(Counting())) }
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        let query = Task { try await client.response(for: CountQuery()) }
        _ = await socket.waitForTexts(3)
        socket.push(#"{"type":"next","id":"2","payload":{"data":{"count":4},"extensions":{"cost":1}}}"#)
        let response = try await query.value
        #expect(response.result == .complete(Count(count: 4)) && response.extensions == ["cost": 1])
        let mutation = Task { try await client.result(of: Increase()) }
        _ = await socket.waitForTexts(5)
        socket.push(#"{"type":"error","id":"3","payload":[{"message":"no","path":["a",1],"extensions":{"code":"X"}}]}"#)
        #expect(try await mutation.value == .failed([GraphQLResponseError(message: "no", path: ["a", 1], code: "X")]))
        socket.complete()
        #expect(await subscription.value.error == nil && sockets.count == 1)
    }

    @Test("A mutation whose connection is lost is not sent again, and neither is a query")
    func lost() async throws {
        for isQuery in [true, false] {
            let sockets = FakeGraphQLSockets()
            let client = client(sockets)
            let task = Task { isQuery ? try await client.execute(CountQuery()) : try await client.execute(Increase()) }
            let socket = await sockets.socket(1)
            _ = await socket.waitForTexts(2)
            socket.end(nil)
            await #expect(throws: GraphQLError.http(.connectionLost)) { try await task.value }
            #expect(sockets.count == 1)
        }
    }

    @Test("A rejected credential is renewed once: a query is sent again, and a mutation only if it was not sent yet")
    func renewal() async throws {
        for (isQuery, isEarly) in [(true, true), (true, false), (false, true), (false, false)] {
            let renewals = Locked(0)
            let tokens = ClosureTokenProvider {
                AccessToken("t\(renewals.withLock { $0 })")
            } replacing: { _ in
                renewals.withLock { $0 += 1 }
                return AccessToken("t\(renewals.withLock { $0 })")
            }
            let sockets = FakeGraphQLSockets { number in
                isEarly && number == 1 ? FakeGraphQLSocket { _ in [] } : FakeGraphQLSocket()
            }
            let client = client(sockets, .token(from: tokens))
            let task = Task { isQuery ? try await client.execute(CountQuery()) : try await client.execute(Increase()) }
            let first = await sockets.socket(1)
            _ = await first.waitForTexts(isEarly ? 1 : 2)
            first.end(4401)
            guard isQuery || isEarly else {
                await #expect(throws: GraphQLError.closed(GraphQLSocketClosure(code: 4401))) { try await task.value }
                #expect(renewals.withLock { $0 } == 0)
                continue
            }
            let second = await sockets.socket(2)
            _ = await second.waitForTexts(2)
            second.next(9)
            #expect(try await task.value.count == 9)
            #expect(renewals.withLock { $0 } == 1)
        }
    }

    @Test("The total timeout and the cancellation of the task complete the operation on the server")
    func ends() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets)
        let late = Task { try await client.execute(CountQuery(), options: GraphQLCallOptions(timeout: .seconds(5))) }
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        bench.time.advance(by: .seconds(5))
        await #expect(throws: GraphQLError.http(.timeout)) { try await late.value }
        #expect(await socket.waitForTexts(3).last == "complete 1")
        let cancelled = Task { try await client.execute(CountQuery()) }
        _ = await socket.waitForTexts(4)
        cancelled.cancel()
        await #expect(throws: GraphQLError.http(.cancelled)) { try await cancelled.value }
        #expect(await socket.waitForTexts(5).last == "complete 2")
    }

    @Test("An operation that is completed without a result has no data")
    func nothing() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets)
        let task = Task { try await client.execute(CountQuery()) }
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        socket.complete()
        await #expect(throws: GraphQLError.http(.noData)) { try await task.value }
    }

    @Test("A response over a connection with parameters is stored only if a scope says whose it is", arguments: [nil, "ann"] as [String?])
    func attribution(scope: String?) async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets, GraphQLConnectionParameters { ["user": "ann"] }).with {
            $0.cache = GraphQLDocumentCache()
            $0.scope = scope.map { scope in { @Sendable in scope } }
        }
        let first = Task { try await client.execute(CountQuery()) }
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        socket.next(1)
        #expect(try await first.value.count == 1)
        let second = Task { try await client.execute(CountQuery()) }
        if scope == nil {
            _ = await socket.waitForTexts(4)
            socket.next(2, id: "2")
        }
        #expect(try await second.value.count == (scope == nil ? 2 : 1))
    }
}
