import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient
@testable import MartletGraphQL

@Suite("An operation of several requests is one call", .timeLimit(.minutes(5)))
struct OperationLifecycleTests {
    /// The kinds of operations under test, by the requests they consist of.
    enum Kind: CaseIterable {
        case query, batch, updates, subscription
    }

    /// Fetches tokens with another client over the same transport.
    private final class FetchedTokens: TokenProvider {
        private let client: HTTPClient
        private let value = Locked("old")

        init(_ client: HTTPClient) { self.client = client }

        func token() async throws -> AccessToken? { AccessToken(value.withLock { $0 }) }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            try await client.send(Request<EmptyResponse>.get("token"))
            value.withLock { $0 = "new" }
            return try await token()
        }
    }

    /// Tokens whose renewal waits for a gate.
    private struct HeldTokens: TokenProvider {
        let isAsked = OneShot<Void>(), isHeld = OneShot<Void>()

        func token() async throws -> AccessToken? { AccessToken("old") }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            isAsked.set(())
            await isHeld.value()
            return AccessToken("new")
        }
    }

    private let time = ManualTime(autoAdvances: false)
    private let gate = Gate()
    private let query = GraphQLOperation<Count>("query Counting { count }")

    private static let data = #"{"data":{"count":1}}"#
    private static let unknown =
        #"{"data":null,"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#

    private func http(_ transport: MockTransport, _ interceptors: [any Interceptor] = []) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: interceptors,
            configuration: .init(totalTimeout: nil), time: time)
    }

    /// Runs an operation to its end and returns the last count.
    private func count(_ kind: Kind, _ client: GraphQLClient) async throws -> Int? {
        switch kind {
        case .query: return try await client.execute(query).count
        case .batch: return try await client.batch([query]).first?.data().count
        case .updates:
            var last: Int?
            for try await update in client.updates(query) { last = update.result.data?.count }
            return last
        case .subscription:
            let outcome = await Outcome(client.subscribe(Counting()))
            if let error = outcome.error { throw error }
            return outcome.counts.last ?? nil
        }
    }

    /// A server that rejects the old token when the gate opens, and accepts the new one.
    private func refusing(_ kind: Kind) -> MockTransport {
        MockTransport(time: time) { request in
            if request.url.path() == "/token" { return .json("{}") }
            if request.headers[.authorization] == "Bearer old" {
                await gate.pass()
                return .json(Wire.refused)
            }
            switch kind {
            case .query, .updates: return .json(Self.data)
            case .batch: return .json("[\(Self.data)]")
            case .subscription: return .counting(1)
            }
        }
    }

    @Test("While the transport drains, a rejected credential is renewed and the operation is sent again", arguments: Kind.allCases)
    func renewsWhileDraining(kind: Kind) async throws {
        let transport = refusing(kind)
        let client = GraphQLClient(http(transport, [AuthInterceptor(FetchedTokens(http(transport)))]))
        let running = Task { try await count(kind, client) }
        try await transport.waitForRequests(1)
        let drain = Task { await transport.drain(within: .seconds(20), time: time) }
        try await time.waitForTimers()
        gate.open()
        #expect(try await running.value == 1)
        #expect(await drain.value == DrainSummary(finished: 1) && transport.requests.count == 3)
    }

    @Test("cancelAll ends an operation whose credential is being renewed", arguments: Kind.allCases)
    func cancelsRenewal(kind: Kind) async throws {
        let tokens = HeldTokens(), transport = refusing(kind)
        defer { tokens.isHeld.set(()) }
        let client = GraphQLClient(http(transport, [AuthInterceptor(tokens)]))
        gate.open()
        let running = Task { try await count(kind, client) }
        await tokens.isAsked.value()
        try #require(client.calls?.runningCount == 1)
        client.cancelAll()
        await #expect(throws: GraphQLError.http(.cancelled)) { try await running.value }
        #expect(transport.requests.count == 1 && client.calls?.runningCount == 0)
    }

    /// A server that reports an unknown hash when the gate opens.
    private func persisting(deduplicates: Bool) -> (client: GraphQLClient, transport: MockTransport) {
        let transport = MockTransport(time: time) { request in
            if request.json?["query"] != nil { return .json(Self.data) }
            await gate.pass()
            return .json(Self.unknown)
        }
        let configuration = GraphQLClient.Configuration(persistedQueries: .automatic(), deduplicatesQueries: deduplicates)
        return (GraphQLClient(http(transport), configuration: configuration), transport)
    }

    @Test("While the client drains, a query's text is sent after its hash, and both are one call", arguments: [false, true])
    func persisted(deduplicates: Bool) async throws {
        let (client, transport) = persisting(deduplicates: deduplicates)
        let running = Task { try await client.execute(query) }
        try await transport.waitForRequests(1)
        #expect(client.calls?.runningCount == 1)
        let drain = Task { await client.drain(within: .seconds(20)) }
        try await time.waitForTimers()
        await #expect(throws: GraphQLError.http(.draining)) { try await client.execute(query) }
        gate.open()
        #expect(try await running.value == Count(count: 1))
        #expect(await drain.value == DrainSummary(finished: 1) && transport.requests.count == 2)
    }

    @Test("cancelAll between two requests of an operation ends it before the second", arguments: [false, true])
    func cancelsBetweenRequests(deduplicates: Bool) async throws {
        /// Cancels the client's calls when a response is read.
        struct CancellingDecoder: BodyDecoder {
            let client: HTTPClient
            var accept: String { client.decoder.accept }

            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                client.cancelAll()
                return try client.decoder.decode(type, from: data)
            }
        }
        let (persisting, transport) = persisting(deduplicates: deduplicates)
        let http = try #require(persisting.client as? HTTPClient)
        let client = persisting.with { $0.decoder = CancellingDecoder(client: http) }
        gate.open()
        await #expect(throws: GraphQLError.http(.cancelled)) { try await client.execute(query) }
        #expect(transport.requests.count == 1 && client.calls?.runningCount == 0)
    }

    @Test("A shared request continues when its first caller is cancelled, also while draining")
    func sharedRequest() async throws {
        let (client, transport) = persisting(deduplicates: true)
        let first = Task { try await client.execute(query) }
        try await transport.waitForRequests(1)
        let second = Task { try await client.execute(query) }
        while client.shared.flights.waiterCount < 2 { await Task.yield() }
        #expect(client.calls?.runningCount == 2)
        first.cancel()
        await #expect(throws: GraphQLError.http(.cancelled)) { try await first.value }
        let drain = Task { await client.drain(within: .seconds(20)) }
        try await time.waitForTimers()
        gate.open()
        #expect(try await second.value == Count(count: 1))
        #expect(await drain.value == DrainSummary(finished: 1) && transport.requests.count == 2)
    }

    @Test("Each iteration of the same updates or subscription is a call of its own", arguments: [Kind.updates, .subscription])
    func iterations(kind: Kind) async throws {
        let transport = refusing(kind)
        let client = GraphQLClient(http(transport))
        let updates = client.updates(query), subscription = client.subscribe(Counting())
        func read() async throws {
            switch kind {
            case .updates: for try await _ in updates {}
            default: for try await _ in subscription {}
            }
        }
        try await read()
        try await read()
        _ = await client.drain(within: .zero)
        await #expect(throws: GraphQLError.http(.draining)) { try await read() }
        #expect(transport.requests.count == 2)
    }

    @Test("cancelAll ends the second iteration of the same updates or subscription", arguments: [Kind.updates, .subscription])
    func laterIteration(kind: Kind) async throws {
        let tokens = HeldTokens(), refuses = Locked(false)
        defer { tokens.isHeld.set(()) }
        let transport = MockTransport(time: time) { _ in
            if refuses.withLock({ $0 }) { return .json(Wire.refused) }
            return kind == .updates ? .json(Self.data) : .counting(1)
        }
        let client = GraphQLClient(http(transport, [AuthInterceptor(tokens)]))
        let updates = client.updates(query), subscription = client.subscribe(Counting())
        let read = { @Sendable () async throws in
            switch kind {
            case .updates: for try await _ in updates {}
            default: for try await _ in subscription {}
            }
        }
        try await read()
        refuses.withLock { $0 = true }
        let running = Task { try await read() }
        // No request is running: only the iteration's own call is.
        await tokens.isAsked.value()
        #expect(client.calls?.runningCount == 1)
        client.cancelAll()
        tokens.isHeld.set(())
        await #expect(throws: GraphQLError.http(.cancelled)) { try await running.value }
        #expect(transport.requests.count == 2)
    }
}
