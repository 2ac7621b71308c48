import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("Whose operations share a WebSocket", .timeLimit(.minutes(5)))
struct GraphQLSocketPoolTests {
    private let bench = SubscriptionBench()

    /// A provider whose token the test sets. A renewal returns the next number.
    private final class Tokens: TokenProvider {
        let current: Locked<AccessToken?>
        let renewals = Locked(0)

        init(_ token: AccessToken?) { current = Locked(token) }

        func token() async throws -> AccessToken? { current.withLock { $0 } }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            let number = renewals.withLock { renewals in
                renewals += 1
                return renewals
            }
            return current.withLock { current in
                current?.value = "new-\(number)"
                return current
            }
        }
    }

    private func client(
        _ transport: WebSocketSubscriptionTransport, headers: HTTPFields = [:], scope: (@Sendable () async -> String)? = nil
    )
        -> GraphQLClient
    {
        bench.client(MockTransport(), options: bench.options(transport)).with {
            $0.headers = headers
            $0.scope = scope
        }
    }

    /// Begins a subscription, waits until its operation has started over the socket with this number, and returns the count of texts there.
    private func begin(_ client: GraphQLClient, _ options: GraphQLCallOptions = GraphQLCallOptions()) -> Task<Outcome, Never> {
        Task { await Outcome(client.subscribe(Counting(), options: options)) }
    }

    @Test(
        "The token of a provider is the payload, and is renewed once when the server rejects it",
        arguments: [4401, 4403, 1000, 1008] as [UInt16])
    func renewal(code: UInt16) async throws {
        let tokens = Tokens(AccessToken("old"))
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket { _ in [] } }
        let task = begin(client(sockets.transport(.token(from: tokens))))
        let first = await sockets.socket(1)
        #expect(await first.waitForTexts(1) == ["connection_init"])
        #expect(first.sent == [#"{"type":"connection_init","payload":{"Authorization":"Bearer old"}}"#])
        first.end(code)
        let second = await sockets.socket(2)
        _ = await second.waitForTexts(1)
        #expect(second.sent == [#"{"type":"connection_init","payload":{"Authorization":"Bearer new-1"}}"#])
        second.end(code, "no")
        let error = await task.value.error
        #expect(error == .closed(GraphQLSocketClosure(code: WebSocketCloseCode(rawValue: code), reason: "no", wasAcknowledged: false)))
        #expect(error?.isAuthenticationError == (code == 4401) && tokens.renewals.withLock { $0 } == 1 && bench.time.sleeps == [])
    }

    @Test("A token that expires while the socket is open is renewed once for all subscriptions, which go on over one new connection")
    func expiry() async throws {
        let tokens = Tokens(AccessToken("old", session: "s"))
        let sockets = FakeGraphQLSockets()
        let client = client(sockets.transport(.token(from: tokens)))
        let tasks = [begin(client), begin(client)]
        let first = await sockets.socket(1)
        _ = await first.waitForTexts(3)
        for id in ["1", "2"] { first.next(1, id: id) }
        first.end(4401)
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
        #expect(sockets.count == 2 && tokens.renewals.withLock { $0 } == 1)
    }

    @Test("A silent subscription renews at each expiry, but not twice within a minute")
    func silentExpiry() async throws {
        let tokens = Tokens(AccessToken("old", session: "s"))
        let sockets = FakeGraphQLSockets()
        let task = begin(client(sockets.transport(.token(from: tokens))))
        for number in 1...3 {
            let socket = await sockets.socket(number)
            _ = await socket.waitForTexts(2)
            if number < 3 {
                for _ in 1...4 {
                    bench.time.advance(by: .seconds(20))
                    socket.push(#"{"type":"pong"}"#)
                    while !socket.isAwaited { await Task.yield() }
                }
            }
            socket.end(4401)
        }
        #expect(await task.value.error == .closed(GraphQLSocketClosure(code: 4401)))
        #expect(tokens.renewals.withLock { $0 } == 2 && bench.time.sleeps == [])
    }

    @Test("The credential of the handshake is renewed when there is none in the payload")
    func handshakeCredential() async throws {
        let renewals = Locked(0)
        var head = HTTPResponse(status: HTTPStatus(101), body: ())
        head.metadata.credential = SentCredential { () throws(HTTPError) in
            renewals.withLock { $0 += 1 }
            return true
        }
        let response = head
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket(response: response) }
        let task = begin(client(sockets.transport()))
        let first = await sockets.socket(1)
        _ = await first.waitForTexts(2)
        first.end(4401)
        let second = await sockets.socket(2)
        _ = await second.waitForTexts(2)
        second.complete()
        #expect(await task.value.error == nil && renewals.withLock { $0 } == 1)
    }

    @Test("Another session, other fields, another scope and other parameters have connections of their own")
    func separation() async throws {
        // Each change of the first value of a pair opens another connection; without one, the operation shares it.
        let tokens = Tokens(AccessToken("a", session: "1"))
        let sockets = FakeGraphQLSockets()
        let transport = sockets.transport(.token(from: tokens))
        let scope = Locked("ann")
        let client = client(transport, scope: { scope.withLock { $0 } })
        var tasks = [begin(client)]
        _ = await sockets.socket(1).waitForTexts(2)
        tokens.current.withLock { $0 = AccessToken("refreshed", session: "1") }
        tasks.append(begin(client))
        #expect(await sockets.socket(1).waitForTexts(3).last == "subscribe 2")
        tokens.current.withLock { $0 = AccessToken("b", session: "2") }
        tasks.append(begin(client))
        _ = await sockets.socket(2).waitForTexts(2)
        scope.withLock { $0 = "bob" }
        tasks.append(begin(client))
        _ = await sockets.socket(3).waitForTexts(2)
        tasks.append(begin(client, GraphQLCallOptions(headers: ["X-Tenant": "7"])))
        _ = await sockets.socket(4).waitForTexts(2)
        tokens.current.withLock { $0 = nil }
        tasks.append(begin(client))
        _ = await sockets.socket(5).waitForTexts(2)
        #expect(await sockets.socket(5).sent.first == #"{"type":"connection_init"}"#)
        // A client of its own, over the same transport.
        tasks.append(begin(self.client(transport, scope: { "bob" })))
        _ = await sockets.socket(6).waitForTexts(2)
        #expect(sockets.count == 6)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value.error == .http(.cancelled)) }
    }

    @Test("A credential that the handshake does not attribute gives each subscription a connection, unless a scope is set")
    func unattributed() async throws {
        var request = HTTPRequest(method: .get, url: URL(string: "https://api.example/graphql") ?? URL(filePath: "/"))
        request.headers[.authorization] = "Bearer unknown"
        var head = HTTPResponse(status: HTTPStatus(101), body: ())
        head.metadata.request = request
        let response = head
        for (scope, count) in [(nil, 2), ("ann", 1)] as [(String?, Int)] {
            let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket(response: response) }
            let client = client(sockets.transport(), scope: scope.map { scope in { @Sendable in scope } })
            let first = begin(client)
            _ = await sockets.socket(1).waitForTexts(2)
            let second = begin(client)
            _ = await sockets.socket(count).waitForTexts(count == 1 ? 3 : 2)
            #expect(sockets.count == count)
            for task in [first, second] { task.cancel() }
        }
    }

    @Test("A connection with an interceptor's token is shared while the token is that of the session")
    func interceptor() async throws {
        let isCurrent = Locked(true)
        var request = HTTPRequest(method: .get, url: URL(string: "https://api.example/graphql") ?? URL(filePath: "/"))
        request.headers[.authorization] = "Bearer known"
        var head = HTTPResponse(status: HTTPStatus(101), body: ())
        head.metadata.request = request
        head.metadata.credential = SentCredential(isRenewed: false) { question throws(HTTPError) in
            question == .isCurrent && isCurrent.withLock { $0 }
        }
        let response = head
        let sockets = FakeGraphQLSockets { _ in FakeGraphQLSocket(response: response) }
        let client = client(sockets.transport())
        var tasks = [begin(client)]
        _ = await sockets.socket(1).waitForTexts(2)
        tasks.append(begin(client))
        _ = await sockets.socket(1).waitForTexts(3)
        isCurrent.withLock { $0 = false }
        tasks.append(begin(client))
        _ = await sockets.socket(2).waitForTexts(2)
        #expect(sockets.count == 2)
        for task in tasks { task.cancel() }
    }

    @Test("A handshake at a URL of WebSocket is compared as the request of HTTP that is sent")
    func handshakeURL() throws {
        let client = bench.client(MockTransport())
        for (url, made) in [("wss://h:443/ws", "https://h:443/ws"), ("ws://h/ws?a=wss", "http://h/ws?a=wss"), ("https://h/", "https://h/")]
        {
            let target = GraphQLTarget(url: URL(string: url))
            let endpoint = GraphQLEndpoint([], target: target, headers: [:], timeout: nil, options: CallOptions())
            let handshake = GraphQLSocketHandshake(
                client: client.client, endpoint: endpoint, settings: GraphQLSocketSettings(), maxMessageBytes: 1)
            #expect(handshake.made.url.absoluteString == made && handshake.place == url)
        }
    }

    @Test("Parameters are an object from a closure, or none, and a failure to make them is an authentication error")
    func parameters() async throws {
        struct Sealed: Error {}
        let time = ManualTime()
        let object = GraphQLConnectionParameters { ["key": "secret"] }
        #expect(try await object.made(time: time).payload == Data(#"{"key":"secret"}"#.utf8) && !"\(object)".contains("secret"))
        for none in [GraphQLConnectionParameters { nil }, GraphQLConnectionParameters { .null }, .none] {
            let made = try await none.made(time: time)
            #expect(made.payload == nil && made.identity.isEmpty && made.credential == nil)
        }
        await #expect(throws: HTTPError.authenticationFailed) {
            try await GraphQLConnectionParameters { throw Sealed() }.made(time: time)
        }
        await #expect(throws: HTTPError.timeout) { try await GraphQLConnectionParameters { throw HTTPError.timeout }.made(time: time) }
        await #expect(throws: HTTPError.invalidRequest) { try await GraphQLConnectionParameters { "text" }.made(time: time) }
    }

    @Test("A connection during whose handshake the app has changed its user is used for no other operation")
    func changeOfUser() async throws {
        let user = Locked("a")
        let sockets = FakeGraphQLSockets { number in
            if number == 1 { user.withLock { $0 = "b" } }
            return FakeGraphQLSocket()
        }
        let client = client(sockets.transport()) { user.withLock { $0 } }
        var tasks = [begin(client)]
        _ = await sockets.socket(1).waitForTexts(2)
        user.withLock { $0 = "a" }
        tasks.append(begin(client))
        _ = await sockets.socket(2).waitForTexts(2)
        for number in 1...2 { await sockets.socket(number).complete() }
        for task in tasks { #expect(await task.value.error == nil) }
        #expect(sockets.count == 2)
    }

    @Test("The limit of messages is that of a subscription, and with queries over the same connection that of both")
    func limits() async throws {
        for sharesQueries in [false, true] {
            let sockets = FakeGraphQLSockets()
            let transport = sockets.transport()
            let task = begin(client(transport).with { if sharesQueries { $0.webSocket = transport } })
            let socket = await sockets.socket(1)
            _ = await socket.waitForTexts(2)
            socket.complete()
            _ = await task.value
            let bodies = ResponseLimits().bodyBytes
            #expect(sockets.handshakes.map(\.maxMessageBytes) == [sharesQueries ? bodies : 16 << 20])
        }
    }
}
