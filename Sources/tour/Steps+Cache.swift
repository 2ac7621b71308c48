import FoundationEssentials
import Martlet
import MartletTesting

// Shows how the cache uses one response as it ages. The step has its own clock, so it does not wait.
extension Step {
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
}

private enum CacheOutcome {
    static func of(_ status: CacheStatus?) -> String {
        guard let status else { return "no cache" }
        if status.isStale { return "stale from the cache" }
        if status.wasValidated { return "validated by ETag" }
        return status.isHit ? "fresh from the cache" : "from the server"
    }
}
