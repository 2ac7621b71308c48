import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletResilience

@Suite("CircuitBreaker: circuits that a fleet shares", .timeLimit(.minutes(5)))
struct CircuitBreakerSharingTests {
    private let base = URL(string: "https://h/")!
    private let time = ManualTime()
    private let get = Request<EmptyResponse>.get("x")
    private let store: FleetStore
    private let isUp = Locked(false)

    init() { store = FleetStore(time) }

    private func breaker(
        probes: Int = 1, openDuration: Duration = .seconds(10), refreshInterval: Duration = .seconds(1)
    ) -> CircuitBreaker {
        CircuitBreaker(
            .init(minimumCalls: 2, openDuration: openDuration, probes: probes),
            sharedAs: "birds", in: store, refreshInterval: refreshInterval)
    }

    private func client(_ breaker: CircuitBreaker) -> HTTPClient {
        HTTPClient(
            baseURL: base, transport: MockTransport { [isUp] _ in isUp.withLock { $0 } ? .json("{}") : .status(503) },
            interceptors: [breaker], time: time)
    }

    private func state(_ breaker: CircuitBreaker) -> CircuitBreaker.State? { breaker.states["https://h"] }

    /// Opens the circuit of a breaker in the store.
    private func open(_ breaker: CircuitBreaker) async throws {
        for _ in 0..<2 { _ = await client(breaker).result(of: get) }
        try await eventually {
            if store.steps.contains(.open) { return true }
            // The first look may still have been running.
            Task { _ = await client(breaker).result(of: get) }
            return false
        }
    }

    @Test("A circuit that opens in one process opens in the others within the refresh interval, without a call that waits")
    func opens() async throws {
        let first = breaker(), second = breaker()
        isUp.withLock { $0 = true }
        _ = await client(second).result(of: get)
        try await eventually { store.steps == [.look] }
        isUp.withLock { $0 = false }
        try await open(first)
        isUp.withLock { $0 = true }
        // Read again from now on; this request does not wait for it.
        time.advance(by: .seconds(1))
        #expect(await client(second).result(of: get).failure == nil)
        try await eventually { state(second) == .open(nextProbe: time.instant + .seconds(9)) }
        #expect(await client(second).result(of: get).failure == .circuitOpen(""))
    }

    @Test("A closed circuit is read once in each refresh interval, whatever the number of calls")
    func reads() async throws {
        let breaker = breaker()
        isUp.withLock { $0 = true }
        for round in 1...3 {
            for _ in 0..<20 {
                _ = await client(breaker).result(of: get)
                try await eventually { store.steps.count >= round }
                for _ in 0..<20 { await Task.yield() }
            }
            time.advance(by: .seconds(1))
        }
        #expect(store.steps == [.look, .look, .look])
    }

    @Test("A fleet sends no more probes than its rules allow, and their success closes the circuit for all")
    func probes() async throws {
        let first = breaker(probes: 2), second = breaker(probes: 2)
        try await open(first)
        time.advance(by: .seconds(1))
        _ = await client(second).result(of: get)
        try await eventually { state(second) != nil && state(second) != .closed }
        time.advance(by: .seconds(10))
        isUp.withLock { $0 = true }
        #expect(await client(first).result(of: get).failure == nil)
        #expect(await client(second).result(of: get).failure == nil)
        try await eventually { state(second) == .closed }
        // The first process learns it by a claim, or by reading the state.
        for _ in 0..<100 where state(first) != .closed {
            time.advance(by: .seconds(1))
            _ = await client(first).result(of: get)
            await Task.yield()
        }
        #expect(state(first) == .closed)
        #expect((2...3).contains(store.steps.filter { $0 == .claimProbe }.count))
    }

    @Test("A process whose claim is rejected sends nothing, and rejects until the probes of the others must have ended")
    func rejectedClaim() async throws {
        let first = breaker(), second = breaker()
        try await open(first)
        time.advance(by: .seconds(1))
        _ = await client(second).result(of: get)
        try await eventually { state(second) != .closed }
        time.advance(by: .seconds(9))
        _ = await store.advance(SharedGroup.text("birds", "https://h"), by: .claimProbe, second.rules)
        let error = await client(second).result(of: get).failure
        #expect(error == .circuitOpen("") && error?.retryAfter == .seconds(10))
    }

    @Test("A failed probe opens the circuit of the fleet again, and one that shows nothing is returned")
    func failedProbe() async throws {
        let breaker = breaker()
        try await open(breaker)
        time.advance(by: .seconds(10))
        let group = SharedGroup.text("birds", "https://h")
        guard case .probe(let number) = await store.advance(group, by: .claimProbe, breaker.rules) else {
            Issue.record("no probe")
            return
        }
        #expect(await store.advance(group, by: .release(number), breaker.rules) == .open(for: .zero))
        _ = await client(breaker).result(of: get)
        try await eventually { store.steps.contains(.fail(number)) }
        #expect(await store.advance(group, by: .look, breaker.rules) == .open(for: .seconds(10)))
    }

    @Test("Without the store, a process opens, probes and closes its circuit alone, and then tells the store")
    func alone() async throws {
        store.setDown(true)
        let breaker = breaker(openDuration: .seconds(3600), refreshInterval: .milliseconds(10))
        for _ in 0..<2 { _ = await client(breaker).result(of: get) }
        #expect(state(breaker) == .open(nextProbe: time.instant + .seconds(3600)))
        time.advance(by: .seconds(3600))
        _ = await client(breaker).result(of: get)
        #expect(state(breaker) == .open(nextProbe: time.instant + .seconds(3600)))
        store.setDown(false)
        let group = SharedGroup.text("birds", "https://h")
        // A background read of the time without the store may still be running, so a later one may tell the store.
        for _ in 0..<100_000 where !store.isOpen(group) {
            time.advance(by: .milliseconds(10))
            #expect(await client(breaker).result(of: get).failure == .circuitOpen(""))
            await Task.yield()
        }
        #expect(store.isOpen(group))
    }

    @Test("A closing that is older than the process's own opening is not adopted, a later one is")
    func order() {
        let start = ContinuousClock.now
        var circuit = Circuit(.init(minimumCalls: 1))
        guard case .admitted(let pass) = circuit.admit(at: start) else { return }
        let hasOpened = circuit.finish(pass, .failure, at: start)
        #expect(hasOpened)
        circuit.adopt(.closed(ago: .seconds(3)), asked: start + .seconds(2), at: start + .seconds(2))
        #expect(circuit.retention == .decision)
        circuit.adopt(.closed(ago: .seconds(1)), asked: start + .seconds(2), at: start + .seconds(2))
        #expect(circuit.retention == .none)
    }
}
