import Foundation
import MartletSystem
import TestSupport
import Testing

@testable import MartletClient
@testable import MartletGraphQL
@testable import MartletTesting

@Suite("GraphQL under the deadline of a task", .timeLimit(.minutes(5)))
struct GraphQLDeadlineTests {
    private let bench = SubscriptionBench()
    private var time: ManualTime { bench.time }

    // MARK: Queries

    private func query(_ client: GraphQLClient, at deadline: ContinuousClock.Instant) -> Task<String?, any Error> {
        Task { try await withDeadline(at: deadline) { try await client.execute(Wire.hero).hero?.name } }
    }

    @Test("Identical queries share a request only if they have the same deadline, and each ends by its own")
    func deduplication() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.pass()
            return .json(Wire.swift)
        }
        let client = Wire.client(transport, time: time), (soon, later) = (time.instant + .seconds(1), time.instant + .seconds(9))
        let calls = [query(client, at: soon), query(client, at: soon), query(client, at: later)]
        while client.shared.flights.waiterCount < 3 { await Task.yield() }
        try await transport.waitForRequests(2)
        #expect(Set(transport.requests.map(\.context.deadline)) == [soon, later])
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        for call in calls.prefix(2) { await #expect(throws: GraphQLError.http(.timeout)) { try await call.value } }
        gate.open()
        #expect(try await calls[2].value == "Swift" && transport.requests.count == 2)
    }

    @Test("The refresh of a cached response in the background is not bounded by the caller's deadline")
    func background() async throws {
        let cache = GraphQLDocumentCache(time: time), deadlines = Recorder<ContinuousClock.Instant?>()
        let transport = MockTransport { request in
            deadlines.append(TaskDeadline.current)
            return .json(#"{"data":{"hero":{"name":"\#(deadlines.count)","__typename":"Hero"}}}"#)
        }
        let client = Wire.client(transport, time: time, configuration: .init(cache: cache, cachePolicy: .cacheAndNetwork))
        _ = try await client.execute(Wire.hero)
        let response = try await withDeadline(.seconds(1), time: time) { try await client.response(for: Wire.hero) }
        #expect(response.cacheAge == .zero)
        try await transport.waitForRequests(2)
        #expect(try await deadlines.first(2) == [nil, nil])
        #expect(transport.requests.last?.context.deadline == time.instant + .seconds(60))
    }

    // MARK: Subscriptions

    private func results(_ client: GraphQLClient, within limit: Duration) async -> Outcome {
        await withDeadline(limit, time: time) { await Outcome(client.subscribe(Counting())) }
    }

    @Test("A subscription does not reconnect after a wait that would reach the deadline")
    func reconnection() async throws {
        let transport = MockTransport { _ in .counting(1, completing: false) }
        let outcome = await results(bench.client(transport), within: .seconds(4))
        #expect(outcome.counts == [1, 1] && time.sleeps == [.seconds(3)] && transport.requests.count == 2)
        guard case .http(.invalidResponse)? = outcome.error else { throw Unexpected() }
    }

    @Test("After the deadline, a subscription throws and sends nothing")
    func late() async throws {
        let transport = MockTransport { _ in .counting(1) }
        let outcome = await results(bench.client(transport), within: .zero)
        #expect(outcome.error == .http(.timeout) && outcome.counts == [] && transport.requests.isEmpty && time.sleeps == [])
    }

    /// A transport of the app that never connects.
    private final class Unreachable: SubscriptionTransport {
        let attempts = Recorder<Int>()

        func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
            attempts.append(1)
            // Ends only because it is cancelled.
            do { try await Task.sleep(for: .seconds(3_600)) } catch { throw .http(.cancelled) }
            throw .http(.timeout)
        }
    }

    @Test("The deadline also bounds the connection of a transport that does not know it")
    func ownTransport() async throws {
        let transport = Unreachable(), client = bench.client(MockTransport(), options: bench.options(transport) { $0.idleTimeout = nil })
        let call = Task { await results(client, within: .seconds(2)) }
        _ = try await transport.attempts.first(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(2))
        #expect(await call.value.error == .http(.timeout) && transport.attempts.count == 1 && time.sleeps == [])
    }

    @Test("An open subscription continues after the deadline")
    func openStream() async throws {
        let body = SentBody(), client = bench.client(MockTransport(.events(body)))
        let call = Task { await results(client, within: .seconds(2)) }
        body.send("event: next\ndata: {\"data\":{\"count\":1}}\n\n")
        await body.waitUntilRead()
        time.advance(by: .seconds(9))
        body.send("event: next\ndata: {\"data\":{\"count\":2}}\n\n" + MockReply.complete)
        let outcome = await call.value
        #expect(outcome.counts == [1, 2] && outcome.error == nil)
    }

    private struct Unexpected: Error {}
}
