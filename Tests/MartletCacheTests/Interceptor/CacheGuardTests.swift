import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCache

@Suite("CacheInterceptor: responses that are not stored, and requests that are not repeated", .timeLimit(.minutes(5)))
struct CacheGuardTests {
    private struct Adding: Interceptor {
        let name: HTTPFieldName
        let value: @Sendable () -> String

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            var request = request
            request.headers[name] = value()
            return try await next(request)
        }
    }

    @Test("A response to credentials added inside the cache is not stored, so users stay apart")
    func credentialsInside() async throws {
        let user = Locked("ada")
        let cached = CachedClient(
            MockTransport { .text($0.headers[.authorization] ?? "nobody", headers: .fresh()) },
            inside: [Adding(name: .authorization) { user.withLock { $0 } }])
        let first = try await cached.get()
        #expect(first.text == "ada" && first.cacheStatus?.isStored == false)
        #expect(first.cacheStatus?.detail?.hasPrefix("not stored: an interceptor after the cache added a field that may identify") == true)
        user.withLock { $0 = "bob" }
        #expect(try await cached.get().text == "bob")
    }

    @Test("A stored response that sets a cookie is not used for a request with other cookies")
    func setCookie() async throws {
        for setsCookie in [true, false] {
            let cached = CachedClient(
                MockTransport { request in
                    var fields = HTTPFields.fresh()
                    if setsCookie { fields[.setCookie] = "sid=\(request.headers[.cookie] ?? "new")" }
                    return .text("x", headers: fields)
                })
            _ = try await cached.get()
            let other = try await cached.get("x", [.cookie: "sid=ada"])
            #expect(other.headers[.setCookie] == (setsCookie ? "sid=sid=ada" : nil))
            #expect(cached.count == (setsCookie ? 2 : 1))
        }
    }

    @Test("Scopes and modes that share a store do not share responses")
    func sharedStore() async throws {
        let store = MemoryCacheStore()
        let kinds: [(String, CacheSettings, CacheScope)] = [
            ("anonymous", .init(), .credentials), ("everyone", .init(), .everyone), ("nameless", .init(), .named { _ in "" }),
            ("everyone's name", .init(), .named { _ in "everyone" }), ("shared", .init(isShared: true), .credentials),
        ]
        for (name, settings, scope) in kinds {
            let cached = CachedClient(MockTransport(.text(name, headers: .fresh())), store: store, settings: settings, scope: scope)
            #expect(try await cached.get().text == name)
            #expect(try await cached.get().text == name)
            #expect(cached.count == 1)
        }
    }

    @Test("With a scope from the app, credentials may be added inside the cache")
    func namedInside() async throws {
        let cached = CachedClient(
            MockTransport { .text($0.headers[.authorization] ?? "nobody", headers: .fresh()) }, scope: .named { _ in "ada" },
            inside: [Adding(name: .authorization) { "ada" }])
        _ = try await cached.get()
        #expect(try await cached.get().cacheStatus?.isHit == true)
    }

    @Test("A Vary field added inside the cache prevents storing, and other fields do not")
    func varyInside() async throws {
        let language = Locked("fr")
        var fields = HTTPFields.fresh()
        fields[.vary] = "Accept-Language"
        let head = fields
        let cached = CachedClient(
            MockTransport { .text($0.headers[.acceptLanguage] ?? "none", headers: $0.url.path == "/plain" ? .fresh() : head) },
            inside: [Adding(name: .acceptLanguage) { language.withLock { $0 } }])
        _ = try await cached.get()
        _ = try await cached.get("plain")
        language.withLock { $0 = "de" }
        #expect(try await cached.get().text == "de")
        #expect(try await cached.get("plain").cacheStatus?.isHit == true)
    }

    @Test("A redirect that is followed is not stored if its body may be incomplete")
    func cutRedirect() async throws {
        struct Cutting: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                let response = try await next(request)
                guard request.context.followsRedirects, response.status.kind == .redirection else { return response }
                return response.map { HTTPBody($0.buffered?.prefix(request.context.limits.redirectBodyBytes) ?? Data()) }
            }
        }
        let long = String(repeating: "x", count: 100_000)
        for length in [nil, "100000"] as [String?] {
            var fields: HTTPFields = [.location: "/new", .cacheControl: "max-age=60"]
            fields[.contentLength] = length
            let cached = CachedClient(MockTransport(), inside: [Cutting()])
            cached.transport.on(.get("/old"), .text(long, status: 301, headers: fields))
            cached.transport.on(.get("/new"), .text("new"))
            var request = CachedClient.request("old")
            request.options.redirects = .follow()
            #expect(try await cached.client.response(for: request).text == "new")
            #expect(try await cached.get("old").text == long)
            // A complete redirect is stored and used also when redirects are followed.
            #expect(try await cached.client.response(for: request).text == "new")
            #expect(cached.transport.requests(matching: .get("/old")).count == 2)
        }
    }

    @Test("A head that grows with each 304 is removed when it exceeds the limit for heads")
    func growingHead() async throws {
        let number = Locked(0), store = MemoryCacheStore()
        let cached = CachedClient(
            MockTransport { request in
                var fields = HTTPFields.fresh(1, tag: "\"a\"")
                guard request.headers.contains(.ifNoneMatch) else { return .text("x", headers: fields) }
                for _ in 0..<400 {
                    let name = number.withLock { number in
                        number += 1
                        return "X-\(number)"
                    }
                    fields.append(HTTPFieldName(name), String(repeating: "y", count: 100))
                }
                return .status(304, headers: fields)
            }, store: store)
        var most = 0
        for _ in 0..<12 {
            #expect(try await cached.get().text == "x")
            most = max(most, store.byteCount)
            cached.time.advance(by: .seconds(2))
        }
        #expect(most < 300_000)
    }

    @Test("A response with too many Vary fields is not stored")
    func manySelectors() async throws {
        var fields = HTTPFields.fresh()
        fields[.vary] = (0..<101).map { "X-\($0)" }.joined(separator: ",")
        let head = fields
        let cached = CachedClient(MockTransport { _ in .text("x", headers: head) })
        #expect(try await cached.get().cacheStatus?.isStored == false)
    }

    @Test("After a failed background revalidation, not every hit tries again", arguments: [true, false])
    func pause(isBroken: Bool) async throws {
        let transport = MockTransport { _ in isBroken ? .disconnect : .status(500) }
        transport.enqueue(.text("one", headers: .fresh(10, "stale-while-revalidate=100")))
        let cached = CachedClient(transport)
        _ = try await cached.get()
        cached.time.advance(by: .seconds(15))
        for _ in 0..<20 {
            #expect(try await cached.get().text == "one")
            await cached.cache.finishRevalidations()
        }
        #expect(cached.count == 2)
        cached.time.advance(by: .seconds(5))
        _ = try await cached.get()
        await cached.cache.finishRevalidations()
        #expect(cached.count == 3)
    }

    @Test("A part is completed in memory for a streamed call, and a large one is requested as a whole")
    func streamedCompletion() async throws {
        func part(_ text: String, _ range: String) -> MockReply {
            var fields = HTTPFields.fresh(60, tag: "\"a\"")
            fields[.contentRange] = "bytes \(range)"
            return .text(text, status: 206, headers: fields)
        }
        let cached = CachedClient(MockTransport(part("01234", "0-4/10"), part("56789", "5-9/10")))
        _ = try await cached.get("x", [.range: "bytes=0-4"])
        #expect(try await cached.stream().body.collect() == Data("0123456789".utf8))
        #expect(try await cached.get().cacheStatus?.isHit == true)
        #expect(cached.count == 2)
        let large = CachedClient(MockTransport(part("01234", "0-4/10"), .text("0123456789")), settings: .init(maxCombinedBytes: 9))
        _ = try await large.get("x", [.range: "bytes=0-4"])
        #expect(try await large.stream().body.collect() == Data("0123456789".utf8))
        #expect(large.count == 2 && !large.sent[1].contains(.range))
    }
}
