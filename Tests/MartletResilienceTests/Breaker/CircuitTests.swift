import MartletTesting
import Testing

@testable import MartletResilience

@Suite("Circuit", .timeLimit(.minutes(5)))
struct CircuitTests {
    private let start = ContinuousClock.now
    private let rules = CircuitBreaker.Rules(minimumCalls: 4, window: .seconds(10), openDuration: .seconds(5), probes: 2)

    private func pass(_ circuit: inout Circuit, at instant: ContinuousClock.Instant) -> Circuit.Pass? {
        if case .admitted(let pass) = circuit.admit(at: instant) { pass } else { nil }
    }

    private func opened(slowDuration: Duration = .seconds(30)) throws -> Circuit {
        var rules = rules
        rules.slowDuration = slowDuration
        var circuit = Circuit(rules)
        for _ in 0..<4 {
            let pass = try #require(pass(&circuit, at: start))
            circuit.finish(pass, .failure, at: start)
        }
        return circuit
    }

    @Test("The circuit opens at the share of failures, and only from the minimum number of calls")
    func opens() throws {
        var circuit = Circuit(rules)
        for observation in [Circuit.Observation.failure, .failure, .success(.zero)] {
            circuit.finish(try #require(pass(&circuit, at: start)), observation, at: start)
            #expect(circuit.state(at: start) == .closed)
        }
        circuit.finish(try #require(pass(&circuit, at: start)), .success(.zero), at: start)
        #expect(circuit.state(at: start) == .open(nextProbe: start + .seconds(5)))
        #expect(circuit.admit(at: start + .seconds(4)) == .rejected(until: start + .seconds(5)))
    }

    @Test("Slow calls open the circuit at their own share")
    func slow() throws {
        var circuit = Circuit(rules)
        for _ in 0..<3 { circuit.finish(try #require(pass(&circuit, at: start)), .success(.seconds(30)), at: start) }
        #expect(circuit.state(at: start) == .closed)
        circuit.finish(try #require(pass(&circuit, at: start)), .success(.seconds(30)), at: start)
        #expect(circuit.state(at: start) != .closed)
    }

    @Test("Failures that left the window and calls without an observation do not count")
    func window() throws {
        var circuit = Circuit(rules)
        for _ in 0..<3 { circuit.finish(try #require(pass(&circuit, at: start)), .failure, at: start) }
        for _ in 0..<9 { circuit.finish(try #require(pass(&circuit, at: start)), .none, at: start) }
        circuit.finish(try #require(pass(&circuit, at: start)), .failure, at: start + .seconds(11))
        #expect(circuit.state(at: start + .seconds(11)) == .closed)
    }

    @Test("All probes must succeed to close the circuit, and one failure opens it again")
    func probes() throws {
        var circuit = try opened()
        let later = start + .seconds(5)
        #expect(circuit.state(at: later) == .halfOpen)
        let first = try #require(pass(&circuit, at: later)), second = try #require(pass(&circuit, at: later))
        #expect(first.isProbe && second.isProbe && pass(&circuit, at: later) == nil)
        circuit.finish(first, .success(.zero), at: later)
        #expect(circuit.state(at: later) == .halfOpen && pass(&circuit, at: later) == nil)
        var failing = circuit
        circuit.finish(second, .success(.zero), at: later)
        #expect(circuit.state(at: later) == .closed)
        failing.finish(second, .failure, at: later)
        #expect(failing.state(at: later) == .open(nextProbe: later + .seconds(5)))
    }

    @Test("A cancelled probe gives its place to another one")
    func cancelledProbe() throws {
        var circuit = try opened()
        let later = start + .seconds(5)
        let first = try #require(pass(&circuit, at: later))
        _ = try #require(pass(&circuit, at: later))
        circuit.finish(first, .none, at: later)
        #expect(pass(&circuit, at: later) != nil && pass(&circuit, at: later) == nil)
    }

    @Test("Probes that do not end in time open the circuit again, and a late end no longer counts")
    func hangingProbes() throws {
        var circuit = try opened(slowDuration: .seconds(3))
        let later = start + .seconds(5)
        let probes = [try #require(pass(&circuit, at: later)), try #require(pass(&circuit, at: later))]
        #expect(circuit.admit(at: later + .seconds(5)) == .rejected(until: later + .seconds(10)))
        for probe in probes { circuit.finish(probe, .success(.zero), at: later + .seconds(6)) }
        #expect(circuit.state(at: later + .seconds(6)) == .open(nextProbe: later + .seconds(10)))
    }

    @Test("Probes that take longer than the open duration but are not slow close the circuit")
    func patient() throws {
        var circuit = try opened(slowDuration: .seconds(30))
        let later = start + .seconds(5)
        let probes = [try #require(pass(&circuit, at: later)), try #require(pass(&circuit, at: later))]
        #expect(circuit.admit(at: later + .seconds(6)) == .rejected(until: later + .seconds(11)))
        for probe in probes { circuit.finish(probe, .success(.seconds(8)), at: later + .seconds(8)) }
        #expect(circuit.state(at: later + .seconds(8)) == .closed)
    }

    @Test("In any sequence, no more probes run than allowed, and nothing passes before the next probe", arguments: 0..<100)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let probes = Int.random(in: 1...4, using: &generator)
        let rules = CircuitBreaker.Rules(
            minimumCalls: .random(in: 1...10, using: &generator), window: .seconds(10), openDuration: .seconds(5), probes: probes)
        var circuit = Circuit(rules), instant = start
        var running: [Circuit.Pass] = [], probesOf: [Int: (running: Int, succeeded: Int)] = [:]
        for _ in 0..<1_000 {
            instant += .milliseconds(Int.random(in: 0...800, using: &generator))
            if Bool.random(using: &generator), !running.isEmpty {
                let pass = running.remove(at: Int.random(in: running.indices, using: &generator))
                let observation: Circuit.Observation = [.failure, .success(.zero), .none].randomElement(using: &generator)!
                circuit.finish(pass, observation, at: instant)
                guard pass.isProbe else { continue }
                probesOf[pass.period]?.running -= 1
                if case .success = observation { probesOf[pass.period]?.succeeded += 1 }
                continue
            }
            let before = circuit.state(at: instant)
            guard let pass = pass(&circuit, at: instant) else {
                #expect(before != .closed)
                continue
            }
            if case .open = before { Issue.record("a request passed an open circuit") }
            running.append(pass)
            guard pass.isProbe else { continue }
            probesOf[pass.period, default: (0, 0)].running += 1
            let now = probesOf[pass.period] ?? (0, 0)
            #expect(now.running + now.succeeded <= probes)
        }
    }
}
