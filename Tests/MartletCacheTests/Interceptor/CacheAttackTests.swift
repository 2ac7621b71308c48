import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletCache
@testable import MartletClient

@Suite("CacheInterceptor: hostile servers and callers", .timeLimit(.minutes(5)))
struct CacheAttackTests {
    @Test("No field value traps, and each call gets its response")
    func oddFields() async throws {
        let odd = [
            "", " ", ",", "\"", "\"\\", "*", "=", "-1", "0", "99999999999999999999999999", "1e9", "NaN", "\u{FFFD}", "max-age", "max-age=",
            "max-age=\"5\"", "max-age=-5", "max-age=99999999999999999999", "no-cache=\"", "no-cache=\"a,,b\"", "private=\"\"", "W/", "W/\"",
            "bytes 0-0/0", "bytes 9-1/5", "bytes */*", "bytes 0-9223372036854775806/9223372036854775807", "bytes -1-2/3",
            "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 99 Jan 0000 99:99:99 GMT",
            String(repeating: "a,", count: 500), String(repeating: "\"", count: 500), String(repeating: "a=\"", count: 300),
        ]
        let names: [HTTPFieldName] = [
            .cacheControl, .eTag, .lastModified, .expires, .date, .age, .vary, .contentRange, .contentLength, .pragma, .location,
            .contentLocation, .connection,
        ]
        let requests: [HTTPFields] = [
            [:], [.range: "bytes=0-1"], [.range: "bytes=-9223372036854775806"], [.range: "bytes=9223372036854775806-"],
            [.ifNoneMatch: "\"a\""], [.cacheControl: "max-stale, min-fresh=99999999999999999999"], [.ifRange: "\"", .range: "bytes=0-"],
        ]
        var generator = SeededGenerator(seed: 8)
        for round in 0..<100 {
            var fields: HTTPFields = [.cacheControl: "max-age=5, stale-while-revalidate=99999999999999999999"]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let name = names.randomElement(using: &generator)!
                if Bool.random(using: &generator) { fields.remove(name) }
                fields.append(name, odd.randomElement(using: &generator)!)
            }
            let status = [200, 206, 206, 304, 301, 404, 500].randomElement(using: &generator)!
            let reply = MockReply.text("0123456789", status: HTTPStatus(rawValue: status), headers: fields)
            let cached = CachedClient(MockTransport { _ in reply }, settings: CacheSettings(isShared: round % 2 == 1))
            for request in requests.shuffled(using: &generator) {
                let response = try await cached.get("x", request, method: round % 5 == 0 ? .head : .get)
                let isWhole = response.status != .partialContent && response.status != .notModified && round % 5 != 0
                if isWhole, response.status != .gatewayTimeout { #expect(response.text == "0123456789") }
                cached.time.advance(by: .seconds(Int.random(in: 0...8, using: &generator)))
            }
            await cached.cache.finishRevalidations()
        }
    }

    @Test("With an explosion of variants, only the newest up to the limit are kept")
    func varyExplosion() async throws {
        let cached = CachedClient(
            MockTransport { request in
                var fields = HTTPFields.fresh()
                fields[.vary] = request.headers["Accept-N"] == "0" ? "Accept-N" : "Accept-N, X-\(request.headers["Accept-N"] ?? "")"
                return .text(request.headers["Accept-N"] ?? "", headers: fields)
            }, settings: .init(maxVariants: 8))
        let store = try #require(cached.cache.cache.store as? MemoryCacheStore)
        for number in 0..<60 {
            #expect(try await cached.get("x", ["Accept-N": "\(number)"]).text == "\(number)")
            cached.time.advance(by: .milliseconds(1))
            #expect(store.count <= 8)
        }
        #expect(try await cached.get("x", ["Accept-N": "59"]).cacheStatus?.isHit == true)
    }

