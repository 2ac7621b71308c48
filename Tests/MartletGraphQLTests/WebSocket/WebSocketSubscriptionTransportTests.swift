import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Subscriptions over WebSocket", .timeLimit(.minutes(5)))
struct WebSocketSubscriptionTransportTests {
    private let bench = SubscriptionBench()

    private func client(
        _ transport: WebSocketSubscriptionTransport, _ change: (inout GraphQLSubscriptionOptions) -> Void = { _ in }
    ) -> GraphQLClient {
        bench.client(MockTransport(), options: bench.options(transport, change))
    }

    private func subscribe(_ client: GraphQLClient) -> Task<Outcome, Never> { Task { await Outcome(client.subscribe(Counting(to: 3))) } }

    @Test("An operation opens the connection, receives its results, and the idle connection is closed")
    func life() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets.transport())
        #expect(sockets.count == 0)
        let task = subscribe(client)
        let socket = await sockets.socket(1)
        #expect(await socket.waitForTexts(2) == ["connection_init", "subscribe 1"])
        let start = try JSONValue(parsing: Data(socket.sent[1].utf8))
        #expect(start["payload"]?["variables"] == ["to": 3] && start["payload"]?["operationName"] == "Counting")
        for count in 1...2 { socket.next(count) }
        socket.complete()
        let outcome = await task.value
        #expect(outcome.counts == [1, 2] && outcome.error == nil)
        try await bench.time.waitForTimers(2)
        #expect(socket.closes == [])
        bench.time.advance(by: .seconds(10))
        await socket.isClosed.value()
        #expect(socket.closes.first == 1000 && socket.types == ["connection_init", "subscribe 1"])
        // The next operation opens another connection.
        let second = subscribe(client)
        let other = await sockets.socket(2)
        _ = await other.waitForTexts(2)
        other.complete()
        #expect(await second.value.error == nil)
    }

    @Test("Operations share a connection, and an error ends its own only")
    func sharing() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets.transport())
        let first = subscribe(client)
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        let second = subscribe(client)
        #expect(await socket.waitForTexts(3) == ["connection_init", "subscribe 1", "subscribe 2"])
        socket.next(1, id: "1")
        socket.next(2, id: "2")
        socket.push(#"{"type":"error","id":"1","payload":[{"message":"no"}]}"#)
        let failed = await first.value
        #expect(failed.counts == [1] && failed.error == .response([GraphQLResponseError(message: "no")]))
        socket.next(3, id: "2")
        socket.complete(id: "2")
        #expect(await second.value.counts == [2, 3] && sockets.count == 1)
    }

    @Test("Operations that begin at the same time wait for one handshake")
    func oneHandshake() async throws {
        let mayOpen = OneShot<Void>(), isAsked = OneShot<Void>()
        let sockets = FakeGraphQLSockets { _ in
            isAsked.set(())
            await mayOpen.value()
            return FakeGraphQLSocket()
        }
        let client = client(sockets.transport())
        let tasks = [subscribe(client), subscribe(client)]
        await isAsked.value()
        mayOpen.set(())
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(3)
        for id in ["1", "2"] { socket.complete(id: id) }
        for task in tasks { #expect(await task.value.error == nil) }
        #expect(sockets.handshakes.count == 1)
    }

    @Test("Leaving a loop completes its operation, and the others go on")
    func leaving() async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets.transport())
        let other = subscribe(client)
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        let leaving = Task {
            for try await result in client.subscribe(Counting()) { return result.data?.count }
            return nil
        }
        _ = await socket.waitForTexts(3)
        socket.next(7, id: "2")
        #expect(try await leaving.value == 7)
        #expect(await socket.waitForTexts(4).last == "complete 2")
        socket.next(8, id: "2")
        socket.next(1, id: "1")
        socket.complete(id: "1")
        #expect(await other.value.counts == [1] && socket.closes == [])
    }

    @Test("When the connection is lost, all subscriptions go on over one new connection", arguments: [nil, 1001, 1012] as [UInt16?])
    func reconnection(code: UInt16?) async throws {
        let sockets = FakeGraphQLSockets()
        let client = client(sockets.transport())
        let tasks = [subscribe(client), subscribe(client)]
        let first = await sockets.socket(1)
        _ = await first.waitForTexts(3)
        for id in ["1", "2"] { first.next(1, id: id) }
        first.end(code)
        let second = await sockets.socket(2)
        _ = await second.waitForTexts(3)
        for id in ["1", "2"] {
            second.next(2, id: id)
            second.complete(id: id)
        }
        for task in tasks {
            let outcome = await task.value
            #expect(outcome.counts == [1, 2] && outcome.error == nil)
        }
        #expect(sockets.count == 2 && bench.time.sleeps == [.seconds(3), .seconds(3)])
    }

    @Test("A code by which the server refuses is thrown at once", arguments: [4400, 4403, 4406, 4409, 4429, 4500, 1008, 1009] as [UInt16])
    func refusals(code: UInt16) async throws {
        let sockets = FakeGraphQLSockets()
        let task = subscribe(client(sockets.transport()))
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        socket.next(1)
        socket.end(code, "why")
        let outcome = await task.value
        #expect(
            outcome.counts == [1] && outcome.error == .closed(GraphQLSocketClosure(code: WebSocketCloseCode(rawValue: code), reason: "why"))
        )
        #expect(sockets.count == 1 && outcome.error?.isAuthenticationError == false)
        #expect(outcome.error.map { "\($0)" }?.contains("\(code)") == true)
    }

    @Test("Without reconnection a lost connection is thrown, with its code if it has one")
    func never() async throws {
        for (code, error) in [
            (nil, .http(.connectionLost)), (1012, .closed(GraphQLSocketClosure(code: 1012))),
        ] as [(UInt16?, GraphQLError)] {
            let sockets = FakeGraphQLSockets()
            let task = subscribe(client(sockets.transport()) { $0.reconnection = .never })
            let socket = await sockets.socket(1)
            _ = await socket.waitForTexts(2)
            socket.end(code)
            #expect(await task.value.error == error)
        }
    }

    @Test("A missing acknowledgement is a timeout, and the connection is closed with 4504")
    func noAcknowledgement() async throws {
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket { _ in [] } }
        let transport = sockets.transport { $0.acknowledgementTimeout = .seconds(4) }
        let task = subscribe(client(transport) { $0.reconnection = .never })
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(1)
        try await bench.time.waitForTimers(2)
        bench.time.advance(by: .seconds(4))
        let error = await task.value.error
        #expect(error == .http(.timeout) && socket.closes.first == 4504)
        #expect(error?.httpError?.context.detail == "connection_ack did not arrive within 4.00 s")
    }

    @Test("A cancelled opening closes the socket")
    func cancelledOpening() async throws {
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket { _ in [] } }
        let task = subscribe(client(sockets.transport()))
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(1)
        task.cancel()
        #expect(await task.value.error == .http(.cancelled))
        await socket.isClosed.value()
    }

    @Test("A failed handshake is thrown, or tried again, as for every transport")
    func handshake() async throws {
        let refused = FakeGraphQLSockets { _ throws(HTTPError) in
            throw .statusCode(HTTPResponse(status: .forbidden, body: Data()))
        }
        #expect(await subscribe(client(refused.transport())).value.error?.httpError?.status == .forbidden)
        let passing = FakeGraphQLSockets { number throws(HTTPError) in
            if number == 1 { throw .connectionRefused }
            return FakeGraphQLSocket()
        }
        let task = subscribe(client(passing.transport()))
        let socket = await passing.socket(1)
        _ = await socket.waitForTexts(2)
        socket.complete()
        #expect(await task.value.error == nil && passing.handshakes.count == 2)
        let handshake = try #require(passing.handshakes.first)
        #expect(
            handshake.settings.protocols.map(\.rawValue) == ["graphql-transport-ws", "graphql-ws"] && handshake.endpoint.method == .get)
        #expect(handshake.endpoint.body == nil && handshake.place == "https://api.example/ graphql")
        #expect(handshake.endpoint.endpointName == "GraphQL over WebSocket" && handshake.endpoint.operationName == nil)
    }

    @Test("A message that violates the protocol ends the subscriptions, and the connection is closed with 4400")
    func violation() async throws {
        let sockets = FakeGraphQLSockets()
        let task = subscribe(client(sockets.transport()) { $0.reconnection = .never })
        let socket = await sockets.socket(1)
        _ = await socket.waitForTexts(2)
        socket.push("{}")
        let error = await task.value.error
        #expect(error == .http(.invalidResponse) && socket.closes.first == 4400)
    }

    @Test("The older protocol has its own messages, and says goodbye")
    func older() async throws {
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket(.graphQLWS) }
        // The client keeps the connection open.
        let client = client(sockets.transport())
        let task = subscribe(client)
        let socket = await sockets.socket(1)
        #expect(await socket.waitForTexts(2).last == "start 1")
        socket.push(#"{"type":"ka"}"#)
        socket.push(#"{"type":"data","id":"1","payload":{"data":{"count":5}}}"#)
        socket.complete()
        #expect(await task.value.counts == [5])
        try await bench.time.waitForTimers(1)
        bench.time.advance(by: .seconds(10))
        await socket.isClosed.value()
        #expect(socket.types.last == "connection_terminate")
        withExtendedLifetime(client) {}
    }

    @Test("The older protocol's connection_error is 4403")
    func olderRefusal() async throws {
        let sockets = FakeGraphQLSockets { _ in
            FakeGraphQLSocket(.graphQLWS) { _ in [#"{"type":"connection_error","payload":{"message":"who?"}}"#] }
        }
        let outcome = await subscribe(client(sockets.transport())).value
        #expect(outcome.error == .closed(GraphQLSocketClosure(code: 4403, reason: "who?", wasAcknowledged: false)))
    }

    @Test("Signals report the handshake's head, heartbeats and the reason of a reconnection")
    func signals() async throws {
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket(response: HTTPResponse(status: HTTPStatus(101), body: ())) }
        let client = client(sockets.transport())
        let task = Task {
            var told: [String] = []
            for try await signal in client.subscribe(Counting()).signals {
                switch signal {
                case .open(let head): told.append("open \(head?.status.rawValue ?? 0)")
                case .heartbeat: told.append("heartbeat")
                case .reconnecting(_, .closed(let closure)): told.append("closed \(closure.code.rawValue)")
                case .result(let result): told.append("\(result.data?.count ?? 0)")
                default: break
                }
            }
            return told
        }
        let first = await sockets.socket(1)
        _ = await first.waitForTexts(2)
        first.push(#"{"type":"ping"}"#)
        #expect(await first.waitForTexts(3).last == "pong")
        first.next(1)
        first.end(1001)
        let second = await sockets.socket(2)
        _ = await second.waitForTexts(2)
        second.complete()
        #expect(try await task.value == ["open 101", "heartbeat", "1", "closed 1001", "open 101"])
    }
}
