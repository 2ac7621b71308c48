import FoundationEssentials
import Martlet
import MartletInspector
import MartletTesting

// Interceptors against the same server.
extension Step {
    static let refresh = Step(name: "refresh", title: "An expired token is refreshed once for a hundred calls") { stage in
        let base = stage.server.main.url
        let store = InMemoryTokenStore(AccessToken("0ld-t0k3n", refreshToken: "r3fr3sh-1"))
        let provider = StoredTokenProvider(store: store) { expired in
            let session = try await stage.client.send(
                Request<Session>.post("session", body: .form(["refresh_token": expired.refreshToken])))
            return AccessToken(session.accessToken, refreshToken: session.refreshToken)
        }
        let client = HTTPClient(baseURL: base, interceptors: [AuthInterceptor(provider)])
        stage.printer.asked("a hundred concurrent calls of send(.get(\"nest\")) with an expired token")
        let birds = try await withThrowingTaskGroup(of: Bird.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send(Request<Bird>.get("nest")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let paths = stage.server.main.requests.map(\.path)
        let refreshes = paths.filter { $0 == "/session" }.count
        stage.printer.got("\(birds.count) responses; the server counted \(refreshes) refresh")
        try check(birds.count == 100 && refreshes == 1, "expected one refresh, the server counted \(refreshes)")
        try check(try await store.load()?.refreshToken == "r3fr3sh-2", "expected the new refresh token in the store")
    }

    static let retry = Step(name: "retry", title: "A request to a busy server is retried after its Retry-After") { stage in
        let client = HTTPClient(baseURL: stage.server.main.url, interceptors: [RetryInterceptor(.standard)])
        stage.printer.asked("RetryInterceptor(.standard), send(.get(\"busy\"))")
        let response = try await client.response(for: Request<Bird>.get("busy"))
        let trace = response.trace
        for step in trace.steps { stage.printer.got("\(step)") }
        try check(trace.attempts.map(\.outcome) == [.status(503), .status(200)], "expected two attempts, got \(trace)")
        try check(trace.retries.first?.wait == .seconds(1), "expected a wait of a second")
        try check(trace.steps.last.map { $0.time >= .milliseconds(900) } == true, "the retry was too early")
    }

    static let breaker = Step(name: "breaker", title: "A failing server opens the circuit, and a probe closes it again") { stage in
        // Its clock is set forward, so that the tour need not wait.
        let time = ManualTime()
        let breaker = CircuitBreaker(.init(minimumCalls: 3, openDuration: .seconds(10), probes: 1), time: time)
        let client = HTTPClient(baseURL: stage.server.main.url, interceptors: [breaker])
        let request = Request<Bird>.get("flaky")
        stage.printer.asked("CircuitBreaker(.init(minimumCalls: 3, …)), result(of: .get(\"flaky\")) four times")
        for _ in 0..<3 {
            guard case .failure(.statusCode(let response)) = await client.result(of: request) else {
                throw Misbehaviour("the server did not fail")
            }
            stage.printer.got("\(response.status)")
        }
        guard case .failure(let error) = await client.result(of: request), case .circuitOpen = error, let wait = error.retryAfter else {
            throw Misbehaviour("the circuit is not open")
        }
        stage.printer.got("circuitOpen at once; the next probe is possible after \(wait)")
        let sent = stage.server.main.requests.filter { $0.path == "/flaky" }.count
        try check(wait == .seconds(10) && sent == 3, "expected three requests and a wait of ten seconds, got \(sent) and \(wait)")
        time.advance(by: wait)
        stage.printer.asked("ten seconds later, send(.get(\"flaky\"))")
        let bird = try await client.send(request)
        stage.printer.got("\(bird.name); the circuit is closed")
        try check(breaker.states.values.first == .closed, "expected a closed circuit, got \(breaker.states)")
    }

    static let cookies = Step(name: "cookies", title: "A sign-in with a session cookie across a redirect") { stage in
        let interceptor = CookieInterceptor()
        let client = HTTPClient(baseURL: stage.server.main.url, interceptors: [interceptor])
        stage.printer.asked("CookieInterceptor(), send(.post(\"session-login\", …)), which redirects to \"own-nest\"")
        let response = try await client.response(for: Request<Bird>.post("session-login", body: .form(["user": "ada"])))
        stage.printer.got("\(response.body.name) after \(response.metadata.redirects.count) redirect")
        let cookies = try await interceptor.store.cookies()
        stage.printer.got("stored: \(cookies.map(\.description).joined(separator: ", "))")
        try check(cookies.map(\.name) == ["session"], "expected the session cookie, got \(cookies)")
        let again = try await client.send(Request<Bird>.get("own-nest"))
        try check(again == response.body, "expected the same bird, got \(again)")
    }

    static let log = Step(name: "log", title: "A log that redacts secrets") { stage in
        let lines = Recorder<String>()
        let client = HTTPClient(
            baseURL: stage.server.main.url,
            observers: [LoggingObserver(detail: .bodies, maxDetailInRelease: .bodies) { lines.append($0.message) }])
        stage.printer.asked("LoggingObserver(detail: .bodies), send(.post(\"login\", …)), with a password, a key and a token")
        try await client.send(
            Request<EmptyResponse>.post(
                "login", query: ["api_key": "s3cret-key"], headers: [.authorization: "Bearer s3cret-token"],
                body: .json(["user": "ada", "password": "s3cret-word"])))
        let text = lines.values.joined(separator: "\n")
        for line in text.split(separator: "\n") { stage.printer.got(String(line)) }
        try check(!text.contains("s3cret"), "the log holds a secret")
        try check(
            text.contains("204") && text.contains("ada") && text.contains("‹redacted›"),
            "the log lacks the status, the user or the redaction")
    }

    // Shows how the cache uses one response as it ages. The step has its own clock, so it does not wait.
    static let cache = Step(name: "cache", title: "A cache: fresh, validated, stale and offline") { stage in
        let time = ManualTime(now: Date())
        let server = stage.server.flock
        let cache = CacheInterceptor(store: MemoryCacheStore(), time: time)
        let client = HTTPClient(baseURL: server.url, interceptors: [cache])
        stage.printer.asked("CacheInterceptor(store: MemoryCacheStore()), send(.get(\"flock\")), again and again")

        func ask(_ when: String, expecting outcome: String, requests: Int) async throws {
            let response = try await client.response(for: Request<[Bird]>.get("flock"))
            await cache.finishRevalidations()
            let seen = CacheOutcome.of(response.metadata.cacheStatus)
            stage.printer.got(
                "\(when): \(seen), Age \(response.headers["Age"] ?? "none"); the server received \(server.requests.count) requests")
            try check(seen == outcome && server.requests.count == requests, "expected \(outcome) after \(requests) requests")
            try check(response.body == BirdServer.birds, "expected the birds, got \(response.body)")
        }
        try await ask("the first call", expecting: "from the server", requests: 1)
        time.advance(by: .seconds(50))
        try await ask("after 50 s, fresh for 60", expecting: "fresh from the cache", requests: 1)
        time.advance(by: .seconds(60))
        try await ask("after 110 s", expecting: "validated by ETag", requests: 2)
        time.advance(by: .seconds(80))
        try await ask("80 s later, stale-while-revalidate=30", expecting: "stale from the cache", requests: 3)
        await server.stop()
        time.advance(by: .seconds(3_600))
        try await ask("an hour later, offline, stale-if-error", expecting: "stale from the cache", requests: 3)
    }

    // Shows everything that happened in one call.
    static let observe = Step(name: "observe", title: "One difficult call, step by step, on the inspector's page and as metrics") { stage in
        let store = InMemoryTokenStore(AccessToken("0ld-t0k3n", refreshToken: "r3fr3sh-2"))
        let tokens = StoredTokenProvider(store: store) { _ in AccessToken("n3w-t0k3n", refreshToken: "r3fr3sh-3") }
        let metrics = MetricsObserver(PrometheusMetrics())
        let client = HTTPClient(
            baseURL: stage.server.main.url,
            interceptors: [
                AuthInterceptor(tokens), CacheInterceptor(store: MemoryCacheStore()),
                RetryInterceptor(RetryPolicy(backoff: .constant(.milliseconds(20)))),
            ],
            observers: [stage.inspector, metrics])
        stage.printer.asked("observers: [inspector, metrics], response(for: .get(\"atlas\")).trace")
        let trace = try await client.response(for: Request<Bird>.get("atlas")).trace
        for step in trace.steps { stage.printer.got("\(step)") }
        let outcomes = trace.attempts.map(\.outcome)
        try check(
            outcomes == [.status(401), .status(503), .status(302), .status(200)] && trace.renewals.count(where: \.followsRejection) == 1
                && trace.redirects.count == 1 && trace.cacheStatuses.count == 3,
            "expected four attempts, a renewed credential, a redirect and the verdicts of the cache, got \(trace)")
        stage.printer.got("the inspector shows the call at \(stage.inspector.url.absoluteString)")
    }
}

private struct Session: Decodable {
    let accessToken: String
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
    }
}

private enum CacheOutcome {
    static func of(_ status: CacheStatus?) -> String {
        guard let status else { return "no cache" }
        if status.isStale { return "stale from the cache" }
        if status.wasValidated { return "validated by ETag" }
        return status.isHit ? "fresh from the cache" : "from the server"
    }
}
