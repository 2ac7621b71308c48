import Foundation
import MartletSystem
import MartletTesting
import Testing

@testable import MartletCookies

@Suite("CookieInterceptor", .timeLimit(.minutes(5)))
struct CookieInterceptorTests {
    private let base = URL(string: "https://h.example/")!
    private let time = ManualTime()
    private let store = MemoryCookieStore()

    private func client(_ transport: any Transport, inner: [any Interceptor] = [], base: URL? = nil) -> HTTPClient {
        HTTPClient(
            baseURL: base ?? self.base, transport: transport, interceptors: [CookieInterceptor(store: store)] + inner, time: time)
    }

    private func get(_ path: Path = "x", headers: HTTPFields = [:]) -> Request<EmptyResponse> { .get(path, headers: headers) }

    private func cookies(_ transport: MockTransport) -> [String?] { transport.requests.map { $0.headers[.cookie] } }

    @Test("A cookie of a response is sent with the next request, and its time is that of the client's clock")
    func roundTrip() async throws {
        let transport = MockTransport(
            .status(.noContent, headers: ["Set-Cookie": "a=1; Path=/; Max-Age=60", "Set-Cookie": "b=2", "Set-Cookie": "c"]),
            .status(.noContent),
            .status(.noContent))
        let client = client(transport)
        for _ in 0..<2 { try await client.send(get()) }
        time.advance(by: .seconds(60))
        try await client.send(get())
        #expect(cookies(transport) == [nil, "a=1; b=2; c", "b=2; c"])
    }

    @Test("A 302 with a Set-Cookie signs in over a real connection: the next hop and the next call send the cookie")
    func login() async throws {
        let server = try await MockServer.start()
        server.on(.post("/login"), .status(.found, headers: ["Location": "/profile", "Set-Cookie": "session=s3cret; HttpOnly; Path=/"]))
        server.on(.get("/profile"), .text("wren"), .text("wren"))
        let client = HTTPClient(baseURL: server.url, interceptors: [CookieInterceptor()])
        #expect(try await client.send(Request<String>.post("login", body: .form(["user": "wren"]))) == "wren")
        #expect(try await client.send(Request<String>.get("profile")) == "wren")
        #expect(server.requests.map { $0.headers[.cookie] } == [nil, "session=s3cret", "session=s3cret"])
        await server.stop()
    }

    @Test("A redirect to another host neither takes the cookies along nor lets that host set cookies for the first")
    func crossOrigin() async throws {
        let transport = MockTransport(
            .status(.found, headers: ["Location": "https://evil.example/", "Set-Cookie": "a=1"]),
            .status(.found, headers: ["Location": "https://h.example/back", "Set-Cookie": "b=2; Domain=h.example", "Set-Cookie": "c=3"]),
            .status(.noContent))
        try await client(transport).send(get())
        #expect(cookies(transport) == [nil, nil, "a=1"])
        #expect(try await store.cookies().map(\.domain).sorted() == ["evil.example", "h.example"])
    }

    @Test("A redirect by another site does not send Strict cookies")
    func sameSite() async throws {
        try await store.set([Cookie("s", "1", domain: "h.example", sameSite: .strict), Cookie("l", "1", domain: "h.example")])
        let transport = MockTransport(
            .status(.noContent), .status(.found, headers: ["Location": "https://h.example/transfer"]), .status(.noContent))
        try await client(transport).send(get())
        try await client(transport).send(Request<EmptyResponse>.get(url: URL(string: "https://evil.example/")!))
        #expect(cookies(transport) == ["s=1; l=1", nil, "l=1"])
    }

    @Test("Failed statuses and streamed responses set cookies")
    func statuses() async throws {
        let transport = MockTransport(
            .status(.forbidden, headers: ["Set-Cookie": "a=1"]), .text("body", headers: ["Set-Cookie": "b=2"]), .status(.noContent))
        let client = client(transport)
        await #expect(throws: HTTPError.self) { try await client.send(get()) }
        _ = try await client.stream(get())
        try await client.send(get())
        #expect(cookies(transport) == [nil, "a=1", "a=1; b=2"])
    }

    @Test("A Cookie field set by hand is left alone, and its response sets no cookies")
    func byHand() async throws {
        try await store.set(Cookie("a", "1", domain: "h.example"))
        let transport = MockTransport(.status(.noContent, headers: ["Set-Cookie": "a=2"]), .status(.noContent))
        try await client(transport).send(get(headers: ["cookie": "mine=1"]))
        try await client(transport).send(get())
        #expect(cookies(transport) == ["mine=1", "a=1"])
    }

    @Test("A call with a Cookie field of its own gets no other cookies and sets none, also after a redirect to another origin and back")
    func byHandAcrossOrigins() async throws {
        try await store.set([Cookie("jar", "1", domain: "h.example"), Cookie("jar", "1", domain: "sso.example")])
        let transport = MockTransport(
            .status(.found, headers: ["Location": "https://sso.example/"]),
            .status(.found, headers: ["Location": "https://h.example/back", "Set-Cookie": "sso=2"]),
            .status(.noContent, headers: ["Set-Cookie": "h=2"]))
        try await client(transport).send(get(headers: ["Cookie": "mine=1"]))
        #expect(cookies(transport) == ["mine=1", nil, nil])
        #expect(try await store.cookies().map(\.name) == ["jar", "jar"])
    }

