import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: invalidation of stored responses", .timeLimit(.minutes(5)))
struct CacheInvalidationTests {
    @Test("A successful unsafe request invalidates its target and the URLs it names, for every user (RFC 9111 §4.4)")
    func unsafe() async throws {
        let cached = CachedClient(MockTransport { _ in .text("x", headers: .fresh()) })
        let users: [HTTPFields] = [[:], [.authorization: "a"], [.authorization: "b"]]
        func hits(_ path: String) async throws -> Int {
            var hits = 0
            for user in users where try await cached.get(path, user).cacheStatus?.isHit == true { hits += 1 }
            return hits
        }
        for path in ["x", "named", "other"] { #expect(try await hits(path) == 0) }
        for path in ["x", "named", "other"] { #expect(try await hits(path) == 3) }
        cached.transport.enqueue(.status(500))
        _ = try await cached.get("x", method: .post)
        #expect(try await hits("x") == 3)
        cached.transport.enqueue(.status(201, headers: [.location: "/named", .contentLocation: "https://elsewhere.test/other"]))
        #expect(try await cached.get("x", [.authorization: "a"], method: .post).cacheWords == "Martlet; fwd=method")
        #expect(try await hits("x") == 0)
        #expect(try await hits("named") == 0)
        #expect(try await hits("other") == 3)
    }

    @Test("A GET sent before a POST and completed after it is not stored", arguments: [true, false])
    func underWay(isStreamed: Bool) async throws {
        let gate = Barrier()
        let transport = MockTransport { request in
            if request.headers.contains("Accept-Slow") { await gate.pass() }
            return .text("old", headers: .fresh()).chunked(1)
        }
        let cached = CachedClient(transport)
        let slow = Task {
            isStreamed
                ? try await cached.stream("x", ["Accept-Slow": "1"]).body.collect() : try await cached.get("x", ["Accept-Slow": "1"]).body
        }
        try await gate.arrivals.reach(1)
        _ = try await cached.get(method: .post)
        gate.open()
        #expect(try await slow.value == Data("old".utf8))
        #expect(try await cached.get().cacheStatus?.isHit == false)
        #expect(try await cached.get().cacheStatus?.isHit == true)
    }

    @Test("A body that was being read during a POST is not stored")
    func beingRead() async throws {
        let cached = CachedClient(MockTransport { _ in .stream("one", "two", headers: .fresh()) })
        var iterator = try await cached.stream().body.makeAsyncIterator()
        _ = try await iterator.next()
        _ = try await cached.get(method: .post)
        while try await iterator.next() != nil {}
        #expect(try await cached.get().cacheStatus?.isHit == false)
    }

    @Test("A 304 in flight during a POST does not restore the invalidated response")
    func validation() async throws {
        let gate = Barrier()
        let transport = MockTransport { request in
            if request.headers.contains(.ifNoneMatch) {
                await gate.pass()
                return .status(304, headers: .fresh())
            }
            return .text("x", headers: .fresh(1, tag: "\"a\""))
        }
        let cached = CachedClient(transport)
        _ = try await cached.get()
        cached.time.advance(by: .seconds(2))
        let validation = Task { try await cached.get() }
        try await gate.arrivals.reach(1)
        _ = try await cached.get(method: .post)
        gate.open()
        #expect(try await validation.value.text == "x")
        #expect(try await cached.get().cacheStatus?.forwardReason == .uriMiss)
    }

    @Test("A POST whose response equals that of a GET is stored for GET (RFC 9110 §9.3.3)")
    func storedPost() async throws {
        var head = HTTPFields.fresh()
        head[.contentLocation] = "/x"
        let cached = CachedClient(MockTransport(.text("old", headers: .fresh()), .text("posted", headers: head)))
        _ = try await cached.get()
        #expect(try await cached.get(method: .post).cacheWords == "Martlet; fwd=method; stored")
        #expect(try await cached.get().text == "posted")
        #expect(cached.count == 2)
    }

    @Test("Of two concurrent POSTs, the later response is not stored, because their order on the server is unknown")
    func postsAtOnce() async throws {
        var head = HTTPFields.fresh()
        head[.contentLocation] = "/x"
        let gate = Barrier(), fields = head
        let transport = MockTransport { request in
            if request.headers.contains("Accept-Slow") { await gate.pass() }
            return .text(request.headers.contains("Accept-Slow") ? "slow" : "fast", headers: request.method == .post ? fields : .fresh())
        }
        let cached = CachedClient(transport)
        let slow = Task { try await cached.get("x", ["Accept-Slow": "1"], method: .post) }
        try await gate.arrivals.reach(1)
        _ = try await cached.get(method: .post)
        gate.open()
        #expect(try await slow.value.cacheStatus?.isStored == false)
        #expect(try await cached.get().cacheStatus?.isHit == false)
    }

    @Test("Removing everything also discards responses in flight")
    func removeAll() async throws {
        let gate = Barrier()
        let transport = MockTransport { request in
            if request.url.path == "/slow" { await gate.pass() }
            return .text("x", headers: .fresh())
        }
        let cached = CachedClient(transport)
        _ = try await cached.get()
        let slow = Task { try await cached.get("slow") }
        try await gate.arrivals.reach(1)
        try await cached.cache.removeAll()
        gate.open()
        _ = try await slow.value
        #expect(try await cached.get().cacheStatus?.isHit == false)
        #expect(try await cached.get("slow").cacheStatus?.isHit == false)
    }

    @Test("Invalidations are remembered individually up to a limit, and moments before the last forgotten one count for all targets")
    func memory() {
        let invalidations = ChangeLog<String>(limit: 3)
        let start = invalidations.now
        for index in 0..<3 { invalidations.add("\(index)") }
        let middle = invalidations.now
        #expect(invalidations.contains("0", since: start) && !invalidations.contains("other", since: start))
        #expect(!invalidations.contains("0", since: middle))
        invalidations.add("3")
        #expect(invalidations.contains("0", since: start) && invalidations.contains("other", since: start))
        #expect(invalidations.contains("3", since: middle))
        #expect(!invalidations.contains("0", since: middle) && !invalidations.contains("other", since: middle))
        #expect(!invalidations.contains("3", since: invalidations.now))
    }
}
