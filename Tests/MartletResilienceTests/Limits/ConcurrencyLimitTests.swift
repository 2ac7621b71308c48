import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletResilience

@Suite("ConcurrencyLimit", .timeLimit(.minutes(5)))
struct ConcurrencyLimitTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<EmptyResponse>.get("x")

    private func client(_ transport: MockTransport, _ limit: ConcurrencyLimit) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: [limit], time: time)
    }

    @Test("At most the limit runs at a time, and the next request is sent when one ends")
    func limits() async throws {
        let barrier = Barrier(), limit = ConcurrencyLimit(2)
        let transport = MockTransport { _ in
            await barrier.pass()
            return .json("{}")
        }
        let client = client(transport, limit)
        let calls = (0..<5).map { _ in Task { await client.result(of: get) } }
        try await eventually { limit.usage == ["https://h": .init(limit: 2, running: 2, waiting: 3)] }
        try await barrier.arrivals.reach(2)
        #expect(transport.requests.count == 2)
        barrier.open()
        for call in calls { #expect(await call.value.failure == nil) }
        #expect(transport.requests.count == 5)
        #expect(limit.usage == ["https://h": .init(limit: 2, running: 0, waiting: 0)])
    }

    @Test("A full queue rejects, and a wait ends at its limit")
    func rejects() async throws {
        let limit = ConcurrencyLimit(1, maxWait: .seconds(5), maxWaiting: 1), client = client(MockTransport { _ in .silence }, limit)
        let running = Task { await client.result(of: get) }
        try await eventually { limit.usage["https://h"]?.running == 1 }
        let waiting = Task { await client.result(of: get) }
        try await eventually { limit.usage["https://h"]?.waiting == 1 }
        #expect(await client.result(of: get).failure == .limitExceeded(""))
        // The deadlines of both calls and the end of the wait.
        try await time.waitForTimers(3)
        time.advance(by: .seconds(5))
        #expect(await waiting.value.failure == .limitExceeded(""))
        running.cancel()
        _ = await running.value
        try await eventually { limit.usage == ["https://h": .init(limit: 1, running: 0, waiting: 0)] }
    }

    @Test("A cancelled request gives its place to the next one")
    func cancelled() async throws {
        let limit = ConcurrencyLimit(1), transport = MockTransport(.silence, .json("{}")), client = client(transport, limit)
        let first = Task { await client.result(of: get) }
        try await transport.waitForRequests(1)
        let second = Task { await client.result(of: get) }
        try await eventually { limit.usage["https://h"]?.waiting == 1 }
        first.cancel()
        #expect(await second.value.failure == nil)
    }

    @Test("A streamed response gives its place back with its head")
    func streams() async throws {
        let limit = ConcurrencyLimit(1), client = client(MockTransport { _ in .stream("a", "b") }, limit)
        let first = try await client.stream(Request<Data>.get("x")), second = try await client.stream(Request<Data>.get("x"))
        #expect(try await first.body.collect() == second.body.collect())
    }

    @Test("An adaptive limit falls when the server says that it is overloaded")
    func adaptive() async {
        let limit = ConcurrencyLimit(.init(initial: 20)), client = client(MockTransport { _ in .status(503) }, limit)
        _ = await client.result(of: get)
        #expect(limit.usage["https://h"]?.limit == 18)
    }

    @Test("A server that does not respond by the deadline lowers an adaptive limit")
    func deadline() async throws {
        let limit = ConcurrencyLimit(.init(initial: 20)), client = client(MockTransport { _ in .silence }, limit)
        let call = Task { await client.result(of: get.timeout(.seconds(5))) }
        try await eventually { limit.usage["https://h"]?.running == 1 }
        try await time.waitForTimers(1)
        time.advance(by: .seconds(5))
        #expect(await call.value.failure == .timeout)
        try await eventually { limit.usage["https://h"]?.running == 0 }
        #expect(limit.usage["https://h"]?.limit == 18)
    }
}
