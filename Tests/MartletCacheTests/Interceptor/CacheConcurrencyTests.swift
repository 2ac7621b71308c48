import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache
@testable import MartletClient

@Suite("CacheInterceptor: concurrent requests", .timeLimit(.minutes(5)))
struct CacheConcurrencyTests {
    /// Starts calls, waits until all share one request, and returns their results.
    private func together(
        _ count: Int, _ cached: CachedClient, _ headers: @escaping @Sendable (Int) -> HTTPFields = { _ in [:] }, waiting: Int? = nil,
        open: () -> Void
    ) async throws -> [HTTPResponse<Data>] {
        let calls = (0..<count).map { index in Task { try await cached.get("x", headers(index)) } }
        while cached.cache.cache.flights.waiterCount < waiting ?? count { await Task.yield() }
        open()
        var responses: [HTTPResponse<Data>] = []
        for call in calls { responses.append(try await call.value) }
        return responses
    }

    @Test("A hundred identical concurrent calls send one request")
    func oneRequest() async throws {
        let server = HeldServer { _ in .text("one", headers: .fresh()) }
        let cached = CachedClient(server.transport)
        let responses = try await together(100, cached) { server.gate.open() }
        #expect(responses.allSatisfy { $0.text == "one" && $0.status == .ok })
        #expect(responses.count { $0.cacheStatus?.isCollapsed == true } == 99)
        #expect(cached.count == 1)
        #expect(try await cached.get().cacheStatus?.isHit == true)
    }

    @Test("Callers whose shared request times out share the next one", arguments: [1, 20])
    func timeouts(failures: Int) async throws {
        let gates = (0..<20).map { _ in OneShot<Void>() }, number = Count()
        let transport = MockTransport { _ in
            let number = number.increment() - 1
            await gates[min(number, 19)].value()
            return number < failures ? .failure(.timeout) : .text("one", headers: .fresh())
        }
        let cached = CachedClient(transport)
        let calls = (0..<20).map { _ in
            Task { () async -> Result<String, any Error> in
                do { return .success(try await cached.get().text) } catch { return .failure(error) }
            }
        }
        while cached.cache.cache.flights.waiterCount < 20 { await Task.yield() }
        for gate in gates {
            gate.set(())
            // The others join the next request.
            for _ in 0..<2_000 { await Task.yield() }
        }
        var texts: [String?] = []
        for call in calls { texts.append(try? await call.value.get()) }
        // The first request of each flight fails alone until the eighth flight.
        #expect(texts.count { $0 == nil } == (failures == 1 ? 1 : 20))
        #expect(failures == 1 ? cached.count <= 3 : cached.count <= 10)
    }

    @Test("A caller that read the store just before a response was stored reads it again and sends no second request")
    func lateMiss() async throws {
        let late = LateReads(), cached = CachedClient(MockTransport { _ in .text("one", headers: .fresh()) }, store: late.store)
        let call = Task { try await cached.get() }
        await late.hasRead.value()
        #expect(try await cached.get().text == "one")
        late.mayReturn.set(())
        let response = try await call.value
        #expect(response.text == "one" && response.cacheStatus?.isCollapsed == true)
        #expect(cached.count == 1)
    }

    @Test("A caller whose second lookup finds nothing sends its request, and one that also wants the network always does")
    func lateMissAlone() async throws {
        for isRemoved in [true, false] {
            let late = LateReads(), cached = CachedClient(MockTransport { _ in .text("one", headers: .fresh()) }, store: late.store)
            let call = Task { try await cached.get(policy: isRemoved ? .useProtocol : .cacheAndNetwork) }
            await late.hasRead.value()
            #expect(try await cached.get().text == "one")
            if isRemoved { try await late.store.removeAll() }
            late.mayReturn.set(())
            #expect(try await call.value.text == "one")
            #expect(cached.count == 2)
        }
    }

    @Test("Waiting callers see a collapsed request and not a hit (RFC 9211 §2.6), also without a stored response")
    func collapsed() async throws {
        for isDown in [false, true] {
            let server = HeldServer { _ in .text("one", headers: .fresh()) }
            let cached = CachedClient(server.transport, store: isDown ? FaultyStore(Set(StoreStep.allCases)) : nil)
            let words = try await together(10, cached) { server.gate.open() }.map(\.cacheWords)
            #expect(words.count { $0 == "Martlet; fwd=uri-miss; ttl=60; collapsed" } == 9, "\(words)")
            #expect(cached.count == 1)
        }
    }

    @Test("Concurrent validations of a stale response are one request")
    func oneValidation() async throws {
        let server = HeldServer {
            $0.headers.contains(.ifNoneMatch) ? .status(304, headers: .fresh()) : .text("one", headers: .fresh(1, tag: "\"a\""))
        }
        let cached = CachedClient(server.transport)
        _ = try await together(1, cached) { server.gate.open() }
        cached.time.advance(by: .seconds(2))
        let again = HeldServer { $0.headers.contains(.ifNoneMatch) ? .status(304, headers: .fresh()) : .status(500) }
        let second = CachedClient(again.transport, store: cached.cache.cache.store, time: cached.time)
        let responses = try await together(100, second) { again.gate.open() }
        #expect(responses.allSatisfy { $0.text == "one" && $0.status == .ok })
        #expect(second.count == 1)
    }

