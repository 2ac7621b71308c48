import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletResilience

@Suite("Interceptors under the deadline of a task", .timeLimit(.minutes(5)))
struct DeadlineTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<String>.get("x")

    /// Records the errors that pass through it.
    private struct Witness: Interceptor {
        let errors = Recorder<HTTPError>()

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            do throws(HTTPError) { return try await next(request) } catch {
                errors.append(error)
                throw error
            }
        }
    }

    private func client(_ transport: MockTransport, _ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: interceptors, time: time)
    }

    private func call(_ client: HTTPClient, within limit: Duration) -> Task<Result<String, HTTPError>, Never> {
        Task { await withDeadline(limit, time: time) { await client.result(of: get) } }
    }

    @Test("A retry whose wait would reach the deadline is not begun, and the last outcome is returned")
    func retries() async throws {
        let transport = MockTransport { _ in .status(503) }
        let retry = RetryInterceptor(RetryPolicy(maxAttempts: 9, backoff: .constant(.seconds(1))), budget: nil)
        let error = await call(client(transport, retry), within: .seconds(2)).value.failure
        #expect(error?.status == 503 && error?.attempts == 2 && time.sleeps == [.seconds(1)])
    }

    @Test("A wait for the rate limit that would reach the deadline is rejected at once, and a shorter one is not")
    func rate() async throws {
        let transport = MockTransport { _ in .text("x") }, client = client(transport, RateLimiter(.perSecond(1)))
        _ = try await client.send(get)
        let rejected = await call(client, within: .seconds(1)).value.failure
        #expect(rejected == .limitExceeded("") && rejected?.retryAfter == .seconds(1) && transport.requests.count == 1)
        let waiting = call(client, within: .milliseconds(1_001))
        // The deadline and the turn.
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        #expect(await waiting.value.failure == nil && transport.requests.count == 2)
    }

    @Test("A wait for a place ends at the deadline with a timeout, and the breaker does not count it")
    func places() async throws {
        let limit = ConcurrencyLimit(1), breaker = CircuitBreaker(.init(minimumCalls: 1)), witness = Witness()
        let transport = MockTransport { _ in .silence }, client = client(transport, breaker, witness, limit)
        let running = Task { await client.result(of: get) }
        try await eventually { limit.usage["https://h"]?.running == 1 }
        let waiting = call(client, within: .seconds(2))
        try await eventually { limit.usage["https://h"]?.waiting == 1 }
        // The deadlines of both calls.
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        #expect(await waiting.value.failure == .timeout)
        #expect(try await witness.errors.first(1) == [.limitExceeded("")])
        running.cancel()
        _ = await running.value
        try await eventually { limit.usage == ["https://h": .init(limit: 1, running: 0, waiting: 0)] }
        #expect(breaker.states == ["https://h": .closed] && transport.requests.count == 1)
    }

    @Test("Of requests that share an exchange, each waits until its own deadline", arguments: [true, false])
    func coalesced(firstIsShort: Bool) async throws {
        let gate = Barrier(), coalescing = Coalescing()
        let transport = MockTransport { _ in
            await gate.pass()
            return .text("x")
        }
        let client = client(transport, coalescing)
        let first = call(client, within: .seconds(firstIsShort ? 1 : 9))
        try await gate.arrivals.reach(1)
        let second = call(client, within: .seconds(firstIsShort ? 9 : 1))
        try await time.waitForTimers(2)
        time.advance(by: .seconds(1))
        let (short, long) = firstIsShort ? (first, second) : (second, first)
        #expect(await short.value.failure == .timeout)
        gate.open()
        #expect(try await long.value.get() == "x" && transport.requests.count == 1)
    }

    @Test("Both attempts of a hedged request have the deadline")
    func hedged() async throws {
        let deadline = time.instant + .seconds(2), transport = MockTransport { _ in .silence }
        let hedged = call(client(transport, Hedging(after: .milliseconds(500))), within: .seconds(2))
        try await time.waitForTimers(2)
        time.advance(by: .milliseconds(500))
        try await transport.waitForRequests(2)
        time.advance(by: .milliseconds(1_500))
        #expect(await hedged.value.failure == .timeout)
        #expect(transport.requests.map(\.context.deadline) == [deadline, deadline])
    }

    @Test("A wait for a network that would reach the deadline is not begun")
    func network() async throws {
        let transport = MockTransport { _ in .failure(.networkError(NetworkFailure(.offline))) }
        let error = await call(client(transport, WaitForConnectivity()), within: .seconds(4)).value.failure
        #expect(error == .networkError(NetworkFailure(.offline)) && time.sleeps == [.seconds(2)] && transport.requests.count == 2)
    }
}
