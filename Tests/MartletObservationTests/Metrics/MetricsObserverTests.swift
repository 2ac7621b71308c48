import Foundation
import MartletTesting
import Testing

@testable import MartletObservation

@Suite("MetricsObserver", .timeLimit(.minutes(5)))
struct MetricsObserverTests {
    private struct Value: Decodable, Sendable { let id: Int }

    private let base = URL(string: "https://h/v1")!
    private let metrics = PrometheusMetrics()
    private let time = ManualTime()

    private func client(
        _ transport: MockTransport, interceptors: [any Interceptor] = [], maxRoutes: Int = 200
    ) -> HTTPClient {
        HTTPClient(
            baseURL: base, transport: transport, interceptors: interceptors, observers: [MetricsObserver(metrics, maxRoutes: maxRoutes)],
            time: time)
    }

    /// Returns the samples of a metric, without its name.
    private func samples(_ metric: CallMetric) -> [String] {
        metrics.text.split(separator: "\n").filter { $0.hasPrefix(metric.name + "{") }.map { String($0.dropFirst(metric.name.count)) }
    }

    @Test("Calls are counted by method, route and outcome, without the values of paths")
    func calls() async throws {
        let client = client(MockTransport(.json(#"{"id":1}"#), .json(#"{"id":2}"#), .status(404), .status(500)))
        for id in 1...2 { _ = try await client.send(Request<Value>.get("users/\(id)")) }
        _ = await client.result(of: Request<Value>.get("users/\(3)"))
        _ = await client.result(of: Request<Value>.delete("users/\(4)"))
        #expect(
            samples(.calls) == [
                #"{method="DELETE",outcome="5xx",route="/users/{}"} 1"#,
                #"{method="GET",outcome="2xx",route="/users/{}"} 2"#,
                #"{method="GET",outcome="4xx",route="/users/{}"} 1"#,
            ])
    }

    @Test("Calls of two services with one route are kept apart by the names of their clients")
    func clients() async throws {
        for (name, status) in [("shop", HTTPStatus.ok), ("stock", .notFound)] {
            let client = HTTPClient(
                baseURL: base, transport: MockTransport(.status(status)), observers: [MetricsObserver(metrics, client: name)], time: time)
            _ = await client.result(of: Request<EmptyResponse>.get("status"))
        }
        #expect(
            samples(.calls) == [
                #"{client="shop",method="GET",outcome="2xx",route="/status"} 1"#,
                #"{client="stock",method="GET",outcome="4xx",route="/status"} 1"#,
            ])
        #expect(samples(.activeCalls).allSatisfy { $0.contains("client=") } && samples(.attempts).allSatisfy { $0.contains("client=") })
    }

    @Test("The bytes of a WebSocket's messages are counted with those of bodies")
    func messages() throws {
        let call = ObservedCall(
            .webSocket, name: "chat", pathTemplate: "chat", operations: [], tags: [], observers: [MetricsObserver(metrics)], time: time)
        let notify = try #require(call.record.notify)
        call.started(HTTPRequest(url: URL(string: "https://h/chat")!))
        for text in ["a", "bc"] { notify(.message(CallMessage(.sent, content: Data(text.utf8), isText: true))) }
        notify(.message(CallMessage(.received, content: Data("defg".utf8), isText: false)))
        call.ended(.success(nil))
        notify(.message(CallMessage(.received, content: Data("late".utf8), isText: false)))
        #expect(samples(.sentBytes) == [#"{method="GET",route="/chat"} 3"#])
        #expect(samples(.receivedBytes) == [#"{method="GET",route="/chat"} 4"#])
    }

    @Test("Failures of every stage are counted by their kind")
    func failures() async {
        let client = client(MockTransport(.json("[]"), .disconnect, .failure(.cancelled), .failure(.timeout)))
        for _ in 1...4 { _ = await client.result(of: Request<Value>.get("a")) }
        _ = await client.result(of: Request<Value>.post("a").header("Upgrade", "x"))
        _ = await HTTPClient(transport: MockTransport(), observers: [MetricsObserver(metrics)]).result(of: Request<Value>.put("b"))
        #expect(
            samples(.calls) == [
                #"{method="GET",outcome="cancelled",route="/a"} 1"#, #"{method="GET",outcome="decoding",route="/a"} 1"#,
                #"{method="GET",outcome="network",route="/a"} 1"#, #"{method="GET",outcome="timeout",route="/a"} 1"#,
                #"{method="POST",outcome="invalid_request",route="/a"} 1"#,
                #"{method="PUT",outcome="invalid_request",route="/b"} 1"#,
            ])
    }