    @Test("If the first caller is cancelled, the others get the response of the same request")
    func firstCancelled() async throws {
        let server = HeldServer { _ in .text("one", headers: .fresh()) }
        let cached = CachedClient(server.transport)
        let first = Task { try await cached.get() }
        try await server.gate.arrivals.reach(1)
        let others = (0..<100).map { _ in Task { try await cached.get() } }
        while cached.cache.cache.flights.waiterCount < 101 { await Task.yield() }
        first.cancel()
        await #expect(throws: HTTPError.cancelled) { try await first.value }
        // A later caller waits for the same request too.
        let late = (0..<10).map { _ in Task { try await cached.get() } }
        while cached.cache.cache.flights.waiterCount < 110 { await Task.yield() }
        server.gate.open()
        for other in others + late { #expect(try await other.value.text == "one") }
        #expect(cached.count == 1)
    }

    @Test("If all callers are cancelled, the request is cancelled, and the next call sends its own")
    func allCancelled() async throws {
        let transport = MockTransport()
        transport.enqueue(.silence, .text("two", headers: .fresh()))
        let cached = CachedClient(transport)
        let calls = (0..<10).map { _ in Task { try await cached.get() } }
        while cached.cache.cache.flights.waiterCount < 10 { await Task.yield() }
        try await transport.waitForRequests(1)
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: HTTPError.cancelled) { try await call.value } }
        #expect(try await cached.get().text == "two")
    }

    @Test("After a cancelled or failed request, later callers share a request again")
    func togetherAfterFailure() async throws {
        let transport = MockTransport()
        transport.enqueue(.silence, .disconnect, .status(503))
        let cached = CachedClient(transport)
        let first = Task { try await cached.get() }
        try await transport.waitForRequests(1)
        first.cancel()
        _ = try? await first.value
        _ = try? await cached.get()
        _ = try await cached.get()
        let server = HeldServer { _ in .text("one", headers: .fresh()) }
        transport.on(.get("/x")) { request, _ in
            await server.gate.pass()
            return .text("one", headers: .fresh())
        }
        _ = try await together(50, cached) { server.gate.open() }
        #expect(cached.count == 4)
    }

    @Test("A response that must not be shared makes the other callers send at the same time, and later ones do not wait")
    func notShared() async throws {
        let first = HeldServer { _ in .text("mine", headers: [.cacheControl: "no-store"]) }
        let gate = Barrier(), number = Count()
        let transport = MockTransport { _ in
            if number.increment() == 1 { await first.gate.pass() } else { await gate.pass() }
            return .text("mine", headers: [.cacheControl: "no-store"])
        }
        let cached = CachedClient(transport)
        let calls = (0..<20).map { _ in Task { try await cached.get() } }
        while cached.cache.cache.flights.waiterCount < 20 { await Task.yield() }
        first.gate.open()
        // All nineteen requests are in flight at the same time.
        try await gate.arrivals.reach(19)
        let late = (0..<5).map { _ in Task { try await cached.get() } }
        try await gate.arrivals.reach(24)
        gate.open()
        for call in calls + late { #expect(try await call.value.cacheStatus?.isCollapsed == false) }
        #expect(cached.count == 25)
    }

    @Test("A timeout of the sending caller does not fail the others, which send their own requests")
    func leaderTimesOut() async throws {
        let gate = Barrier(), number = Count()
        let transport = MockTransport { _ in
            guard number.increment() == 1 else { return .text("one", headers: .fresh()) }
            await gate.pass()
            throw HTTPError.timeout
        }
        let cached = CachedClient(transport)
        let calls = (0..<20).map { _ in Task { try? await cached.get() } }
        while cached.cache.cache.flights.waiterCount < 20 { await Task.yield() }
        gate.open()
        var texts: [String?] = []
        for call in calls { texts.append(await call.value?.text) }
        #expect(texts.count { $0 == nil } == 1 && texts.count { $0 == "one" } == 19)
    }

    @Test("Callers that waited together get separate responses if Vary distinguishes them (RFC 9111 §4.1)")
    func vary() async throws {
        let server = HeldServer { request in
            var fields = HTTPFields.fresh()
            fields[.vary] = "Accept-Language"
            return .text(request.headers[.acceptLanguage] ?? "none", headers: fields)
        }
        let cached = CachedClient(server.transport)
        let languages = ["fr", "de", "en", "it"]
        let responses = try await together(100, cached, { [.acceptLanguage: languages[$0 % 4]] }) { server.gate.open() }
        #expect(responses.enumerated().allSatisfy { $1.text == languages[$0 % 4] })
        // The cache now knows the selecting fields.
        for language in languages { #expect(try await cached.get("x", [.acceptLanguage: language]).cacheStatus?.isHit == true) }
        let count = cached.count
        #expect(try await cached.get("x", [.acceptLanguage: "es"]).cacheStatus?.forwardReason == .varyMiss)
        #expect(cached.count == count + 1)
    }

    @Test("Of a hundred concurrent users in any order, each gets only their own response", arguments: 0..<5 as Range<UInt64>)
    func users(seed: UInt64) async throws {
        let transport = MockTransport { request in
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            let owner = request.headers[.authorization] ?? request.headers[.cookie] ?? request.headers["X-Api-Key"] ?? "nobody"
            return .text(owner, headers: .fresh(2, "stale-while-revalidate=2", tag: "\"same\""))
        }
        let cached = CachedClient(transport)
        let names: [HTTPFieldName] = [.authorization, .cookie, "X-Api-Key"]
        let wrong = Recorder<String>()
        await withTaskGroup(of: Void.self) { group in
            for user in 0..<100 {
                group.addTask {
                    let name = names[user % 3], value = "user\(user)"
                    for round in 0..<10 {
                        for _ in 0..<Int.random(in: 0..<10) { await Task.yield() }
                        if user == 0 { cached.time.advance(by: .seconds(1)) }
                        let text = try? await cached.get("x", [name: value]).text
                        if text != value { wrong.append("\(value) got \(text ?? "nothing") in round \(round)") }
                    }
                }
            }
        }
        await cached.cache.finishRevalidations()
        #expect(wrong.values.isEmpty)
    }
}
