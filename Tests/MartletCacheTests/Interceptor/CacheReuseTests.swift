import Foundation
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: hits, misses and validation", .timeLimit(.minutes(5)))
struct CacheReuseTests {
    @Test("The trace has the decision of the cache about each request")
    func trace() async throws {
        let client = CachedClient(MockTransport(.text("a", headers: [.cacheControl: "max-age=60"])))
        let first = try await client.get().trace, second = try await client.get().trace
        #expect(first.cacheStatuses.map(\.isHit) == [false] && first.attempts.count == 1)
        #expect(second.cacheStatuses.map(\.isHit) == [true] && second.attempts.isEmpty)
    }

    @Test("A fresh response is reused with its age until it is stale (RFC 9111 §4.2)")
    func hit() async throws {
        let cached = CachedClient(MockTransport(.text("one", headers: .fresh(60)), .text("two", headers: .fresh(60))))
        let first = try await cached.get()
        #expect(first.text == "one" && first.cacheWords == "Martlet; fwd=uri-miss; stored")
        #expect(first.headers[.age] == nil)
        cached.time.advance(by: .seconds(59))
        let second = try await cached.get()
        #expect(second.text == "one" && second.cacheWords == "Martlet; hit; ttl=1")
        #expect(second.headers[.age] == "59" && second.metadata.request?.url.path == "/x")
        cached.time.advance(by: .seconds(1))
        let third = try await cached.get()
        #expect(third.text == "two" && third.cacheWords == "Martlet; fwd=stale; stored")
        #expect(cached.count == 2)
    }

