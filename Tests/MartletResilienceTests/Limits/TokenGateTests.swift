import MartletTesting
import Testing

@testable import MartletResilience

@Suite("TokenGate", .timeLimit(.minutes(5)))
struct TokenGateTests {
    private let start = ContinuousClock.now

    @Test("A bucket admits its burst at once and then evenly spaced requests")
    func burst() {
        var gate = TokenGate(.perSecond(10, burst: 3))
        for _ in 0..<3 { #expect(gate.take(at: start) == nil) }
        #expect(gate.take(at: start) == .until(start + .milliseconds(100)))
        #expect(gate.take(at: start + .milliseconds(100)) == nil)
        #expect(gate.take(at: start + .milliseconds(100)) == .until(start + .milliseconds(200)))
    }

    @Test("An interval is never rounded down, and extreme rates are limited")
    func rounding() {
        #expect(RateLimiter.Rate(3, per: .seconds(1)).interval == .nanoseconds(333_333_334))
        #expect(RateLimiter.Rate(0, per: .zero, burst: -1) == RateLimiter.Rate(1, per: .microseconds(1), burst: 1))
        #expect(RateLimiter.Rate(.max, per: .seconds(1)).interval == .nanoseconds(1))
    }

    @Test("In any window, at most the burst and the rate's share are admitted", arguments: 0..<60)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rate = RateLimiter.Rate(
            .random(in: 1...20, using: &generator), per: .milliseconds(Int.random(in: 100...3_000, using: &generator)),
            burst: .random(in: 1...5, using: &generator))
        var gate = TokenGate(rate), instant = start
        var admitted: [ContinuousClock.Instant] = []
        for _ in 0..<1_500 {
            instant += .microseconds(Int.random(in: 0...Int.random(in: 1...400_000, using: &generator), using: &generator))
            switch gate.take(at: instant) {
            case nil: admitted.append(instant)
            case .until(let next):
                #expect(next > instant)
                // The promised time holds.
                if Bool.random(using: &generator) {
                    instant = next
                    #expect(gate.take(at: instant) == nil)
                    admitted.append(instant)
                }
            case .forOthers: Issue.record("a rate does not depend on others")
            }
        }
        for first in admitted.indices {
            for last in admitted.indices[first...].prefix(60) {
                let length = admitted[first].duration(to: admitted[last])
                let most = Double(rate.burst) + Double(rate.requests) * (length / rate.period)
                #expect(Double(last - first + 1) <= most + 1e-6)
            }
        }
    }

    @Test("A pause of the server holds all requests, and a shorter one does not end it")
    func pause() {
        var gate = TokenGate(nil)
        for _ in 0..<2 { #expect(gate.take(at: start) == nil) }
        gate.finish(pause: .seconds(10), quotas: [], at: start)
        gate.finish(pause: .seconds(3), quotas: [], at: start + .seconds(1))
        #expect(gate.take(at: start + .seconds(5)) == .until(start + .seconds(10)))
        #expect(gate.take(at: start + .seconds(10)) == nil)
    }

    @Test("A quota admits what is left without the requests that still run, until it is renewed")
    func quota() {
        var gate = TokenGate(nil)
        for _ in 0..<3 { #expect(gate.take(at: start) == nil) }
        gate.finish(pause: nil, quotas: [ServerQuota(name: "a", remaining: 3, reset: .seconds(60))], at: start)
        #expect(gate.take(at: start) == nil)
        #expect(gate.take(at: start) == .until(start + .seconds(60)))
        #expect(gate.take(at: start + .seconds(60)) == nil)
    }

    @Test("Of several quotas the strictest applies, and made-up names do not accumulate")
    func quotas() {
        var gate = TokenGate(nil)
        let day = ServerQuota(name: "day", remaining: 0, reset: .seconds(100))
        gate.finish(pause: nil, quotas: [ServerQuota(name: "burst", remaining: 0, reset: .seconds(1)), day], at: start)
        #expect(gate.take(at: start) == .until(start + .seconds(100)))
        for number in 0..<100 {
            gate.finish(pause: nil, quotas: [ServerQuota(name: "\(number)", remaining: 9, reset: .seconds(9))], at: start)
        }
        #expect(gate.take(at: start) == nil)
    }

    @Test("A late response does not raise a quota before it is renewed")
    func lateResponse() {
        var gate = TokenGate(nil)
        for _ in 0..<3 { #expect(gate.take(at: start) == nil) }
        // The response to the last request arrives first.
        for (second, remaining) in [0, 2, 1].enumerated() {
            let quota = ServerQuota(name: "a", remaining: remaining, reset: .seconds(60))
            gate.finish(pause: nil, quotas: [quota], at: start + .seconds(second))
        }
        #expect(gate.take(at: start + .seconds(3)) == .until(start + .seconds(60)))
        for second in [60, 61] { #expect(gate.take(at: start + .seconds(second)) == nil) }
        gate.finish(pause: nil, quotas: [ServerQuota(name: "a", remaining: 2, reset: .seconds(59))], at: start + .seconds(61))
        #expect(gate.take(at: start + .seconds(62)) == nil && gate.take(at: start + .seconds(62)) == .until(start + .seconds(120)))
    }

    @Test("Running requests lower a quota only until they end")
    func running() {
        var gate = TokenGate(nil)
        for _ in 0..<50 { #expect(gate.take(at: start) == nil) }
        for _ in 0..<50 { gate.finish(pause: nil, quotas: [ServerQuota(name: "a", remaining: 50, reset: .seconds(60))], at: start) }
        for _ in 0..<50 { #expect(gate.take(at: start) == nil) }
        #expect(gate.take(at: start) != nil)
    }
}
