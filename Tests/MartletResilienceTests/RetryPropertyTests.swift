import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

/// Properties of whole calls that hold for any responses and any number of calls.
@Suite("Invariants of retries for any outcome", .timeLimit(.minutes(5)))
struct RetryPropertyTests {
    private static let base = URL(string: "https://h/")!

    /// A response of a failing server, and the wait that it asks for.
    private struct Answer {
        let reply: MockReply
        let asked: Duration?

        init(_ generator: inout SeededGenerator, now: Date) {
            let seconds = Int.random(in: 0...40, using: &generator)
            let date = HTTPDate(now.addingTimeInterval(Double(seconds)))
            let untilDate = Duration.milliseconds(Int((max(0, date.date.timeIntervalSince(now)) * 1000).rounded(.up)))
            let answers: [(HTTPFields, Duration?)] = [
                ([:], nil), ([.retryAfter: "\(seconds)"], .seconds(seconds)), ([.retryAfter: date.description], untilDate),
                (["RateLimit-Reset": "\(seconds)"], .seconds(seconds)), ([.retryAfter: "-4"], nil), ([.retryAfter: "later"], nil),
                ([.retryAfter: "315360000"], .seconds(315_360_000)), ([.retryAfter: "99999999999999999999"], .seconds(Int32.max)),
            ]
            let (headers, asked) = answers.randomElement(using: &generator)!
            self.asked = asked
            reply = Int.random(in: 0..<6, using: &generator) == 0 ? .json("{}") : .status(429, headers: headers)
        }
    }

    @Test(
        "No attempt is sent before the server allows it, after the deadline, or beyond the maximum number of attempts", arguments: 0..<300)
    func calls(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let time = ManualTime()
        let timeout = Duration.seconds(Int.random(in: 1...90, using: &generator))
        let cap = Duration.milliseconds(Int.random(in: 0...20_000, using: &generator))
        let policy = RetryPolicy(
            maxAttempts: .random(in: 1...7, using: &generator),
            backoff: .exponential(
                base: .seconds(1), jitter: [.none, .full, .equal, .decorrelated].randomElement(using: &generator)!, cap: cap),
            maxRetryAfter: .seconds(Int.random(in: 0...40, using: &generator)))
        let start = time.instant
        let moments = Recorder<Duration>(), asked = Recorder<Duration?>()
        let drawn = Locked(generator)
        let transport = MockTransport { [time] _ in
            moments.append(start.duration(to: time.instant))
            let answer = drawn.withLock { Answer(&$0, now: time.now) }
            asked.append(answer.asked)
            return answer.reply
        }
        let client = HTTPClient(
            baseURL: Self.base, transport: transport,
            interceptors: [RetryInterceptor(policy, time: time, random: SeededRandom(seed: seed), budget: nil)],
            configuration: .init(totalTimeout: timeout), time: time)

        let result = await client.result(of: Request<EmptyResponse>.get("x"))

        #expect(moments.values.count <= policy.maxAttempts)
        #expect(moments.values.allSatisfy { $0 < timeout })
        for (index, moment) in moments.values.enumerated().dropFirst() {
            let wait = moment - moments.values[index - 1]
            if let asked = asked.values[index - 1], asked > .zero {
                #expect(wait == asked && asked <= policy.maxRetryAfter)
            } else {
                #expect(wait <= cap)
            }
        }
        // Whatever stopped the retries, the last response is returned without a further wait.
        if case .failure(let error) = result {
            #expect(error.status == .tooManyRequests)
            #expect(error.trace.attempts.count == moments.values.count && error.trace.retries.count == moments.values.count)
        }
    }

    @Test("A hundred concurrent calls to a failing server are retried no more often than the budget permits")
    func budget() async {
        let transport = MockTransport { _ in .status(503) }
        let client = HTTPClient(
            baseURL: Self.base, transport: transport,
            interceptors: [
                RetryInterceptor(RetryPolicy(maxAttempts: 5, backoff: .constant(.zero)), budget: RetryBudget(window: .seconds(3600)))
            ])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await client.result(of: Request<EmptyResponse>.get("x")) } }
        }
        #expect(transport.requests.count > 100)
        #expect(transport.requests.count <= 100 + 10 + 20)
    }
}