    @Test("A stale response is validated with its tag and date, and a 304 refreshes its fields and keeps the body (§4.3)")
    func notModified() async throws {
        let modified = "Wed, 31 Dec 2025 00:00:00 GMT"
        var head = HTTPFields.fresh(10, tag: "\"a\"")
        head[.lastModified] = modified
        head["X-Old"] = "1"
        head["X-Both"] = "1"
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: head),
                .status(304, headers: [.cacheControl: "max-age=100", .eTag: "\"a\"", "X-Both": "2", .contentLength: "999"])))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(20))
        let second = try await cached.get()
        #expect(cached.sent[1][.ifNoneMatch] == "\"a\"" && cached.sent[1][.ifModifiedSince] == modified)
        #expect(second.status == .ok && second.text == "one" && second.cacheStatus?.wasValidated == true)
        #expect(second.cacheWords == "Martlet; fwd=stale; fwd-status=304; ttl=100")
        #expect(second.headers["X-Old"] == "1" && second.headers["X-Both"] == "2" && second.headers[.contentLength] == nil)
        cached.time.advance(by: .seconds(99))
        let third = try await cached.get()
        #expect(third.cacheStatus?.isHit == true && third.text == "one" && third.headers["X-Both"] == "2")
        #expect(cached.count == 2)
    }

    @Test("Last-Modified alone also validates, and a response without validators is requested again")
    func lastModified() async throws {
        let modified = "Wed, 31 Dec 2025 00:00:00 GMT"
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: [.cacheControl: "max-age=1", .lastModified: modified]), .status(304),
                .text("none", headers: .fresh(1)), .text("new")))
        _ = try await cached.get("dated")
        cached.time.advance(by: .seconds(2))
        #expect(try await cached.get("dated").text == "one")
        #expect(cached.sent[1][.ifModifiedSince] == modified && cached.sent[1][.ifNoneMatch] == nil)
        _ = try await cached.get("plain")
        cached.time.advance(by: .seconds(2))
        #expect(try await cached.get("plain").text == "new")
        #expect(cached.sent[3][.ifModifiedSince] == nil && cached.sent[3][.ifNoneMatch] == nil)
    }

    @Test("After a 304 that matches nothing stored, the resource is requested once without conditions and replaced (§4.3.3)")
    func strangeNotModified() async throws {
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: .fresh(1, tag: "\"a\"")), .status(304, headers: [.eTag: "\"other\""]),
                .text("two", headers: .fresh(60, tag: "\"b\""))))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(2))
        #expect(try await cached.get().text == "two")
        #expect(cached.sent[1].contains(.ifNoneMatch) && !cached.sent[2].contains(.ifNoneMatch))
        #expect(try await cached.get().text == "two")
        #expect(cached.count == 3)
    }

    @Test("A server that always responds with 304 receives two requests")
    func endlessNotModified() async throws {
        let cached = CachedClient(MockTransport { $0.url.query == nil ? .status(304, headers: [.eTag: "\"z\""]) : .status(500) })
        cached.transport.enqueue(.text("one", headers: .fresh(1, tag: "\"a\"")))
        _ = try await cached.get()
        cached.time.advance(by: .seconds(2))
        #expect(try await cached.get().status == .notModified)
        #expect(cached.count == 3)
    }

    @Test("The caller's own conditions are evaluated for a fresh response, and forwarded for a stale one (§4.3.2)")
    func ownConditions() async throws {
        let cached = CachedClient(
            MockTransport(.text("one", headers: .fresh(10, tag: "\"a\"")), .status(304, headers: .fresh(10, tag: "\"mine\""))))
        _ = try await cached.get()
        let same = try await cached.get("x", [.ifNoneMatch: "W/\"a\", \"b\""])
        #expect(same.status == .notModified && same.body.isEmpty && same.cacheStatus?.isHit == true)
        #expect(try await cached.get("x", [.ifNoneMatch: "\"b\""]).text == "one")
        cached.time.advance(by: .seconds(11))
        let asked = try await cached.get("x", [.ifNoneMatch: "\"mine\""])
        #expect(asked.status == .notModified)
        #expect(cached.sent[1][.ifNoneMatch] == "\"mine\", \"a\"")
        #expect(cached.count == 2)
    }

    @Test("A stored GET serves HEAD, and the response to a forwarded HEAD refreshes or invalidates it (§4.3.5)")
    func head() async throws {
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: .fresh(10, tag: "\"a\"")), .status(200, headers: .fresh(50, tag: "\"a\"")),
                .status(200, headers: .fresh(50, tag: "\"b\"")), .text("two", headers: .fresh(10, tag: "\"b\""))))
        _ = try await cached.get()
        let hit = try await cached.get(method: .head)
        #expect(hit.cacheStatus?.isHit == true && hit.body.isEmpty && hit.headers[.eTag] == "\"a\"")
        cached.time.advance(by: .seconds(11))
        _ = try await cached.get(method: .head)
        #expect(cached.count == 2)
        #expect(try await cached.get().text == "one")
        cached.time.advance(by: .seconds(51))
        _ = try await cached.get(method: .head)
        // The HEAD describes another body, so the stored response is validated before use.
        #expect(try await cached.get().text == "two")
        #expect(cached.count == 4 && cached.sent[3][.ifNoneMatch] == "\"a\"")
    }

    @Test("only-if-cached returns a stored response or 504 and sends no request (§5.2.1.7)")
    func onlyIfCached() async throws {
        let cached = CachedClient(MockTransport(.text("one", headers: .fresh(10))))
        let none = try await cached.get("x", [.cacheControl: "only-if-cached"])
        #expect(none.status == .gatewayTimeout && none.cacheStatus?.isHit == false && cached.count == 0)
        _ = try await cached.get()
        #expect(try await cached.get("x", [.cacheControl: "only-if-cached"]).text == "one")
        cached.time.advance(by: .seconds(11))
        #expect(try await cached.get("x", [.cacheControl: "only-if-cached"]).status == .gatewayTimeout)
        #expect(cached.count == 1)
    }

    @Test("only-if-cached sends no request, whatever else the request contains (§5.2.1.7)")
    func onlyIfCachedBesides() async throws {
        let cached = CachedClient(MockTransport(.text("0123456789", headers: .fresh(10, tag: "\"a\""))))
        _ = try await cached.get()
        let only: HTTPFields = [.cacheControl: "only-if-cached"]
        func status(_ more: HTTPFields, _ policy: CachePolicy = .useProtocol) async throws -> Int {
            var fields = only
            fields.replace(with: more)
            return try await cached.get("x", fields, policy: policy).status.rawValue
        }
        #expect(try await status([.range: "bytes=2-3"]) == 206)
        #expect(try await status([.range: "bytes=10-"]) == 504)
        #expect(try await status([.range: "bytes=0-1,4-5"]) == 504)
        #expect(try await status([:], .cacheAndNetwork) == 200)
        #expect(try await status([.ifNoneMatch: "\"a\""]) == 304)
        await cached.cache.finishRevalidations()
        #expect(cached.count == 1)
    }

    @Test("Directives for intermediate caches are passed on and ignored: CDN-Cache-Control, Surrogate-Control (RFC 9213)")
    func targeted() async throws {
        for name in ["CDN-Cache-Control", "Surrogate-Control", "Martlet-Cache-Control"] as [HTTPFieldName] {
            for (own, other) in [("max-age=10", "no-store"), ("no-store", "max-age=10")] {
                var fields: HTTPFields = [.cacheControl: own]
                fields[name] = other
                let cached = CachedClient(MockTransport(.text("one", headers: fields), .text("two", headers: fields)))
                _ = try await cached.get()
                let second = try await cached.get()
                #expect(second.text == (own == "no-store" ? "two" : "one") && second.headers[name] == other)
            }
        }
    }

    @Test("no-store in the request or the response prevents storing (§5.2.1.5, §5.2.2.5)")
    func noStore() async throws {
        let cached = CachedClient(MockTransport { _ in .text("x", headers: [.cacheControl: "no-store, max-age=60"]) })
        #expect(try await cached.get().cacheWords == "Martlet; fwd=uri-miss")
        #expect(try await cached.get().cacheWords == "Martlet; fwd=uri-miss")
        let own = CachedClient(MockTransport { _ in .text("x", headers: .fresh()) })
        #expect(try await own.get("x", [.cacheControl: "no-store"]).cacheWords == "Martlet; fwd=request")
        #expect(try await own.get().cacheWords == "Martlet; fwd=uri-miss; stored")
        #expect(cached.count == 2 && own.count == 2)
    }

    @Test("A newer response that must not be stored removes the stored one")
    func supersededByUnstorable() async throws {
        let cached = CachedClient(
            MockTransport(
                .text("one", headers: .fresh(10, tag: "\"a\"")), .text("two", headers: [.cacheControl: "no-store"]),
                .text("three", headers: .fresh(10))))
        _ = try await cached.get()
        #expect(try await cached.get("x", [.cacheControl: "no-cache"]).text == "two")
        #expect(try await cached.get().text == "three")
    }

    @Test("A permanent redirect is stored, and each hop is a separate response (RFC 9110 §15.4.2)")
    func redirects() async throws {
        let cached = CachedClient(
            MockTransport(
                .status(301, headers: [.location: "/new", .cacheControl: "max-age=60"]), .text("new", headers: .fresh(60))))
        var request = CachedClient.request("old")
        request.options.redirects = .follow()
        for count in 0..<3 {
            let response = try await cached.client.response(for: request)
            #expect(response.text == "new" && response.metadata.redirects.map(\.path) == ["/new"])
            #expect(response.cacheStatus?.isHit == (count > 0))
        }
        #expect(cached.count == 2)
    }

    @Test("Random numbers of the client that repeat do not mix up the variants of a response")
    func repeatedRandom() async throws {
        struct Constant: RandomSource { func next() -> UInt64 { 7 } }
        let transport = MockTransport { request in
            .text(request.headers[.acceptLanguage] ?? "", headers: [.cacheControl: "max-age=60", "Vary": "Accept-Language"])
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport, interceptors: [CacheInterceptor(store: MemoryCacheStore())],
            time: ManualTime(), random: Constant())
        for language in ["de", "en", "de", "en"] {
            #expect(try await client.send(Request<String>.get("a").header(.acceptLanguage, language)) == language)
        }
        #expect(transport.requests.count == 2)
    }

    @Test("A cache takes the names of stored responses from its own random numbers")
    func ownRandom() async throws {
        let random = SeededRandom(seed: 2)
        let client = HTTPClient(
            baseURL: URL(string: "https://h/"),
            transport: MockTransport(.data(Data("a".utf8), headers: [.cacheControl: "max-age=60"])),
            interceptors: [CacheInterceptor(store: MemoryCacheStore(), random: random)], time: ManualTime())
        _ = try await client.send(Request<Data>.get("a"))
        #expect(!random.draws.isEmpty)
    }
}
