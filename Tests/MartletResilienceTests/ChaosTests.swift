import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletHTTP
@testable import MartletResilience

/// Many calls through the full list to a server of which a third of the exchanges fail.
///
/// `CHAOS_CALLS=50000 swift test --filter ChaosTests` runs more calls.
@Suite("Chaos", .timeLimit(.minutes(5)))
struct ChaosTests {
    private static let callCount = ProcessInfo.processInfo.environment["CHAOS_CALLS"].flatMap { Int($0) } ?? 5_000
    private static let timeout = Duration.seconds(8)

    /// What a call looked like to the caller.
    private struct Ending: Sendable {
        let id: Int
        let method: HTTPMethod
        let error: HTTPError?
        let record: CallRecord?
    }

    private static func fault(_ generator: inout SeededGenerator) -> Fault? {
        guard Int.random(in: 0..<3, using: &generator) == 0 else { return nil }
        let faults: [Fault] = [
            .reply(.status(500)), .reply(.status(503)), .reply(.status(503, headers: [.retryAfter: "0"])), .reply(.status(429)), .reset,
            .disconnect(), .drop(atByte: 2), .disconnect(afterHeadBytes: 5), .delay(.milliseconds(60)), .cutGzip(), .stall(atByte: 1),
            .contentLength(offBy: 5),
        ]
        return faults.randomElement(using: &generator)
    }

    private func interceptors() -> [any Interceptor] {
        var resilience = Resilience.standard
        let backoff = Backoff.exponential(base: .milliseconds(5), cap: .milliseconds(50))
        resilience.retry = RetryInterceptor(RetryPolicy(maxAttempts: 4, backoff: backoff), budget: RetryBudget(share: 1))
        resilience.hedging = Hedging(after: .milliseconds(40))
        resilience.circuitBreaker = CircuitBreaker(.init(failureShare: 0.6, openDuration: .milliseconds(20)))
        resilience.concurrencyLimit = ConcurrencyLimit(32)
        return resilience.list
    }

    @Test("Every call ends, requests that are not idempotent arrive once, and every attempt is recorded")
    func chaos() async throws {
        let server = try await MockServer.start { _ in .json(#"{"text": "a body that is long enough to be cut"}"#) }
        let generator = Locked(SeededGenerator(seed: 42))
        server.faults = FaultScript { _ in generator.withLock { ChaosTests.fault(&$0) } }
        let transport = ownTransport()
        let client = HTTPClient(
            baseURL: server.url, transport: transport, interceptors: interceptors(),
            configuration: .init(totalTimeout: ChaosTests.timeout, attemptTimeout: .seconds(1)))

        let endings = await withTaskGroup(of: [Ending].self) { group in
            for worker in 0..<64 {
                group.addTask {
                    var endings: [Ending] = []
                    for id in stride(from: worker, to: ChaosTests.callCount, by: 64) { endings.append(await call(id, client)) }
                    return endings
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }

        #expect(endings.count == ChaosTests.callCount)
        // Their number depends on the machine: if other tests use all processors for a second, attempts time out.
        let successes = endings.filter { $0.error == nil }.count
        #expect(successes > 0)
        // The server's own count.
        var arrivals: [String: Int] = [:]
        for request in server.requests { arrivals["\(request.method) \(request.target)", default: 0] += 1 }
        for ending in endings where ending.method == .post {
            #expect(arrivals["POST /calls/\(ending.id)", default: 0] <= 1)
        }
        #expect(arrivals.values.contains { $0 > 1 } || successes < ChaosTests.callCount / 2)
        // The interceptors of a call that reached its deadline end shortly after it.
        for ending in endings {
            let record = try #require(ending.record)
            var isComplete: Bool {
                let trace = record.trace
                return trace.attempts.count == record.count && trace.attempts.allSatisfy { $0.outcome != nil }
            }
            let end = ContinuousClock.now + .seconds(5)
            while !isComplete, .now < end { await Task.yield() }
            #expect(isComplete, "\(ending.method) \(ending.error.map { "\($0)" } ?? "ok"): \(record.count) \(record.trace)")
        }
        await server.stop()
    }

    private func call(_ id: Int, _ client: HTTPClient) async -> Ending {
        let method: HTTPMethod = [.get, .get, .put, .post][id % 4]
        let request = Request<Data>(method: method, path: "calls/\(id)")
        var error: HTTPError?, record: CallRecord?
        do throws(HTTPError) {
            record = try await client.response(for: request).metadata.request?.context.record
        } catch let thrown {
            error = thrown
            record = thrown.request?.context.record
        }
        return Ending(id: id, method: method, error: error, record: record)
    }
}
