import Foundation
import Martlet
import MartletRedis
import MartletTesting
import Testing

/// The scripts of a shared state, in a redis-server.
@Suite("A shared state of limits and circuits in Redis", .timeLimit(.minutes(3)))
struct RedisTrafficTests {
    private let rules = CircuitBreaker.Rules(openDuration: .milliseconds(200), probes: 2)

    /// A claim of a rate whose intervals are longer than the test.
    private func claim(burst: Int = 3, hold: Duration = .zero, spent: Int = 0) -> SharedPermissionClaim {
        SharedPermissionClaim(interval: .seconds(1_000), burst: burst, hold: hold, spent: spent)
    }

    /// Claims a permission, and returns the wait for the next one, or zero if it was taken.
    private func wait(_ state: RedisTrafficState, _ claim: SharedPermissionClaim, of group: String) async -> Duration {
        if case .wait(let wait) = await state.take(claim, of: group) { wait } else { .zero }
    }

    @Test("A new limit, and one that the server has lost, starts without a burst and after the hold")
    func empty() async throws {
        let server = try await RedisServer.start(), state = server.traffic()
        let first = await wait(state, claim(), of: "a")
        #expect(first > .seconds(990) && first <= .seconds(1_000))
        let held = await wait(state, claim(hold: .seconds(50)), of: "b")
        #expect(held > .seconds(1_040) && held <= .seconds(1_050))
        let quick = SharedPermissionClaim(interval: .milliseconds(1), burst: 3)
        for _ in 0..<200 where await state.take(quick, of: "c") != .taken { try await Task.sleep(for: .milliseconds(5)) }
        _ = try server.ask("FLUSHALL")
        #expect(await state.take(quick, of: "c") != .taken)
    }

    @Test("The fleet's bucket fills up, admits one burst, and deducts what a process has given itself")
    func burst() async throws {
        let server = try await RedisServer.start(), state = server.traffic()
        let quick = SharedPermissionClaim(interval: .milliseconds(1), burst: 10)
        for group in ["a", "b"] { _ = await state.take(quick, of: group) }
        try await Task.sleep(for: .milliseconds(100))
        // Claims with a slow rate find the bucket full.
        var taken = 0
        for _ in 0..<10 where await state.take(claim(burst: 10), of: "a") == .taken { taken += 1 }
        #expect(taken == 10)
        #expect(await state.take(claim(burst: 10, spent: 9), of: "b") == .taken)
        #expect(await state.take(claim(burst: 10), of: "b") != .taken)
    }