    @Test("Attempts count each exchange, the duration includes the waits, and bytes are added up")
    func attempts() async throws {
        let transport = MockTransport(.status(503), .json(#"{"id":1}"#))
        let retry = RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(2))))
        _ = try await client(transport, interceptors: [retry]).send(Request<Value>.put("a", body: .text("hello")))
        #expect(
            samples(.attempts) == [#"{method="PUT",outcome="2xx",route="/a"} 1"#, #"{method="PUT",outcome="5xx",route="/a"} 1"#])
        #expect(samples(.sentBytes) == [#"{method="PUT",route="/a"} 10"#])
        #expect(samples(.receivedBytes) == [#"{method="PUT",route="/a"} 8"#])
        let text = metrics.text
        #expect(text.contains(#"http_client_call_duration_seconds_sum{method="PUT",outcome="2xx",route="/a"} 2"# + "\n"))
        #expect(text.contains(#"http_client_call_duration_seconds_bucket{method="PUT",outcome="2xx",route="/a",le="1"} 0"# + "\n"))
        #expect(text.contains(#"http_client_call_duration_seconds_bucket{method="PUT",outcome="2xx",route="/a",le="2.5"} 1"# + "\n"))
    }

    @Test("A stream is active until its body ends, and each piece is counted when it arrives")
    func active() async throws {
        let response = try await client(MockTransport(.stream("hello ", "world"))).stream(Request<Data>.get("a"))
        #expect(samples(.activeCalls) == [#"{method="GET",route="/a"} 1"#] && samples(.calls).isEmpty)
        var body = response.body.makeAsyncIterator()
        _ = try await body.next()
        #expect(samples(.receivedBytes) == [#"{method="GET",route="/a"} 6"#])
        while try await body.next() != nil {}
        #expect(samples(.activeCalls) == [#"{method="GET",route="/a"} 0"#])
        #expect(samples(.calls) == [#"{method="GET",outcome="2xx",route="/a"} 1"#])
    }

