import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("GraphQL over real WebSockets", .timeLimit(.minutes(5)))
struct ClientGraphQLSocketTests {
    private func client(
        _ server: MockServer, _ transport: WebSocketSubscriptionTransport = WebSocketSubscriptionTransport(),
        interceptors: [any Interceptor] = [], _ change: (inout GraphQLSubscriptionOptions) -> Void = { _ in }
    ) -> GraphQLClient {
        var options = GraphQLSubscriptionOptions(
            transport: transport,
            reconnection: EventReconnection(reconnects: true, delay: .milliseconds(1), minDelay: .milliseconds(1), maxFailures: 3))
        change(&options)
        let http = HTTPClient(baseURL: server.url, interceptors: interceptors)
        return GraphQLClient(http, configuration: .init(subscriptions: options, webSocket: transport))
    }

    /// A server that acknowledges, and replies to each operation with these steps.
    private func replying(
        _ form: GraphQLSocketProtocol = .graphQLTransportWS, _ steps: @escaping @Sendable (_ id: String) -> [WebSocketStep]
    ) -> MockReply {
        .webSocket(
            .answer { message in
                guard case .text(let text) = message, let type = FakeGraphQLSocket.member("type", of: text) else { return [] }
                if type == "connection_init" { return [.send(json: ["type": "connection_ack"])] }
                return type == form.startType ? steps(FakeGraphQLSocket.member("id", of: text) ?? "") : []
            }, protocols: [form.rawValue])
    }

    private static func next(_ count: Int, _ id: String, _ form: GraphQLSocketProtocol = .graphQLTransportWS) -> WebSocketStep {
        let type = form == .graphQLTransportWS ? "next" : "data"
        return .send(json: ["type": .string(type), "id": .string(id), "payload": ["data": ["count": JSONValue(count)]]])
    }

    private static func complete(_ id: String) -> WebSocketStep { .send(json: ["type": "complete", "id": .string(id)]) }

    @Test("Operations share one connection in the protocol that the server selects", arguments: GraphQLSocketProtocol.allCases)
    func sharing(form: GraphQLSocketProtocol) async throws {
        let server = try await MockServer.start()
        server.enqueue(replying(form) { id in (1...50).map { Self.next($0, id, form) } + [Self.complete(id)] })
        let client = client(server)
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for _ in 1...3 { group.addTask { await Outcome(client.subscribe(Counting())) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.counts == Array(1...50) && outcome.error == nil) }
        #expect(try await client.execute(GraphQLOperation<Count>("{ count }")).count == 1)
        let socket = try #require(server.webSockets.first)
        #expect(server.webSockets.count == 1 && socket.subprotocol == form.rawValue && socket.failures == [])
        #expect(socket.request.headers["Sec-WebSocket-Protocol"] == "graphql-transport-ws, graphql-ws")
        #expect(socket.request.target == "/graphql")
        await server.stop()
    }

    @Test(
        "An idle connection is closed with 1000, and after its first operation at the earliest",
        arguments: [Duration.zero, .milliseconds(1)])
    func idle(limit: Duration) async throws {
        let server = try await MockServer.start()
        server.enqueue(replying { [Self.complete($0)] })
        var transport = WebSocketSubscriptionTransport()
        transport.idleTimeout = limit
        let client = client(server, transport)
        #expect(await Outcome(client.subscribe(Counting())).error == nil)
        #expect(try await server.waitForWebSockets()[0].waitForEnd() == .normalClosure)
        await server.stop()
    }

    @Test("A dropped connection is replaced, and a closure that would repeat is thrown with its code and reason")
    func losses() async throws {
        let server = try await MockServer.start()
        server.enqueue(replying { [Self.next(1, $0), .drop()] })
        server.enqueue(replying { [Self.next(2, $0), .close(.serviceRestart)] })
        server.enqueue(replying { [Self.next(3, $0), .close(4403, reason: "Forbidden")] })
        let outcome = await Outcome(client(server).subscribe(Counting()))
        #expect(outcome.counts == [1, 2, 3])
        #expect(outcome.error == .closed(GraphQLSocketClosure(code: 4403, reason: "Forbidden")))
        #expect(outcome.error?.response?.status == .switchingProtocols)
        await server.stop()
    }