    @Test("Maximum-size heads and any number of targets stay within the store's capacity")
    func hugeHeads() async throws {
        let store = MemoryCacheStore(capacity: 4 << 20, maxEntryBytes: 2 << 20)
        let lines = String(repeating: "a,", count: 25_000)
        let cached = CachedClient(MockTransport { _ in .text("x", headers: [.cacheControl: "max-age=60," + lines]) }, store: store)
        for number in 0..<6 { #expect(try await cached.get("x\(number)").text == "x") }
        #expect(store.byteCount <= 4 << 20)
        // The parsed form of such a field needs many times the memory of its text, which the size includes.
        #expect(store.count == 2)
    }

    @Test("The memory for requests that cannot be shared is limited")
    func unshareable() {
        let unshareable = UnshareableRequests(), now = ContinuousClock.now
        let keys = (0..<5_000).map { CacheState.FlightKey(key: CacheKey(uri: "\($0)"), variant: CacheVariant()) }
        for key in keys { unshareable.add(key, at: now) }
        #expect(keys.count { unshareable.contains($0, at: now) } <= 1_000)
        #expect(unshareable.contains(keys[4_999], at: now))
        #expect(!unshareable.contains(keys[4_999], at: now + .seconds(61)))
    }

    @Test("Credentials in any field are kept apart: standard fields, marked fields, and fields with secret names")
    func credentials() async throws {
        for name in ["Authorization", "Cookie", "X-Api-Key", "X-Session-Id", "X-User-Token", "X-Acme-Secret", "Ocp-Apim-Subscription-Key"] {
            let cached = CachedClient(
                MockTransport { .text($0.headers[HTTPFieldName(name)] ?? "nobody", headers: .fresh()) })
            for user in ["ada", "bob", "ada"] {
                var fields: HTTPFields = [:]
                fields[HTTPFieldName(name)] = user
                #expect(try await cached.get("x", fields).text == user, "\(name)")
            }
            #expect(cached.count == 2, "\(name)")
        }
        let cached = CachedClient(MockTransport { .text($0.headers["X-Who"] ?? "nobody", headers: .fresh()) })
        for user in ["ada", "bob"] {
            var fields: HTTPFields = ["X-Who": user]
            fields.markAsCredential("X-Who")
            #expect(try await cached.get("x", fields).text == user)
        }
    }

    @Test("User names that look equal but have different bytes are different users")
    func equivalentCredentials() async throws {
        let scopes = ["jos\u{E9}", "jose\u{301}"]
        let named = CachedClient(
            MockTransport { .text($0.headers["X-Who"] ?? "", headers: .fresh()) },
            scope: .named { $0.headers["X-Who"] == "0" ? scopes[0] : scopes[1] })
        for user in ["0", "1", "0"] { #expect(try await named.get("x", ["X-Who": user]).text == user) }
        #expect(named.count == 2)
    }

    @Test("A waiting caller does not get a response selected by other fields, even if the server omits Vary twice")
    func coalescedVary() async throws {
        let gate = Barrier()
        let transport = MockTransport { request in
            await gate.pass()
            var fields = HTTPFields.fresh()
            fields[.vary] = request.headers[.accept] == "a" ? "Accept" : "Accept-Language, Accept"
            return .text("\(request.headers[.accept] ?? "")/\(request.headers[.acceptLanguage] ?? "")", headers: fields)
        }
        let cached = CachedClient(transport)
        let wanted = (0..<60).map { (["a", "b", "c"][$0 % 3], ["fr", "de"][$0 / 3 % 2]) }
        let calls = wanted.map { wanted in
            Task { try await cached.get("x", [.accept: wanted.0, .acceptLanguage: wanted.1]).text }
        }
        while cached.cache.cache.flights.waiterCount < 60 { await Task.yield() }
        gate.open()
        for (call, wanted) in zip(calls, wanted) {
            let text = try await call.value
            // The response for “a” does not vary by language.
            #expect(wanted.0 == "a" ? text.hasPrefix("a/") : text == "\(wanted.0)/\(wanted.1)")
        }
    }

    @Test("Heads and bodies stay together under concurrent replacement, updates, removal and reads")
    func neverMixed() async throws {
        let version = Locked(0)
        let transport = MockTransport { request in
            await Task.yield()
            let number = version.withLock { version in
                if Int.random(in: 0..<4) == 0 { version += 1 }
                return version
            }
            let tag = "\"\(number)\""
            let fields = HTTPFields.fresh(1, "stale-while-revalidate=1", tag: tag)
            if request.method == .post { return .status(204) }
            if request.headers[.ifNoneMatch] == tag { return .status(304, headers: fields) }
            return .text(tag, headers: fields).chunked(1)
        }
        let cached = CachedClient(transport, store: MemoryCacheStore(capacity: 4_000, maxEntryBytes: 2_000))
        let wrong = Recorder<String>()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<30 {
                        let path = "x\(round % 3)"
                        if task == 0 { cached.time.advance(by: .milliseconds(400)) }
                        do {
                            switch (task + round) % 8 {
                            case 0: _ = try await cached.get(path, method: .head)
                            case 1: _ = try await cached.get(path, method: .post)
                            case 2, 3:
                                let response = try await cached.stream(path)
                                let body = String(decoding: try await response.body.collect(), as: UTF8.self)
                                if body != response.headers[.eTag] { wrong.append("\(body) with \(response.headers[.eTag] ?? "none")") }
                            default:
                                let response = try await cached.get(path)
                                if response.text != response.headers[.eTag] { wrong.append("\(response.text) with \(response.headers)") }
                            }
                        } catch { wrong.append("\(error)") }
                    }
                }
            }
        }
        await cached.cache.finishRevalidations()
        #expect(wrong.values.isEmpty)
    }
}