    @Test("Routes beyond the limit and unknown methods are counted together")
    func limits() async throws {
        let client = client(MockTransport { _ in .json(#"{"id":1}"#) }, maxRoutes: 2)
        for path in ["a", "b", "c", "d", "a"] { _ = try await client.send(Request<Value>.get(Path(raw: path))) }
        var request = Request<Value>.get("a")
        request.method = "MKCOL"
        _ = try await client.send(request)
        #expect(
            samples(.calls) == [
                #"{method="GET",outcome="2xx",route="/a"} 2"#, #"{method="GET",outcome="2xx",route="/b"} 1"#,
                #"{method="GET",outcome="2xx",route="_OTHER"} 2"#, #"{method="_OTHER",outcome="2xx",route="/a"} 1"#,
            ])
    }

    @Test("Requests that a cache saw are counted by its verdict")
    func cache() async throws {
        let cache = CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)
        let client = client(
            MockTransport { _ in .json(#"{"id":1}"#, headers: [.cacheControl: "max-age=60"]) }, interceptors: [cache])
        for _ in 1...3 { _ = try await client.send(Request<Value>.get("a")) }
        #expect(
            samples(.cacheRequests) == [
                #"{method="GET",result="hit",route="/a"} 2"#, #"{method="GET",result="miss",route="/a"} 1"#,
            ])
        #expect(samples(.attempts) == [#"{method="GET",outcome="2xx",route="/a"} 1"#])
    }

    @Test(
        "Each verdict of a cache has one label",
        arguments: [
            (CacheStatus(isHit: true), "hit"), (CacheStatus(isHit: false, forwardReason: .uriMiss), "miss"),
            (CacheStatus(isHit: false, forwardReason: .method), "bypass"), (CacheStatus(isHit: false, forwardReason: .bypass), "bypass"),
            (CacheStatus(isHit: false, forwardReason: .stale), "miss"),
        ])
    func verdicts(status: CacheStatus, label: String) {
        #expect(status.metricLabel == label)
        var validated = CacheStatus(isHit: false, forwardReason: .stale)
        validated.forwardStatus = .notModified
        var stale = CacheStatus(isHit: true)
        stale.isStale = true
        var shared = CacheStatus(isHit: false, forwardReason: .uriMiss)
        shared.isCollapsed = true
        #expect([validated, stale, shared].map(\.metricLabel) == ["validated", "stale", "shared"])
    }

    @Test("An attempt that the end of its call interrupts is counted, and no call stays active")
    func interrupted() async throws {
        let transport = MockTransport(.silence, .silence)
        let client = client(transport).with { $0.configuration.totalTimeout = .seconds(5) }
        let first = Task { await client.result(of: Request<Value>.get("a")) }
        try await transport.waitForRequests(1)
        first.cancel()
        _ = await first.value
        let second = Task { await client.result(of: Request<Value>.get("a")) }
        try await transport.waitForRequests(2)
        time.advance(by: .seconds(5))
        _ = await second.value
        let outcomes = [
            #"{method="GET",outcome="cancelled",route="/a"} 1"#, #"{method="GET",outcome="timeout",route="/a"} 1"#,
        ]
        #expect(samples(.calls) == outcomes && samples(.attempts) == outcomes)
        #expect(samples(.activeCalls) == [#"{method="GET",route="/a"} 0"#])
    }

    @Test("The losing attempt of a hedged request is counted as cancelled")
    func hedged() async throws {
        let transport = MockTransport(.silence, .json(#"{"id":1}"#))
        let client = client(transport, interceptors: [Hedging(after: .seconds(1), budget: nil)])
        let call = Task { try await client.send(Request<Value>.get("a")) }
        try await transport.waitForRequests(1)
        time.advance(by: .seconds(1))
        _ = try await call.value
        #expect(
            samples(.attempts) == [
                #"{method="GET",outcome="2xx",route="/a"} 1"#, #"{method="GET",outcome="cancelled",route="/a"} 1"#,
            ])
    }

    @Test("A client with the observer twice counts each call once, and none stays active")
    func twice() async throws {
        let observer = MetricsObserver(metrics)
        let client = client(MockTransport(.json(#"{"id":1}"#))).with { $0.observers = [observer, observer] }
        _ = try await client.send(Request<Value>.get("a"))
        #expect(samples(.calls) == [#"{method="GET",outcome="2xx",route="/a"} 1"#])
        #expect(samples(.activeCalls) == [#"{method="GET",route="/a"} 0"#])
    }

    @Test("Bounds of the durations are sorted, and those that are repeated or not finite are left out")
    func bounds() async throws {
        let observer = MetricsObserver(metrics, durationBounds: [2, 0.5, .nan, 2, .infinity])
        _ = try await client(MockTransport(.json(#"{"id":1}"#))).with { $0.observers = [observer] }.send(Request<Value>.get("a"))
        let buckets = metrics.text.split(separator: "\n").filter { $0.contains("_bucket{") }.compactMap { $0.split(separator: "le=").last }
        #expect(buckets == ["\"0.5\"} 1", "\"2\"} 1", "\"+Inf\"} 1"])
    }

    @Test(
        "A status outside of the known classes has a label of its own",
        arguments: [(299, "2xx"), (599, "5xx"), (600, "invalid_status"), (999, "invalid_status"), (0, "invalid_status")])
    func statuses(status: Int, label: String) {
        #expect(CallTrace.Outcome.status(HTTPStatus(rawValue: status)).metricLabel == label)
    }

    @Test("Concurrent calls that share an exchange count its attempt once")
    func shared() async throws {
        let transport = MockTransport { _ in .json(#"{"id":1}"#) }
        let client = client(transport, interceptors: [Coalescing()])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { _ = try await client.send(Request<Value>.get("a")) } }
            try await group.waitForAll()
        }
        #expect(samples(.calls) == [#"{method="GET",outcome="2xx",route="/a"} 8"#])
        #expect(samples(.attempts) == [#"{method="GET",outcome="2xx",route="/a"} \#(transport.requests.count)"#])
    }
}