    @Test("A Cookie field of its own stays on redirects within the origin")
    func byHandWithinOrigin() async throws {
        try await store.set(Cookie("jar", "1", domain: "h.example"))
        let transport = MockTransport(
            .status(.found, headers: ["Location": "/next", "Set-Cookie": "a=2"]), .status(.noContent))
        try await client(transport).send(get(headers: ["Cookie": "mine=1"]))
        #expect(cookies(transport) == ["mine=1", "mine=1"])
        #expect(try await store.cookies().count == 1)
    }

    @Test("A response that an interceptor makes without the network sets no cookies")
    func withoutNetwork() async throws {
        struct Offline: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                HTTPResponse(status: .noContent, headers: ["Set-Cookie": "a=1"], body: .empty)
            }
        }
        try await client(MockTransport(), inner: [Offline()]).send(get())
        #expect(try await store.cookies().isEmpty)
    }

    @Test("A removed cookie does not return with a hit of the HTTP cache")
    func cacheHit() async throws {
        let transport = MockTransport(.text("x", headers: ["Set-Cookie": "a=1", "Cache-Control": "max-age=60"]))
        let client = client(transport, inner: [CacheInterceptor(store: MemoryCacheStore())])
        try await client.send(get())
        #expect(try await store.cookies().count == 1)
        try await store.removeAll()
        #expect(try await client.response(for: get()).metadata.cacheStatus?.isHit == true)
        #expect(try await store.cookies().isEmpty)
    }

    @Test("An added Cookie is a credential: it is hidden in descriptions, and removed when the origin changes")
    func credential() async throws {
        try await store.set(Cookie("a", "s3cret", domain: "h.example"))
        let transport = MockTransport(.status(.noContent))
        let interceptor = CookieInterceptor(store: store)
        let request = HTTPRequest(method: .get, url: base)
        #expect(interceptor.mayAddCredential(to: request))
        try await client(transport).send(get())
        var sent = try #require(transport.requests.first)
        #expect(!"\(sent)".contains("s3cret") && RequestIdentity(of: sent).isCookieOnly)
        sent.headers.removeCredentials()
        #expect(!sent.headers.contains(.cookie))
        #expect(!interceptor.mayAddCredential(to: HTTPRequest(method: .get, url: base, headers: [.cookie: "a=1"])))
    }

    @Test("Rejected cookies are reported with their names and reasons")
    func rejected() async throws {
        let events = Locked<[String]>([])
        let interceptor = CookieInterceptor { error in
            if case .rejected(let name, let host, let reason) = error { events.withLock { $0.append("\(name) \(host) \(reason)") } }
        }
        let transport = MockTransport(.status(.noContent, headers: ["Set-Cookie": "a=s3cret; Domain=com", "Set-Cookie": "ok=1"]))
        let client = HTTPClient(baseURL: URL(string: "https://h.com/")!, transport: transport, interceptors: [interceptor])
        try await client.send(get())
        #expect(events.withLock { $0 } == ["a h.com publicSuffix"])
        #expect(try await interceptor.store.cookies().map(\.name) == ["ok"])
    }

    /// A store that fails before or after its work.
    private struct FailingStore: CookieStore {
        let memory = MemoryCookieStore()
        let failsAlways: Bool
        func withJar<Value: Sendable>(_ body: @Sendable (inout CookieJar) -> Value) async throws(StateStoreError) -> Value {
            if failsAlways { throw .unavailable("it is away") }
            let (before, value, after) = await memory.withJar { jar in
                let before = jar.changeCount
                return (before, body(&jar), jar.changeCount)
            }
            if before != after { throw .full("the disk is full") }
            return value
        }
    }

    @Test("A store that can't load fails the call; one that can't save is reported, and the response is returned")
    func failures() async throws {
        let transport = MockTransport(.status(.noContent, headers: ["Set-Cookie": "a=1"]), .status(.noContent))
        func client(_ store: FailingStore, _ report: @escaping @Sendable (StateStoreError) -> Void = { _ in }) -> HTTPClient {
            HTTPClient(baseURL: base, transport: transport, interceptors: [CookieInterceptor(store: store, report: report)])
        }
        await #expect(throws: HTTPError.interceptorFailed("CookieInterceptor")) {
            try await client(FailingStore(failsAlways: true)).send(get())
        }
        #expect(transport.requests.isEmpty)
        let count = Locked(0)
        let failing = client(FailingStore(failsAlways: false)) { error in
            if error == .full("") { count.withLock { $0 += 1 } }
        }
        for _ in 0..<2 { try await failing.send(get()) }
        #expect(count.withLock { $0 } == 1 && cookies(transport) == [nil, "a=1"])
    }

    @Test("Several clients share a store concurrently, and each call has the cookies of earlier responses")
    func sharing() async throws {
        let transport = MockTransport { request in
            .status(.noContent, headers: ["Set-Cookie": "c\(request.url.lastPathComponent)=1; Path=/"])
        }
        let clients = (0..<4).map { _ in client(transport) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask { try await clients[index % 4].send(get("\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(try await store.cookies().count == 100)
        try await clients[0].send(get("last"))
        #expect(transport.requests.last?.headers[.cookie]?.split(separator: ";").count == 100)
    }

    @Test("A Set-Cookie with a line break of another field stores nothing")
    func injection() async throws {
        let transport = MockTransport(.status(.noContent, headers: ["Set-Cookie": "a=1\r\nX-Evil: 1"]), .status(.noContent))
        for _ in 0..<2 { _ = await client(transport).result(of: get()) }
        #expect(try await store.cookies().isEmpty)
    }
}
