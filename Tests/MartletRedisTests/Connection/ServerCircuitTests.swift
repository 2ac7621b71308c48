import MartletCache
import Testing

@testable import MartletRedis

@Suite("ServerCircuit", .timeLimit(.minutes(5)))
struct ServerCircuitTests {
    private let start = ContinuousClock.now
    private let reason = CacheStoreError(.timeout, "no answer")

    private func kind(_ admission: ServerCircuit.Admission) -> String {
        switch admission {
        case .admitted: "admitted"
        case .probe: "probe"
        case .refused(let error): "\(error.kind)"
        }
    }

    @Test("After a failure calls fail immediately, one call probes the server, and after a reply all calls are sent")
    func opens() {
        var circuit = ServerCircuit()
        #expect(kind(circuit.admit(at: start)) == "admitted")
        circuit.fail(reason, until: start + .seconds(1))
        #expect(kind(circuit.admit(at: start)) == "unavailable")
        #expect(kind(circuit.admit(at: start + .milliseconds(999))) == "unavailable")
        #expect(kind(circuit.admit(at: start + .seconds(1))) == "probe")
        #expect(kind(circuit.admit(at: start + .seconds(100))) == "unavailable")
        circuit.succeed()
        #expect(kind(circuit.admit(at: start)) == "admitted")
    }

    @Test("A failed probe keeps the circuit open, and after a probe that was not sent the next call is the probe")
    func probes() {
        var circuit = ServerCircuit()
        circuit.fail(reason, until: start)
        #expect(kind(circuit.admit(at: start)) == "probe")
        circuit.fail(reason, until: start + .seconds(2))
        #expect(kind(circuit.admit(at: start + .seconds(1))) == "unavailable")
        #expect(kind(circuit.admit(at: start + .seconds(2))) == "probe")
        circuit.dropProbe(at: start + .seconds(2))
        #expect(kind(circuit.admit(at: start + .seconds(2))) == "probe")
    }

    @Test("A refusal contains the reason of the failure")
    func words() {
        var circuit = ServerCircuit()
        circuit.fail(reason, until: start + .seconds(1))
        let admission = circuit.admit(at: start)
        if case .refused(let error) = admission { #expect(error.detail.contains("no answer")) } else { Issue.record("not refused") }
    }
}