    @Test("Concurrent claims of several processes take no more than the burst")
    func concurrent() async throws {
        let server = try await RedisServer.start(), states = (0..<4).map { _ in server.traffic() }
        let quick = SharedPermissionClaim(interval: .milliseconds(1), burst: 10)
        _ = await states[0].take(quick, of: "a")
        try await Task.sleep(for: .milliseconds(100))
        let taken = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { await states[number % 4].take(claim(burst: 10), of: "a") == .taken ? 1 : 0 } }
            return await group.reduce(0, +)
        }
        #expect(taken == 10)
    }

    @Test("A pause stops the group, and a shorter one does not end it")
    func pause() async throws {
        let server = try await RedisServer.start(), state = server.traffic()
        let quick = SharedPermissionClaim(interval: .milliseconds(1), burst: 3)
        await state.pause("a", for: .seconds(100))
        await state.pause("a", for: .seconds(1))
        #expect(await wait(state, quick, of: "a") > .seconds(90))
        #expect(await wait(state, quick, of: "b") < .seconds(1))
    }

    @Test("All keys have a time to live and the prefix, and removing a cache's entries keeps them")
    func keys() async throws {
        let server = try await RedisServer.start(), state = server.traffic()
        _ = await state.take(claim(), of: "a")
        await state.pause("a", for: .seconds(100))
        _ = await state.advance("a", by: .open, rules)
        try await server.store().removeAll()
        let keys = try server.ask("KEYS", "*").split(separator: "\n").map(String.init)
        #expect(keys.count == 3 && keys.allSatisfy { $0.hasPrefix("martlet-traffic:1:") })
        for key in keys { #expect(try Int(server.ask("TTL", key)) ?? -1 > 0) }
    }

    @Test("A store and a state with the same configuration keep their data apart: removing the responses keeps the limits")
    func sameConfiguration() async throws {
        let server = try await RedisServer.start()
        var configuration = RedisConfiguration()
        configuration.prefix = "birds:"
        let store = RedisCacheStore(socket: server.socket, configuration: configuration)
        let state = RedisTrafficState(socket: server.socket, configuration: configuration)
        let origin = try await MockServer.start { _ in .text("x", headers: [.cacheControl: "max-age=60"]) }
        let client = HTTPClient(baseURL: origin.url, interceptors: [CacheInterceptor(store: store, isShared: true)])
        for _ in 0..<2 { _ = try await client.send(Request<Data>.get("x")) }
        #expect(origin.requests.count == 1)
        _ = await state.take(claim(), of: "a")
        await state.pause("a", for: .seconds(100))
        _ = await state.advance("a", by: .open, rules)
        try await store.removeAll()
        let keys = try server.ask("KEYS", "*").split(separator: "\n").map { $0.prefix(10) }
        #expect(Set(keys) == ["birds:1:r:", "birds:1:p:", "birds:1:c:"] && keys.count == 3)
        await origin.stop()
    }

    @Test("A circuit opens for all, admits its probes, and closes when all have succeeded")
    func circuit() async throws {
        let server = try await RedisServer.start(), first = server.traffic(), second = server.traffic()
        #expect(await first.advance("a", by: .look, rules) == .unknown)
        guard case .open = await first.advance("a", by: .open, rules), case .open(let rest) = await second.advance("a", by: .look, rules)
        else {
            Issue.record("not open")
            return
        }
        #expect(rest <= .milliseconds(200))
        var probes: [Int64] = []
        for _ in 0..<200 where probes.isEmpty {
            if case .probe(let number) = await second.advance("a", by: .claimProbe, rules) { probes.append(number) }
            try await Task.sleep(for: .milliseconds(5))
        }
        let number = try #require(probes.first)
        #expect(await first.advance("a", by: .claimProbe, rules) == .probe(number))
        #expect(await first.advance("a", by: .succeed(number - 1), rules) != .closed(ago: .zero))
        _ = await first.advance("a", by: .succeed(number), rules)
        #expect(await second.advance("a", by: .succeed(number), rules) == .closed(ago: .zero))
        guard case .closed = await first.advance("a", by: .look, rules) else {
            Issue.record("not closed")
            return
        }
    }

    @Test("Concurrent claims of several processes get no more probes than there are, also after the state was lost")
    func probes() async throws {
        let server = try await RedisServer.start(), states = (0..<4).map { _ in server.traffic() }
        var rules = CircuitBreaker.Rules(openDuration: .seconds(100), probes: 3)
        let claimed = await withTaskGroup(of: Int64?.self) { [rules] group in
            for number in 0..<60 {
                group.addTask {
                    if case .probe(let probe) = await states[number % 4].advance("a", by: .claimProbe, rules) { probe } else { nil }
                }
            }
            return await group.reduce(into: [Int64]()) { if let probe = $1 { $0.append(probe) } }
        }
        #expect(claimed.count == 3 && Set(claimed).count == 1)
        // A probe that has shown nothing is returned, a failed one opens the circuit.
        #expect(await states[0].advance("a", by: .release(claimed[0]), rules) == .open(for: .zero))
        #expect(await states[1].advance("a", by: .claimProbe, rules) == .probe(claimed[0]))
        _ = await states[0].advance("a", by: .fail(claimed[0]), rules)
        guard case .open(let rest) = await states[1].advance("a", by: .claimProbe, rules) else {
            Issue.record("not open")
            return
        }
        #expect(rest > .seconds(90))
        // The clock was set back, or the rules have changed: the circuit is not open for longer than the rules say.
        rules.openDuration = .milliseconds(1)
        guard case .open(let shorter) = await states[1].advance("a", by: .look, rules) else {
            Issue.record("not open")
            return
        }
        #expect(shorter <= .milliseconds(1))
    }

    @Test("Probes that never end open the circuit again")
    func hangingProbes() async throws {
        let server = try await RedisServer.start(), state = server.traffic()
        for _ in 0..<2 { _ = await state.advance("a", by: .claimProbe, rules) }
        try await Task.sleep(for: .milliseconds(250))
        guard case .open(let rest) = await state.advance("a", by: .claimProbe, rules) else {
            Issue.record("not open")
            return
        }
        #expect(rest > .zero)
    }

    @Test("Two breakers share a circuit: both reject, one probes, both close")
    func breakers() async throws {
        let server = try await RedisServer.start(), isUp = Recorder<Bool>()
        let origin = try await MockServer.start { _ in isUp.values.isEmpty ? .status(503) : .status(200) }
        let rules = CircuitBreaker.Rules(minimumCalls: 5, openDuration: .milliseconds(300), probes: 1)
        let breakers = (0..<2).map { _ in
            CircuitBreaker(rules, sharedAs: "birds", in: server.traffic(), refreshInterval: .milliseconds(20))
        }
        let clients = breakers.map { HTTPClient(baseURL: origin.url, interceptors: [$0]) }
        for _ in 0..<5 { _ = try? await clients[0].send(Request<Data>.get("x")) }
        func isClosed(_ breaker: CircuitBreaker) -> Bool { breaker.states.values.allSatisfy { $0 == .closed } }
        #expect(!isClosed(breakers[0]))
        // The second one has seen at most four failures itself.
        for _ in 0..<4 where isClosed(breakers[1]) {
            _ = try? await clients[1].send(Request<Data>.get("x"))
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(!isClosed(breakers[1]))
        isUp.append(true)
        for _ in 0..<500 where !breakers.allSatisfy(isClosed) {
            for client in clients { _ = try? await client.send(Request<Data>.get("x")) }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(breakers.allSatisfy(isClosed))
    }
}
