import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("Cookies of each response from the network", .timeLimit(.minutes(5)))
struct CookieExchangeTests {
    private let cookies = CookieInterceptor()

    private struct Provider: TokenProvider {
        func token() async throws -> AccessToken? { AccessToken("old") }
        func token(replacing rejected: AccessToken) async throws -> AccessToken? { AccessToken("new") }
    }

    /// Returns a server, and a client for it with the standard interceptors.
    private func start(_ change: (inout StandardInterceptors) -> Void = { _ in }) async throws -> (MockServer, HTTPClient) {
        let server = try await MockServer.start()
        var standard = StandardInterceptors(retry: RetryInterceptor(RetryPolicy(maxAttempts: 3, backoff: .constant(.zero))))
        standard.cookies = cookies
        change(&standard)
        return (server, HTTPClient(baseURL: server.url, interceptors: standard.list))
    }

    private func sent(_ server: MockServer) -> [String?] { server.requests.map { $0.headers[.cookie] } }

    private func stored() async throws -> [String] { try await cookies.store.cookies().map { "\($0.name)=\($0.value)" }.sorted() }

    @Test("An attempt that is repeated sets cookies, and the next attempt sends them")
    func retry() async throws {
        let (server, client) = try await start()
        server.on(
            .get("/x"), .status(.serviceUnavailable, headers: ["Set-Cookie": "a=1"]),
            .status(.serviceUnavailable, headers: ["Set-Cookie": "b=2", "Set-Cookie": "a=; Max-Age=0"]), .text("ok"))
        #expect(try await client.send(Request<String>.get("x")) == "ok")
        #expect(sent(server) == [nil, "a=1", "b=2"])
        #expect(try await stored() == ["b=2"])
        await server.stop()
    }

    @Test("A further attempt sends no cookies if the previous one has removed them")
    func removal() async throws {
        let (server, client) = try await start()
        try await cookies.store.set(Cookie("a", "1", domain: "127.0.0.1", path: "/x"))
        server.on(.get("/x"), .status(.serviceUnavailable, headers: ["Set-Cookie": "a=; Path=/x; Max-Age=0"]), .text("ok"))
        #expect(try await client.send(Request<String>.get("x")) == "ok")
        #expect(sent(server) == ["a=1", nil])
        await server.stop()
    }

    @Test("A 304 that revalidates a stored response sets cookies, and the stored response does not set its own again")
    func notModified() async throws {
        let (server, client) = try await start { $0.cache = CacheInterceptor(store: MemoryCacheStore()) }
        server.on(
            .get("/x"), .text("body", headers: ["ETag": "\"1\"", "Cache-Control": "no-cache", "Set-Cookie": "a=1; Path=/other"]),
            .status(.notModified, headers: ["ETag": "\"1\"", "Set-Cookie": "b=2; Path=/other"]))
        #expect(try await client.send(Request<String>.get("x")) == "body")
        #expect(try await stored() == ["a=1"])
        try await cookies.store.removeAll()
        let response = try await client.response(for: Request<String>.get("x"))
        #expect(response.body == "body" && response.metadata.cacheStatus?.wasValidated == true)
        #expect(server.requests.last?.headers[.ifNoneMatch] == "\"1\"")
        #expect(try await stored() == ["b=2"])
        await server.stop()
    }

    @Test("A response to an attempt with other cookies is not stored for requests without them")
    func cachedRetry() async throws {
        let (server, client) = try await start { $0.cache = CacheInterceptor(store: MemoryCacheStore()) }
        server.on(.get("/x"), .status(.serviceUnavailable, headers: ["Set-Cookie": "user=wren"]))
        server.on(.get("/x").header(.cookie, "user=wren"), .text("wren's", headers: ["Cache-Control": "max-age=60"]))
        #expect(try await client.send(Request<String>.get("x")) == "wren's")
        try await cookies.store.removeAll()
        let second = try await client.response(for: Request<String>.get("x"))
        #expect(second.metadata.cacheStatus?.isHit == false)
        #expect(sent(server) == [nil, "user=wren", nil, "user=wren"])
        await server.stop()
    }

    @Test("The response that rejects a token sets cookies, and the request with the new token sends them")
    func refresh() async throws {
        let (server, client) = try await start { $0.authentication = AuthInterceptor(Provider()) }
        server.on(.get("/x"), .status(.unauthorized, headers: ["Set-Cookie": "a=1"]), .text("ok", headers: ["Set-Cookie": "b=2"]))
        #expect(try await client.send(Request<String>.get("x")) == "ok")
        #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        #expect(sent(server) == [nil, "a=1"])
        #expect(try await stored() == ["a=1", "b=2"])
        await server.stop()
    }

    @Test("Each hop of a redirect sets and sends cookies, also a hop that is repeated")
    func redirect() async throws {
        let (server, client) = try await start()
        server.on(
            .get("/a"), .status(.serviceUnavailable, headers: ["Set-Cookie": "r=0"]),
            .status(.found, headers: ["Location": "/b", "Set-Cookie": "a=1"]))
        server.on(.get("/b"), .status(.found, headers: ["Location": "/c", "Set-Cookie": "b=2"]))
        server.on(.get("/c"), .text("ok", headers: ["Set-Cookie": "c=3"]))
        #expect(try await client.send(Request<String>.get("a")) == "ok")
        #expect(sent(server) == [nil, "r=0", "r=0; a=1", "r=0; a=1; b=2"])
        #expect(try await stored() == ["a=1", "b=2", "c=3", "r=0"])
        await server.stop()
    }

    @Test("A Cookie field that another interceptor has set stays in further attempts")
    func changedInside() async throws {
        struct Inner: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                request.headers[.cookie] = "mine=1"
                return try await next(request)
            }
        }
        let (server, client) = try await start { $0.attemptObservers = [Inner()] }
        server.on(.get("/x"), .status(.serviceUnavailable, headers: ["Set-Cookie": "a=1"]), .text("ok"))
        #expect(try await client.send(Request<String>.get("x")) == "ok")
        #expect(sent(server) == ["mine=1", "mine=1"])
        await server.stop()
    }

    @Test("The responses of a call keep no observer")
    func release() async throws {
        let (server, client) = try await start()
        server.on(.get("/x"), .text("ok"))
        let response = try await client.response(for: Request<String>.get("x"))
        #expect(response.metadata.request?.context.exchangeObservers.isEmpty == true)
        await server.stop()
    }
}
