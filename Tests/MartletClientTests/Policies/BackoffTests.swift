import MartletClient
import MartletTesting
import Testing

@Suite("Backoff", .timeLimit(.minutes(5)))
struct BackoffTests {
    private let random = SeededRandom(seed: 7)

    private func delays(_ backoff: Backoff, _ count: Int = 5) -> [Duration] {
        var previous = Duration.zero
        return (1...count).map {
            previous = backoff.delay(afterAttempt: $0, previous: previous, random: random)
            return previous
        }
    }

    @Test("A constant delay is the same each time")
    func constant() {
        #expect(delays(.constant(.seconds(2)), 3) == [.seconds(2), .seconds(2), .seconds(2)])
    }

    @Test("A linear delay grows by one step each time, up to its cap")
    func linear() {
        #expect(delays(.linear(.seconds(2), cap: .seconds(5)), 4) == [.seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    }

    @Test("An exponential delay grows exactly by its factor each time, up to its cap")
    func exponential() {
        let backoff = Backoff.exponential(base: .milliseconds(300), factor: 2, jitter: .none, cap: .seconds(2))
        #expect(delays(backoff) == [.milliseconds(300), .milliseconds(600), .milliseconds(1200), .seconds(2), .seconds(2)])
        #expect(random.draws.isEmpty)
    }

    @Test("The default is half a second, doubled, full jitter, at most 20 seconds")
    func defaults() {
        #expect(Backoff.exponential() == .exponential(base: .milliseconds(500), factor: 2, jitter: .full, cap: .seconds(20)))
    }

    @Test("Full jitter uses the whole delay, equal jitter its upper half, decorrelated jitter up to three times the previous delay")
    func jitter() {
        for _ in 0..<500 {
            let full = Backoff.constant(.seconds(8), jitter: .full).delay(afterAttempt: 1, random: random)
            #expect((.zero...(.seconds(8))).contains(full))
            let equal = Backoff.constant(.seconds(8), jitter: .equal).delay(afterAttempt: 1, random: random)
            #expect((.seconds(4)...(.seconds(8))).contains(equal))
            let decorrelated = Backoff.exponential(base: .seconds(1), jitter: .decorrelated)
                .delay(afterAttempt: 3, previous: .seconds(4), random: random)
            #expect((.seconds(1)...(.seconds(12))).contains(decorrelated))
        }
    }

    @Test("Jitter reaches nearly both ends of its range", arguments: [Backoff.Jitter.full, .decorrelated])
    func spread(jitter: Backoff.Jitter) {
        let backoff = Backoff.exponential(base: .seconds(1), jitter: jitter)
        let drawn = (0..<500).map { _ in backoff.delay(afterAttempt: 1, previous: .seconds(1), random: random) }
        let range = jitter == .full ? (0.0, 1.0) : (1.0, 3.0)
        #expect(drawn.contains { $0 < .seconds(range.0 + 0.05) })
        #expect(drawn.contains { $0 > .seconds(range.1 - 0.05) })
    }

    @Test("No delay is negative or exceeds the cap, for any numbers")
    func neverBeyondCap() {
        var generator = SeededGenerator(seed: 11)
        let spans: [Duration] = [
            .seconds(-5), .zero, .nanoseconds(1), .milliseconds(3), .seconds(1), .seconds(86_400), .seconds(Int64.max / 4),
        ]
        let factors = [-3, 0, 0.5, 1, 1.1, 1.5, 2, 1e9, .infinity, .nan]
        let jitters: [Backoff.Jitter] = [.none, .full, .equal, .decorrelated]
        for _ in 0..<5_000 {
            func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &generator)] }
            let cap = one(spans), base = one(spans), jitter = one(jitters)
            let backoff: Backoff = one([
                Backoff.constant(base, jitter: jitter), .linear(base, jitter: jitter, cap: cap),
                .exponential(base: base, factor: one(factors), jitter: jitter, cap: cap),
            ])
            let delay = backoff.delay(afterAttempt: one([-1, 0, 1, 2, 7, 60, 100_000, .max]), previous: one(spans), random: random)
            #expect(delay >= .zero && delay <= backoff.cap, "\(backoff)")
        }
    }
}
