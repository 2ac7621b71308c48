import MartletCache
import Testing

@testable import MartletRedis

@Suite("Circuit", .timeLimit(.minutes(5)))
struct CircuitTests {
    private let start = ContinuousClock.now
    private let reason = CacheStoreError(.timeout, "no answer")

    private func kind(_ admission: Circuit.Admission) -> String {
        switch admission {
        case .admitted: "admitted"
        case .probe: "probe"
        case .refused(let error): "\(error.kind)"
        }
    }

    @Test("After a failure calls are refused at once, then one finds out for all, and after an answer all go on")
    func opens() {
        var circuit = Circuit()
        #expect(kind(circuit.admit(at: start)) == "admitted")
        circuit.fail(reason, until: start + .seconds(1))
        #expect(kind(circuit.admit(at: start)) == "unavailable")
        #expect(kind(circuit.admit(at: start + .milliseconds(999))) == "unavailable")
        #expect(kind(circuit.admit(at: start + .seconds(1))) == "probe")
        #expect(kind(circuit.admit(at: start + .seconds(100))) == "unavailable")
        circuit.succeed()
        #expect(kind(circuit.admit(at: start)) == "admitted")
    }

    @Test("A probe that fails keeps it open, and one that was never sent lets the next call be one")
    func probes() {
        var circuit = Circuit()
        circuit.fail(reason, until: start)
        #expect(kind(circuit.admit(at: start)) == "probe")
        circuit.fail(reason, until: start + .seconds(2))
        #expect(kind(circuit.admit(at: start + .seconds(1))) == "unavailable")
        #expect(kind(circuit.admit(at: start + .seconds(2))) == "probe")
        circuit.dropProbe(at: start + .seconds(2))
        #expect(kind(circuit.admit(at: start + .seconds(2))) == "probe")
    }

    @Test("A refusal says what failed")
    func words() {
        var circuit = Circuit()
        circuit.fail(reason, until: start + .seconds(1))
        let admission = circuit.admit(at: start)
        if case .refused(let error) = admission { #expect(error.detail.contains("no answer")) } else { Issue.record("not refused") }
    }
}
