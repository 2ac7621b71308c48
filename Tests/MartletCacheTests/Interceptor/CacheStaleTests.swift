import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: stale responses (RFC 5861)", .timeLimit(.minutes(5)))
struct CacheStaleTests {
    private static let swr = "stale-while-revalidate=100"

    @Test("stale-while-revalidate returns immediately and revalidates once in the background for any number of hits (§3)")
    func whileRevalidating() async throws {
        let gate = Barrier()
        let transport = MockTransport { request in
            guard request.headers.contains(.ifNoneMatch) else { return .text("one", headers: .fresh(10, Self.swr, tag: "\"a\"")) }
            await gate.pass()
            return .text("two", headers: .fresh(10, tag: "\"b\""))
        }
        let cached = CachedClient(transport)
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        for _ in 0..<50 {
            let stale = try await cached.get()
            #expect(stale.text == "one" && stale.cacheWords == "Martlet; hit; ttl=-5; detail=\"stale-while-revalidate\"")
            #expect(stale.cacheStatus?.isStale == true)
        }
        try await gate.arrivals.reach(1)
        gate.open()
        await cached.cache.finishRevalidations()
        #expect(try await cached.get().text == "two")
        #expect(cached.count == 2)
    }

    @Test("A 304 in the background refreshes the stored response, and after the window validation precedes use")
    func window() async throws {
        let transport = MockTransport {
            $0.headers.contains(.ifNoneMatch) ? .status(304) : .text("one", headers: .fresh(10, Self.swr, tag: "\"a\""))
        }
        let cached = CachedClient(transport)
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        #expect(try await cached.get().cacheStatus?.isStale == true)
        await cached.cache.finishRevalidations()
        #expect(try await cached.get().cacheWords == "Martlet; hit; ttl=10")
        cached.time.advance(by: .seconds(111))
        #expect(try await cached.get().cacheWords == "Martlet; fwd=stale; fwd-status=304; ttl=10")
    }

    @Test("A failed background revalidation is reported and fails no call, and a later hit tries again")
    func failure() async throws {
        let cached = CachedClient(MockTransport(.text("one", headers: .fresh(10, Self.swr)), .disconnect, .text("two", headers: .fresh())))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        #expect(try await cached.get().text == "one")
        await cached.cache.finishRevalidations()
        guard case .revalidationFailed(.networkError)? = cached.events.values.first, cached.events.count == 1 else {
            Issue.record("\(cached.events.values)")
            return
        }
        cached.time.advance(by: .seconds(5))
        #expect(try await cached.get().text == "one")
        await cached.cache.finishRevalidations()
        #expect(try await cached.get().text == "two")
    }

    @Test("A background revalidation continues when the caller is cancelled, and has its own time limit")
    func ownLife() async throws {
        let transport = MockTransport(.text("one", headers: .fresh(10, Self.swr)), .silence)
        let cached = CachedClient(transport, timeout: .seconds(5))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        let caller = Task { try await cached.get() }
        _ = try await caller.value
        caller.cancel()
        try await transport.waitForRequests(2)
        try await cached.time.waitForTimers()
        cached.time.advance(by: .seconds(59))
        #expect(cached.events.count == 0)
        cached.time.advance(by: .seconds(1))
        await cached.cache.finishRevalidations()
        guard case .revalidationFailed(.timeout)? = cached.events.values.first else {
            Issue.record("\(cached.events.values)")
            return
        }
    }

    @Test("A background revalidation requests the whole resource, whatever range or condition the caller sent")
    func wholeInBackground() async throws {
        let cached = CachedClient(MockTransport { _ in .text("0123456789", headers: .fresh(10, Self.swr, tag: "\"a\"")) })
        for fields in [[.range: "bytes=0-1", .ifRange: "\"a\""], [.ifNoneMatch: "\"a\""], [.ifModifiedSince: "x"]] as [HTTPFields] {
            _ = try await cached.get("x", [.cacheControl: "no-cache"])
            cached.time.advance(by: .seconds(15))
            _ = try await cached.get("x", fields)
            await cached.cache.finishRevalidations()
            #expect(cached.sent.last?[.ifNoneMatch] == "\"a\"")
            #expect(cached.sent.last?.contains(.range) == false && cached.sent.last?.contains(.ifRange) == false)
            #expect(try await cached.get().cacheWords == "Martlet; hit; ttl=10")
        }
    }

    @Test("A background revalidation stops reading a body that is not stored")
    func endlessInBackground() async throws {
        let chunk = Data(count: 64 << 10)
        let transport = MockTransport()
        transport.enqueue(.text("one", headers: .fresh(10, Self.swr)))
        transport.enqueue(.stream(headers: .fresh()) { HTTPBody { chunk } })
        transport.enqueue(.stream(headers: [.cacheControl: "no-store"]) { HTTPBody { chunk } })
        let cached = CachedClient(transport, store: MemoryCacheStore(capacity: 1 << 20))
        _ = try await cached.get()
        for _ in 0..<2 {
            cached.time.advance(by: .seconds(15))
            #expect(try await cached.get().cacheStatus?.isHit == true)
            await cached.cache.finishRevalidations()
        }
        #expect(cached.sent.count == 3)
    }

