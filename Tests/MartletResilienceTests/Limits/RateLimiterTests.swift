import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

@Suite("RateLimiter", .timeLimit(.minutes(5)))
struct RateLimiterTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<EmptyResponse>.get("x")

    private func client(_ transport: MockTransport, _ interceptors: any Interceptor...) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: interceptors, time: time)
    }

    @Test("A request that exceeds the rate waits for its turn, and the wait is recorded")
    func waits() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = client(transport, RetryInterceptor(.never), RateLimiter(.perSecond(1)))
        _ = try await client.send(get)
        let call = Task { try await client.response(for: get).trace.notes }
        try await time.waitForTimers(2)
        time.advance(by: .milliseconds(999))
        #expect(transport.requests.count == 1)
        time.advance(by: .milliseconds(1))
        #expect(try await call.value == ["waited 1.00 s for the rate limit of https://h"])
    }

    @Test("A request that may not wait is rejected with the time until the limit has room, and nothing is sent")
    func rejects() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = client(transport, RetryInterceptor(), RateLimiter(.perMinute(1), maxWait: .zero))
        _ = try await client.send(get)
        time.advance(by: .seconds(20))
        let error = await #expect(throws: HTTPError.self) { try await client.send(get) }
        #expect(error == .limitExceeded("") && error?.retryAfter == .seconds(40))
        #expect(HTTPErrorMapper().map(try #require(error)) == .rateLimited(retryAfter: .seconds(40)))
        #expect(transport.requests.count == 1)
    }

    @Test("A wait beyond the call's deadline is rejected at once")
    func deadline() async throws {
        let client = client(MockTransport { _ in .json("{}") }, RateLimiter(.perMinute(1)))
        _ = try await client.send(get)
        let error = await client.result(of: get.timeout(.seconds(59))).failure
        #expect(error == .limitExceeded("") && error?.retryAfter == .seconds(60))
    }

    @Test("A cancelled request leaves the queue and uses nothing of the rate")
    func cancelled() async throws {
        let limiter = RateLimiter(.perSecond(1)), transport = MockTransport { _ in .json("{}") }
        let client = client(transport, limiter)
        _ = try await client.send(get)
        let first = Task { await client.result(of: get) }
        try await eventually { limiter.waitingCounts["https://h"] == 1 }
        let second = Task { await client.result(of: get) }
        try await eventually { limiter.waitingCounts["https://h"] == 2 }
        first.cancel()
        #expect(await first.value.failure == .cancelled)
        try await eventually { limiter.waitingCounts["https://h"] == 1 }
        time.advance(by: .seconds(1))
        #expect(await second.value.failure == nil)
        #expect(transport.requests.count == 2)
    }

    @Test("Retry-After of a 429 or 503 pauses the other requests of the origin", arguments: [429, 503] as [HTTPStatus])
    func pause(status: HTTPStatus) async throws {
        let transport = MockTransport(.status(status, headers: [.retryAfter: "30"]), .json("{}"))
        let client = client(transport, RateLimiter())
        _ = await client.result(of: get)
        let error = await client.result(of: get.timeout(.seconds(10))).failure
        #expect(error == .limitExceeded("") && error?.retryAfter == .seconds(30))
        _ = try await client.result(of: Request<EmptyResponse>.get(url: URL(string: "https://other/")!)).get()
        #expect(transport.requests.map(\.url.host) == ["h", "other"])
    }

    @Test("Retry-After takes precedence over the quota of the same response")
    func precedence() async {
        let transport = MockTransport { _ in .status(429, headers: [.retryAfter: "3", "RateLimit": #""a";r=0;t=60"#]) }
        let client = client(transport, RateLimiter(maxWait: .zero))
        _ = await client.result(of: get)
        #expect(await client.result(of: get).failure?.retryAfter == .seconds(3))
        time.advance(by: .seconds(3))
        #expect(await client.result(of: get).failure?.status == 429)
    }

    @Test("The server's quota is obeyed, and its waits are limited")
    func quota() async {
        let transport = MockTransport { _ in .status(200, headers: ["RateLimit": #""a";r=0;t=86400"#]) }
        let client = client(transport, RateLimiter(maxWait: .zero, maxServerWait: .seconds(100)))
        _ = await client.result(of: get)
        #expect(await client.result(of: get).failure?.retryAfter == .seconds(100))
        time.advance(by: .seconds(100))
        #expect(await client.result(of: get).failure == nil)
    }

    @Test("A limiter that does not obey the server ignores what it says")
    func deaf() async {
        let transport = MockTransport { _ in .status(503, headers: [.retryAfter: "30", "RateLimit": #""a";r=0;t=9"#]) }
        let client = client(transport, RateLimiter(maxWait: .zero, obeysServer: false))
        for _ in 0..<2 { #expect(await client.result(of: get).failure?.status == 503) }
    }

    @Test("Concurrent requests never exceed the rate, with random cancellations", arguments: 0..<10)
    func property(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let rate = RateLimiter.Rate(.random(in: 1...5, using: &generator), per: .seconds(1), burst: .random(in: 1...3, using: &generator))
        let limiter = RateLimiter(rate, maxWait: .seconds(3_600)), sent = Recorder<ContinuousClock.Instant>()
        let client = HTTPClient(
            baseURL: base,
            transport: MockTransport { [time] _ in
                sent.append(time.instant)
                return .json("{}")
            }, interceptors: [limiter], configuration: .init(totalTimeout: .unlimited), time: time)
        let calls = (0..<60).map { _ in Task { await client.result(of: get) } }
        let cancelled = Set((0..<60).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
        var steps = 0
        try await eventually { limiter.waitingCounts["https://h", default: 0] + sent.values.count == 60 }
        for index in cancelled { calls[index].cancel() }
        while limiter.waitingCounts["https://h", default: 0] > 0 {
            steps += 1
            try #require(steps < 1_000_000)
            time.advance(by: .milliseconds(100))
            await Task.yield()
        }
        var failures = 0
        for call in calls { if await call.value.failure != nil { failures += 1 } }
        #expect(failures <= cancelled.count && sent.values.count >= 60 - failures)
        let moments = sent.values.sorted()
        for first in moments.indices {
            for last in moments.indices[first...] {
                // A request is sent up to a step after it was admitted.
                let length = moments[first].duration(to: moments[last]) / .seconds(1) + 0.2
                #expect(Double(last - first + 1) <= Double(rate.burst) + Double(rate.requests) * length + 1)
            }
        }
    }

    @Test("A pause is not forgotten when requests of other groups follow, and at most 1,000 groups are kept")
    func manyGroups() async {
        let limiter = RateLimiter(scope: .named { $0.url.path }, maxWait: .zero)
        let transport = MockTransport { $0.url.path == "/paused" ? .status(429, headers: [.retryAfter: "30"]) : .json("{}") }
        let client = client(transport, limiter), paused = Request<EmptyResponse>.get("paused")
        #expect(await client.result(of: paused).failure?.status == 429)
        for number in 0..<1_100 { _ = await client.result(of: Request<EmptyResponse>.get("\(number)")) }
        #expect(await client.result(of: paused).failure == .limitExceeded(""))
        #expect((876...1_000).contains(limiter.waitingCounts.count))
    }
}
