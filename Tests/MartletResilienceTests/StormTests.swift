import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

/// Calls that are cancelled at random moments, through the full list.
///
/// `STRESS_STORMS=10 swift test --filter StormTests` runs as many storms as a release needs.
@Suite("Cancellation storm", .timeLimit(.minutes(5)))
struct StormTests {
    private static let storms = ProcessInfo.processInfo.environment["STRESS_STORMS"].flatMap { UInt64($0) } ?? 2
    private let time = ManualTime(autoAdvances: false)
    private let limiter = RateLimiter(.perSecond(500, burst: 20), maxWaiting: 50)
    private let limit = ConcurrencyLimit(ConcurrencyLimit.Adaptive(initial: 4), maxWaiting: 50)
    private let breaker = CircuitBreaker(.init(minimumCalls: 5, openDuration: .milliseconds(20), probes: 2))

    private func reply(_ number: Int) -> MockReply {
        switch number {
        case 0: .status(503)
        case 1: .status(429, headers: [.retryAfter: "0"])
        case 2: .disconnect
        case 3: .text("x", headers: ["RateLimit": #""a";r=1;t=1"#])
        case 4: .stream("a", "b")
        default: .text("x")
        }
    }

    private func client(_ random: Locked<SeededGenerator>) -> HTTPClient {
        let transport = MockTransport { [time] request in
            let (wait, number) = random.withLock { (Int.random(in: 0...30, using: &$0), Int.random(in: 0..<12, using: &$0)) }
            try await time.sleep(for: .milliseconds(wait))
            return reply(number)
        }
        let resilience = Resilience(
            coalescing: Coalescing(), retry: RetryInterceptor(RetryPolicy(backoff: .exponential(base: .milliseconds(5)))),
            hedging: Hedging(after: .milliseconds(10), budget: nil), circuitBreaker: breaker, rateLimiter: limiter, concurrencyLimit: limit
        )
        return HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: resilience.list,
            configuration: .init(totalTimeout: .seconds(2)), time: time)
    }

    @Test("After a storm, no place, probe, queue entry, timer or call is left", arguments: 0..<StormTests.storms)
    func storm(seed: UInt64) async throws {
        let random = Locked(SeededGenerator(seed: seed)), client = client(random), ended = Locked(0)
        let calls = (0..<400).map { number in
            Task {
                let start = random.withLock { Int.random(in: 0...300, using: &$0) }
                try? await time.sleep(for: .milliseconds(start))
                let request = Request<String>(method: number % 7 == 0 ? .post : .get, path: "\(number % 5)")
                if number % 11 == 0 {
                    _ = try? await client.stream(request).body.collect()
                } else {
                    _ = await client.result(of: request)
                }
                ended.withLock { $0 += 1 }
            }
        }
        while ended.withLock({ $0 }) < calls.count {
            time.advance(by: .milliseconds(1))
            for _ in 0..<20 { await Task.yield() }
            let index = random.withLock { Bool.random(using: &$0) ? Int.random(in: calls.indices, using: &$0) : nil }
            if let index { calls[index].cancel() }
        }
        try await eventually { client.calls?.runningCount == 0 && limit.usage["https://h"]?.running == 0 }
        #expect(limit.usage["https://h"]?.waiting == 0 && limiter.waitingCounts["https://h"] == 0)
        // The timers of pauses.
        try await eventually {
            time.advance(by: .seconds(10))
            return time.timerCount == 0
        }
        // The circuit closes again.
        let isOver = Locked(false)
        let closing = Task {
            while breaker.states["https://h"] != .closed {
                _ = await client.result(of: Request<String>.post("x"))
                try? await time.sleep(for: .milliseconds(5))
            }
            isOver.withLock { $0 = true }
        }
        while !isOver.withLock({ $0 }) {
            time.advance(by: .milliseconds(5))
            for _ in 0..<20 { await Task.yield() }
        }
        await closing.value
        #expect(breaker.states["https://h"] == .closed)
    }
}