    @Test("A 401 of the handshake and a 4401 of the server both renew the interceptor's token")
    func renewal() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(401))
        server.enqueue(replying { [Self.next(1, $0), .close(4401)] })
        server.enqueue(replying { [Self.next(2, $0), Self.complete($0)] })
        let number = Locked(1)
        let tokens = AuthInterceptor {
            AccessToken("t\(number.withLock { $0 })")
        } replacing: { _ in
            number.withLock { $0 += 1 }
            return AccessToken("t\(number.withLock { $0 })")
        }
        let outcome = await Outcome(client(server, interceptors: [tokens]).subscribe(Counting()))
        #expect(outcome.counts == [1, 2] && outcome.error == nil)
        #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t2", "Bearer t3"])
        await server.stop()
    }

    @Test("An origin to which a redirect leads does not get the parameters of the connection, and without them it is used")
    func redirect() async throws {
        let server = try await MockServer.start(), other = try await MockServer.start()
        let target = other.url.appending(path: "graphql").absoluteString
        for _ in 1...2 { server.enqueue(.status(307, headers: [.location: target])) }
        for _ in 1...2 { other.enqueue(replying { [Self.next(1, $0), Self.complete($0)] }) }
        let parameters = GraphQLConnectionParameters { ["Authorization": "Bearer s3cr3t"] }
        let error = await Outcome(client(server, .init(parameters: parameters)).subscribe(Counting())).error
        if case .http(.redirectFailed) = error {} else { Issue.record("\(String(describing: error))") }
        let socket = try await other.waitForWebSockets()[0]
        try await socket.waitForEnd()
        #expect(socket.messages == [])
        #expect(await Outcome(client(server).subscribe(Counting())).counts == [1])
        await server.stop()
        await other.stop()
    }

    @Test("A refused handshake is a status, and a message above the limit is .responseTooLarge with that limit")
    func refusals() async throws {
        let server = try await MockServer.start()
        server.enqueue(.status(404))
        #expect(await Outcome(client(server).subscribe(Counting())).error?.httpError?.status == .notFound)
        server.enqueue(
            replying { [.send(.text(#"{"type":"next","id":"\#($0)","payload":{"a":"\#(String(repeating: "x", count: 4000))"}}"#))] })
        let error = await Outcome(client(server) { $0.maxMessageBytes = 100 }.subscribe(Counting())).error
        #expect(error == .http(.responseTooLarge(SizeLimitFailure(limit: 100))))
        try await server.waitForWebSockets()[0].waitForEnd()
        await server.stop()
    }

    @Test("JSON as binary data is read, and a frame that violates RFC 6455 is an invalid response")
    func frames() async throws {
        let server = try await MockServer.start()
        server.enqueue(
            replying { [.send(.data(Data(#"{"type":"next","id":"\#($0)","payload":{"data":{"count":6}}}"#.utf8))), .frame(0x3, "no")] })
        let outcome = await Outcome(client(server) { $0.reconnection = .never }.subscribe(Counting()))
        #expect(outcome.counts == [6] && outcome.error == .http(.invalidResponse))
        try await server.waitForWebSockets()[0].waitForEnd()
        await server.stop()
    }

    @Test("cancelAll() ends the subscriptions and closes the connection")
    func cancelAll() async throws {
        let server = try await MockServer.start()
        server.enqueue(replying { [Self.next(1, $0)] })
        let client = client(server)
        let task = Task { await Outcome(client.subscribe(Counting())) }
        let socket = try await server.waitForWebSockets()[0]
        try await socket.waitForMessages(2)
        client.cancelAll()
        #expect(await task.value.error == .http(.cancelled))
        _ = try await socket.waitForEnd()
        await server.stop()
    }
}
