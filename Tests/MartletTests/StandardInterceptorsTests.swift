import Foundation
import MartletTesting
import Testing

@Suite("StandardInterceptors", .timeLimit(.minutes(5)))
struct StandardInterceptorsTests {
    private struct Tag: Interceptor {
        let name: String
        let seen: Recorder<String>

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            seen.append(name)
            return try await next(request)
        }
    }

    private let base = URL(string: "https://h/")!

    @Test("The default list has the app's header fields and retries, in this order")
    func defaults() {
        let list = StandardInterceptors().list
        #expect(list.map { "\(type(of: $0))" } == ["HeadersInterceptor", "RetryInterceptor"])
    }

    @Test("The server gets no field of the app's own unless the app asks for it")
    func fields() async throws {
        func sent(_ standard: StandardInterceptors) async throws -> [String] {
            let transport = MockTransport(.json("{}"))
            let client = HTTPClient(baseURL: base, transport: transport, interceptors: standard.list)
            try await client.send(Request<EmptyResponse>.get("x"))
            let headers = try #require(transport.requests.first?.headers)
            #expect(headers[.userAgent] == AppMetadata.current.userAgent)
            return headers.map { "\($0.name)" }.filter { $0.lowercased().hasPrefix("x-") }
        }
        #expect(try await sent(StandardInterceptors()) == [])
        #expect(try await sent(StandardInterceptors(headers: HeadersInterceptor.app())) == ["X-App-Name", "X-App-Platform"])
    }

    @Test(
        "The parts are in order: logging, headers, keys, authentication, strict transport, cookies, cache, coalescing, retry, attempt observers"
    )
    func order() async throws {
        let seen = Recorder<String>()
        func tag(_ name: String) -> Tag { Tag(name: name, seen: seen) }
        var standard = StandardInterceptors(retry: tag("retry"))
        standard.attemptObservers = [tag("first observer"), tag("second observer")]
        standard.cache = tag("cache")
        standard.coalescing = tag("coalescing")
        standard.strictTransport = tag("strict transport")
        standard.cookies = tag("cookies")
        standard.authentication = tag("authentication")
        standard.idempotencyKeys = tag("keys")
        standard.headers = tag("headers")
        standard.logging = tag("logging")
        let client = HTTPClient(baseURL: base, transport: MockTransport(.json("{}")), interceptors: standard.list)

        try await client.send(Request<EmptyResponse>.get("x"))

        #expect(
            seen.values == [
                "logging", "headers", "keys", "authentication", "strict transport", "cookies", "cache", "coalescing", "retry",
                "first observer",
                "second observer",
            ])
    }

    @Test("A Resilience replaces the interceptors from coalescing to the concurrency limit, outside the attempt observers")
    func resilience() {
        var standard = StandardInterceptors(headers: nil)
        standard.attemptObservers = [Tag(name: "observer", seen: Recorder())]
        standard.use(.standard)
        standard.connectivity = WaitForConnectivity()
        #expect(
            standard.list.map { "\(type(of: $0))" } == [
                "Coalescing", "RetryInterceptor", "WaitForConnectivity", "Hedging", "CircuitBreaker", "RateLimiter", "ConcurrencyLimit",
                "Tag",
            ])
        standard.use(Resilience())
        #expect(standard.list.map { "\(type(of: $0))" } == ["Tag"])
    }

    @Test("Nil omits a part")
    func leavingOut() {
        #expect(StandardInterceptors(headers: nil, retry: nil).list.isEmpty)
        var standard = StandardInterceptors()
        standard.retry = nil
        #expect(standard.list.map { "\(type(of: $0))" } == ["HeadersInterceptor"])
    }

    @Test("All parts together wait for a busy server, renew a rejected token once, and keep the idempotency key")
    func together() async throws {
        let time = ManualTime(), lines = Recorder<String>()
        let transport = MockTransport(
            .status(503, headers: [.retryAfter: "2"]), .status(401), .status(429, headers: [.retryAfter: "3"]), .json("{}"))
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t0k3n-old", refreshToken: "r"))) { _ in
            AccessToken("t0k3n-new")
        }
        var standard = StandardInterceptors(
            headers: HeadersInterceptor(["X-App": "Birds"]), authentication: AuthInterceptor(provider),
            retry: RetryInterceptor(RetryPolicy(maxAttempts: 2), time: time))
        standard.idempotencyKeys = IdempotencyKeyInterceptor { _ in "k1" }
        let client = HTTPClient(
            baseURL: base, transport: transport, interceptors: standard.list,
            observers: [LoggingObserver(detail: .headers, maxDetailInRelease: .headers) { lines.append($0.message) }], time: time)

        let response = try await client.response(for: Request<EmptyResponse>.post("x"))

        #expect(
            transport.requests.map { $0.headers[.authorization] }
                == ["Bearer t0k3n-old", "Bearer t0k3n-old", "Bearer t0k3n-new", "Bearer t0k3n-new"])
        #expect(transport.requests.allSatisfy { $0.headers[.idempotencyKey] == "k1" && $0.headers["X-App"] == "Birds" })
        #expect(time.sleeps == [.seconds(2), .seconds(3)])
        #expect(response.trace.attempts.map(\.outcome) == [.status(503), .status(401), .status(429), .status(200)])
        #expect(lines.values.count == 2)
        #expect(lines.values.last?.contains("attempt 3, POST https://h/x: 429 Too Many Requests") == true)
        #expect(!lines.values.joined().contains("t0k3n"))
    }
}
