import Foundation
import Martlet
import MartletSystem
import TestSupport
import Testing

@testable import MartletGraphQL
@testable import MartletTesting

@Suite("The lifecycle of GraphQL calls", .timeLimit(.minutes(5)))
struct SubscriptionLifecycleTests {
    private let time = ManualTime(autoAdvances: false)

    private func client(_ transport: any Transport) -> GraphQLClient {
        GraphQLClient(
            HTTPClient(baseURL: URL(string: "https://h/"), transport: transport, configuration: .init(totalTimeout: nil), time: time))
    }

    @Test("cancelAll ends a subscription waiting to reconnect and one being read, and neither reconnects")
    func cancelAll() async throws {
        let transport = MockTransport(.disconnect)
        let waiting = client(transport)
        let first = Task { await Outcome(waiting.subscribe(Counting())) }
        try await time.waitForSleeps()
        #expect(waiting.calls?.runningCount == 1)
        waiting.cancelAll()
        #expect(await first.value.error == .http(.cancelled) && transport.requests.count == 1 && waiting.calls?.runningCount == 0)

        let body = SentBody(), streaming = MockTransport(.events(body))
        let reading = client(streaming)
        let second = Task { await Outcome(reading.subscribe(Counting())) }
        await body.waitUntilRead()
        reading.mappingErrors(GraphQLErrorMapper()).cancelAll()
        #expect(await second.value.error == .http(.cancelled) && streaming.requests.count == 1 && body.reason != nil)
    }

    @Test("A draining client finishes its operations and refuses new ones")
    func draining() async throws {
        let gate = OneShot<Void>()
        let transport = MockTransport { _ in
            await gate.value()
            return .json(#"{"data":{"count":1}}"#)
        }
        let client = client(transport), query = GraphQLOperation<Count>("{ count }")
        let running = Task { try await client.execute(query) }
        try await transport.waitForRequests()
        let drain = Task { await client.drain(within: .seconds(20)) }
        try await time.waitForTimers()
        await #expect(throws: GraphQLError.http(.draining)) { _ = try await client.execute(query) }
        #expect(await Outcome(client.subscribe(Counting())).error == .http(.draining))
        gate.set(())
        #expect(try await running.value == Count(count: 1))
        #expect(await drain.value == DrainSummary(finished: 1) && transport.requests.count == 1)
    }

    @Test("cancelAll cancels a mock's waiting operations and subscriptions, and a draining mock refuses new ones")
    func mocks() async throws {
        let mock = GraphQLClientMock(time: time)
        mock.on(Counting.self, .data(Count(count: 1)), .data(Count(count: 2)).delayed(by: .seconds(5)))
        let subscription = Task { await Outcome(mock.subscribe(Counting())) }
        try await time.waitForSleeps()
        mock.cancelAll()
        let outcome = await subscription.value
        #expect(outcome.counts == [1] && outcome.error == .http(.cancelled) && mock.calls?.runningCount == 0)
        #expect(await mock.drain(within: .seconds(1)) == DrainSummary())
        #expect(await Outcome(mock.subscribe(Counting())).error == .http(.draining))
    }
}
