import MartletTesting
import Testing

@testable import MartletResilience

@Suite("AdaptiveLimit", .timeLimit(.minutes(5)))
struct AdaptiveLimitTests {
    private let start = ContinuousClock.now

    /// A server that works on `capacity` requests at a time and lets the others wait, with clients that always have a request to send.
    private struct Simulation {
        var capacity: Int
        var service: Duration
        var limit: AdaptiveLimit
        var now = ContinuousClock.now
        var generator: SeededGenerator
        /// The requests at the server, with the instants at which they were sent, in order.
        private var waiting: [ContinuousClock.Instant] = []
        private var working: [(sent: ContinuousClock.Instant, ends: ContinuousClock.Instant)] = []

        init(capacity: Int, service: Duration, _ rules: ConcurrencyLimit.Adaptive, seed: UInt64) {
            self.capacity = capacity
            self.service = service
            limit = AdaptiveLimit(rules)
            generator = SeededGenerator(seed: seed)
        }

        /// Handles requests and returns the limits after each of them.
        mutating func run(_ count: Int, jitter: Double = 0.1) -> [Int] {
            var limits: [Int] = []
            for _ in 0..<count {
                while waiting.count + working.count < limit.whole { waiting.append(now) }
                while working.count < capacity, !waiting.isEmpty {
                    let factor = Double.random(in: 1 - jitter...1 + jitter, using: &generator)
                    working.append((waiting.removeFirst(), now + service * factor))
                }
                guard let next = working.indices.min(by: { working[$0].ends < working[$1].ends }) else { break }
                let concurrent = waiting.count + working.count
                let done = working.remove(at: next)
                now = max(now, done.ends)
                limit.record(done.sent.duration(to: now), isOverload: false, concurrent: concurrent, at: now)
                limits.append(limit.whole)
            }
            return limits
        }
    }

    private static func mean(_ limits: ArraySlice<Int>) -> Double { Double(limits.reduce(0, +)) / Double(limits.count) }

    @Test("The limit converges to within 20 % of a server's capacity", arguments: [8, 20, 50, 120], [UInt64(1), 2])
    func converges(capacity: Int, seed: UInt64) {
        var simulation = Simulation(capacity: capacity, service: .milliseconds(50), .init(), seed: seed)
        let limits = simulation.run(capacity * 200)
        let settled = limits.suffix(capacity * 80)
        let mean = AdaptiveLimitTests.mean(settled)
        #expect(abs(mean - Double(capacity)) <= 0.2 * Double(capacity), "\(mean)")
    }

    @Test("The limit follows a server that loses and regains capacity")
    func follows() {
        var simulation = Simulation(capacity: 100, service: .milliseconds(50), .init(memory: .seconds(5)), seed: 7)
        _ = simulation.run(10_000)
        simulation.capacity = 40
        let less = AdaptiveLimitTests.mean(simulation.run(10_000).suffix(3_000))
        #expect(abs(less - 40) <= 8, "\(less)")
        simulation.capacity = 100
        let more = AdaptiveLimitTests.mean(simulation.run(20_000).suffix(5_000))
        #expect(abs(more - 100) <= 20, "\(more)")
    }

    @Test("A server that is slower for good is measured again, and the limit recovers")
    func slower() {
        var simulation = Simulation(capacity: 50, service: .milliseconds(50), .init(memory: .seconds(5)), seed: 9)
        _ = simulation.run(8_000)
        simulation.service = .milliseconds(150)
        let limits = simulation.run(16_000)
        let mean = AdaptiveLimitTests.mean(limits.suffix(4_000))
        #expect(abs(mean - 50) <= 10, "\(mean)")
    }

    @Test("Many failures of one round lower the limit once, and it never leaves its bounds")
    func failures() {
        var limit = AdaptiveLimit(.init(initial: 100, minimum: 10, decrease: 0.5))
        for _ in 0..<100 { limit.record(.seconds(1), isOverload: true, concurrent: 100, at: start) }
        #expect(limit.whole == 50)
        for second in 1...100 { limit.record(.milliseconds(1), isOverload: true, concurrent: 1, at: start + .seconds(second)) }
        #expect(limit.whole == 10)
    }

    @Test("A limit that is not used does not grow")
    func unused() {
        var limit = AdaptiveLimit(.init(initial: 20))
        for number in 1...1_000 {
            limit.record(.milliseconds(10), isOverload: false, concurrent: 3, at: start + .milliseconds(20 * number))
        }
        #expect(limit.whole == 20)
    }

    @Test("Rules that were set to impossible values do not stop all requests")
    func impossible() {
        var rules = ConcurrencyLimit.Adaptive()
        (rules.minimum, rules.decrease) = (0, 0)
        var limit = AdaptiveLimit(rules)
        for second in 1...100 { limit.record(.seconds(1), isOverload: true, concurrent: 1, at: start + .seconds(second)) }
        #expect(limit.whole == 1)
    }
}
