import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletResilience

@Suite("CircuitBreaker", .timeLimit(.minutes(5)))
struct CircuitBreakerTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<EmptyResponse>.get("x")
    private let rules = CircuitBreaker.Rules(minimumCalls: 2, openDuration: .seconds(10), probes: 1)

    private func client(_ transport: MockTransport, _ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: interceptors, time: time)
    }

    @Test("A failing server opens the circuit, and calls then fail at once with the time of the next probe")
    func opens() async throws {
        let breaker = CircuitBreaker(rules), transport = MockTransport(.status(503), .disconnect)
        let client = client(transport, breaker)
        for _ in 0..<2 { _ = await client.result(of: get) }
        time.advance(by: .seconds(4))
        let error = await #expect(throws: HTTPError.self) { try await client.send(get) }
        #expect(error == .circuitOpen("") && error?.retryAfter == .seconds(6) && error?.attempts == 0)
        #expect(transport.requests.count == 2)
        let line = "0.0 ms: not sent, because the circuit of https://h is open; the next probe is possible after 6.00 s"
        #expect(error?.trace.description == line)
        #expect(error?.explanation?.text == "https://h failed too often; the next probe is possible after 6.00 s")
        #expect(breaker.states == ["https://h": .open(nextProbe: time.instant + .seconds(6))])
    }

    @Test("After the open duration a probe passes, is recorded, and its success closes the circuit")
    func closes() async throws {
        let breaker = CircuitBreaker(rules), transport = MockTransport(.status(500), .status(500), .json("{}"))
        let client = client(transport, RetryInterceptor(.never), breaker)
        for _ in 0..<2 { _ = await client.result(of: get) }
        time.advance(by: .seconds(10))
        let trace = try await client.response(for: get).trace
        #expect(trace.notes == ["a probe of the open circuit of https://h"])
        #expect(trace.description.hasPrefix("0.0 ms: a probe of the open circuit of https://h\n"))
        #expect(breaker.states == ["https://h": .closed])
    }

    @Test(
        "Cancellations, 4xx, 429, an offline device and invalid requests do not open the circuit",
        arguments: [
            MockReply.status(404), .status(429), .failure(.networkError(NetworkFailure(.offline))), .failure(.cancelled),
            .failure(.invalidRequest("x")),
        ])
    func ignored(reply: MockReply) async {
        let breaker = CircuitBreaker(rules), client = client(MockTransport { _ in reply }, breaker)
        for _ in 0..<10 { _ = await client.result(of: get) }
        #expect(breaker.states["https://h"] == .closed)
    }

    @Test("A closure decides what counts as a failure")
    func custom() async {
        let breaker = CircuitBreaker(rules) { if case .success(let response) = $0 { response.status == 418 } else { false } }
        let client = client(MockTransport { _ in .status(418) }, breaker)
        for _ in 0..<2 { _ = await client.result(of: get) }
        #expect(breaker.states["https://h"] != .closed)
    }

    @Test("A server that never responds opens the circuit, although its calls are cancelled at their deadline")
    func hanging() async throws {
        let breaker = CircuitBreaker(rules), transport = MockTransport(.silence, .silence)
        let client = client(transport, breaker)
        for number in 1...2 {
            let call = Task { await client.result(of: get.timeout(.seconds(5))) }
            try await transport.waitForRequests(number)
            time.advance(by: .seconds(5))
            #expect(await call.value.failure == .timeout)
        }
        // The interceptor ends after its call.
        try await eventually { breaker.states["https://h"] != .closed }
    }

    @Test("By route, a failing endpoint leaves the others of its server alone")
    func routes() async {
        let breaker = CircuitBreaker(rules, scope: .route)
        let client = client(MockTransport { $0.url.path.hasPrefix("/bad") ? .status(500) : .json("{}") }, breaker)
        for id in 0..<3 { _ = await client.result(of: Request<EmptyResponse>.get("bad/\(id)")) }
        #expect(await client.result(of: get).failure == nil)
        #expect(breaker.states.filter { $0.value != .closed }.keys.sorted() == ["GET https://h/bad/{}"])
    }

    @Test("The wait in the queue of a limit does not make a call slow")
    func limitWait() async throws {
        let breaker = CircuitBreaker(.init(slowDuration: .seconds(5), minimumCalls: 2))
        let client = client(MockTransport { _ in .json("{}") }, breaker, RateLimiter(.init(1, per: .seconds(10))))
        _ = try await client.send(get)
        for _ in 0..<3 {
            let call = Task { try await client.send(get) }
            // The deadline and the turn.
            try await time.waitForTimers(2)
            time.advance(by: .seconds(10))
            _ = try await call.value
        }
        #expect(breaker.states["https://h"] == .closed)
    }

    @Test("A call that ends in the queue of a limit says nothing about the server")
    func endsInQueue() async throws {
        let breaker = CircuitBreaker(rules), limit = ConcurrencyLimit(1), gate = OneShot<Void>(), ended = Count()
        let client = client(MockTransport { _ in .silence }, Gated(gate: gate, ended: ended), breaker, limit)
        let running = Task { await client.result(of: get.timeout(.seconds(100))) }
        // The deadlines are set before the requests join the queue, and so end the calls.
        try await time.waitForTimers(1)
        let waiting = (0..<4).map { _ in Task { await client.result(of: get.timeout(.seconds(5))) } }
        try await time.waitForTimers(5)
        gate.set(())
        try await eventually { limit.usage == ["https://h": .init(limit: 1, running: 1, waiting: 4)] }
        time.advance(by: .seconds(5))
        for call in waiting { #expect(await call.value.failure != nil) }
        try await ended.reach(4)
        #expect(breaker.states["https://h"] == .closed)
        running.cancel()
        _ = await running.value
    }

    @Test("At most 1,000 circuits are kept, also if all are open")
    func forgets() async {
        let breaker = CircuitBreaker(.init(minimumCalls: 1), scope: .named { $0.url.path })
        let client = client(MockTransport { _ in .status(500) }, breaker)
        for number in 0..<1_200 { _ = await client.result(of: Request<EmptyResponse>.get("\(number)")) }
        #expect((876...1_000).contains(breaker.states.count) && breaker.states["/0"] == nil && breaker.states["/1199"] != nil)
    }

    /// Lets calls pass when the gate is open, and counts the ends of their requests.
    private struct Gated: Interceptor {
        let gate: OneShot<Void>
        let ended: Count

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            await gate.value()
            defer { ended.increment() }
            return try await next(request)
        }
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