    @Test("Concurrent background revalidations are limited")
    func storm() async throws {
        let gate = Barrier(), isBackground = Locked(false)
        let transport = MockTransport { _ in
            if isBackground.withLock({ $0 }) { await gate.pass() }
            return .text("one", headers: .fresh(10, Self.swr))
        }
        let cached = CachedClient(transport, settings: .init(maxRevalidations: 4))
        for index in 0..<50 { _ = try await cached.get("x\(index)") }
        cached.time.advance(by: .seconds(15))
        isBackground.withLock { $0 = true }
        for index in 0..<50 { #expect(try await cached.get("x\(index)").cacheStatus?.isStale == true) }
        try await gate.arrivals.reach(4)
        gate.open()
        await cached.cache.finishRevalidations()
        #expect(cached.count == 54)
    }

    @Test("stale-if-error replaces network errors and 500, 502, 503 and 504 (§4)", arguments: [500, 502, 503, 504, 0])
    func ifError(status: Int) async throws {
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: .fresh(10, "stale-if-error=100")), status == 0 ? .disconnect : .status(HTTPStatus(rawValue: status)),
                .status(500)))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        let stale = try await cached.get()
        #expect(stale.text == "one" && stale.status == .ok && stale.cacheStatus?.isStale == true && stale.cacheStatus?.isHit == false)
        #expect(stale.cacheStatus?.forwardReason == .stale && stale.cacheStatus?.detail == "stale-if-error")
        #expect(stale.cacheStatus?.forwardStatus?.rawValue == (status == 0 ? nil : status))
        cached.time.advance(by: .seconds(96))
        #expect(try await cached.get().status == .internalServerError)
    }

    @Test(
        "stale-if-error does not apply if the server forbids it, or if the response is not a failure",
        arguments: [
            ("stale-if-error=100, must-revalidate", 500), ("stale-if-error=100, no-cache", 500), ("stale-if-error=100", 404),
            ("stale-if-error=100", 501), ("", 500),
        ])
    func ifErrorNot(directives: String, status: Int) async throws {
        let cached = CachedClient(MockTransport(.text("one", headers: .fresh(10, directives)), .status(HTTPStatus(rawValue: status))))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        #expect(try await cached.get().status.rawValue == status)
    }

    @Test("The request or the settings can allow a stale response after a failure")
    func ifErrorByOthers() async throws {
        let asked = CachedClient(MockTransport(.text("one", headers: .fresh(10)), .disconnect, .disconnect))
        _ = try await asked.get()
        asked.time.advance(by: .seconds(15))
        #expect(try await asked.get("x", [.cacheControl: "stale-if-error=60"]).text == "one")
        await #expect(throws: HTTPError.self) { try await asked.get() }
        let configured = CachedClient(
            MockTransport(.text("one", headers: .fresh(10)), .disconnect), settings: CacheSettings(staleIfError: .seconds(60)))
        _ = try await configured.get()
        configured.time.advance(by: .seconds(15))
        #expect(try await configured.get().text == "one")
    }

    @Test("After a 304 with other Vary fields, the stored response is validated before each use")
    func varyChanged() async throws {
        var changed = HTTPFields.fresh(100, tag: "\"a\"")
        changed[.vary] = "Accept-Language"
        let cached = CachedClient(
            MockTransport(
                .text("english", headers: .fresh(10, tag: "\"a\"")), .status(304, headers: changed), .text("deutsch", headers: changed)))
        _ = try await cached.get("x", [.acceptLanguage: "en"])
        cached.time.advance(by: .seconds(15))
        #expect(try await cached.get("x", [.acceptLanguage: "en"]).text == "english")
        #expect(try await cached.get("x", [.acceptLanguage: "de"]).text == "deutsch")
    }

    @Test("With retry inside the cache, a hit never waits, and a stale response replaces the failure of the last attempt")
    func retryInside() async throws {
        let time = ManualTime()
        let retry = RetryInterceptor(
            RetryPolicy(maxAttempts: 3, backoff: .constant(.seconds(1))), time: time, random: SeededRandom(), budget: nil)
        let cached = CachedClient(
            MockTransport(.text("one", headers: .fresh(10, "stale-if-error=100")), .disconnect, .status(503), .status(502)),
            inside: [retry],
            time: time)
        _ = try await cached.get()
        _ = try await cached.get()
        #expect(time.sleeps.isEmpty)
        time.advance(by: .seconds(15))
        let stale = try await cached.get()
        #expect(stale.text == "one" && stale.cacheStatus?.forwardStatus == 502 && time.sleeps.count == 2)
    }

    @Test("With authentication outside the cache, a renewed token is a new user unless the app names the user", arguments: [true, false])
    func authenticationOutside(isNamed: Bool) async throws {
        let transport = MockTransport { request in
            request.headers[.authorization] == "Bearer old" ? .status(401) : .text("mine", headers: .fresh())
        }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old", refreshToken: "r"))) { _ in AccessToken("new") }
        let cached = CachedClient(
            transport, scope: isNamed ? .named { _ in "ada" } : .credentials, outside: [AuthInterceptor(provider)])
        #expect(try await cached.get().text == "mine")
        #expect(try await cached.get().cacheStatus?.isHit == true)
        #expect(cached.sent.map { $0[.authorization] } == ["Bearer old", "Bearer new"])
        let other = CachedClient(transport, store: cached.cache.cache.store, scope: isNamed ? .named { _ in "ada" } : .credentials)
        #expect(try await other.get("x", [.authorization: "Bearer newer"]).cacheStatus?.isHit == isNamed)
    }
}
