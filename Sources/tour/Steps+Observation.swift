import FoundationEssentials
import Martlet
import MartletInspector
import MartletTesting

// Shows everything that happened in one call.
extension Step {
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
            outcomes == [.status(401), .status(503), .status(302), .status(200)] && trace.renewals.count == 1
                && trace.redirects.count == 1 && trace.cacheStatuses.count == 3,
            "expected four attempts, a renewed credential, a redirect and the verdicts of the cache, got \(trace)")
        stage.printer.got("the inspector shows the call at \(stage.inspector.url.absoluteString)")
    }
}
