#if SwiftMetrics
import CoreMetrics
import Foundation
import Martlet
import MartletBridges
import MartletTesting
import MetricsTestKit
import Synchronization
import Testing

@Suite("Metrics of calls over swift-metrics", .timeLimit(.minutes(5)))
struct SwiftMetricsObserverTests {
    private let metrics = TestMetrics()
    private let time = ManualTime()

    private func client(
        _ transport: MockTransport, _ interceptors: [any Interceptor] = [], observer: SwiftMetricsObserver? = nil
    ) -> HTTPClient {
        HTTPClient(
            baseURL: URL(string: "https://api.example/v1"), transport: transport, interceptors: interceptors,
            observers: [observer ?? SwiftMetricsObserver(factory: metrics, client: "birds")], time: time)
    }

    private func dimensions(_ metric: any KeptMetric) -> [String: String] {
        Dictionary(uniqueKeysWithValues: metric.dimensions).filter { !$0.value.isEmpty }
    }

    private var requests: [TestTimer] { metrics.timers.filter { $0.label == "http.client.request.duration" } }
    private var calls: [TestTimer] { metrics.timers.filter { $0.label == "martlet.client.call.duration" } }

    @Test("Each request of a call has a duration with OpenTelemetry's attributes, and the call has one")
    func durations() async throws {
        let transport = MockTransport(.json("1").delayed(by: .milliseconds(200)), time: time)
        let id = 7
        _ = try await client(transport).send(Request<Int>.get("users/\(id)"))
        let request = try #require(requests.first), call = try #require(calls.first)
        #expect(metrics.timers.count == 2)
        #expect(request.values == [200_000_000] && request.displayUnit == .seconds && call.values == [200_000_000])
        let expected = [
            "martlet.client": "birds", "http.request.method": "GET", "url.template": "/users/{}", "server.address": "api.example",
            "server.port": "443", "http.response.status_code": "200", "martlet.outcome": "2xx",
        ]
        #expect(dimensions(request) == expected && dimensions(call) == expected)
    }

    @Test("A retried call has a duration for each attempt, with the error of the failed one")
    func retries() async throws {
        let transport = MockTransport(.status(503), .failure(.networkError(.init(.connectionRefused))), .json("1"))
        let retry = RetryInterceptor(RetryPolicy(maxAttempts: 3, backoff: .constant(.seconds(1))))
        _ = try await client(transport, [retry]).send(Request<Int>.get("x"))
        #expect(
            Set(requests.map { dimensions($0)["martlet.outcome"] ?? "" + (dimensions($0)["error.type"] ?? "") })
                == ["5xx", "network", "2xx"])
        #expect(Set(requests.map { dimensions($0)["error.type"] }) == ["503", "connectionRefused", nil])
        #expect(calls.count == 1 && calls[0].values == [2_000_000_000] && dimensions(calls[0])["martlet.outcome"] == "2xx")
    }

    @Test("A call whose response can't be decoded has failed, although its request succeeded")
    func decoding() async throws {
        _ = await client(MockTransport(.json("{"))).result(of: Request<Int>.get("x"))
        #expect(requests.map { dimensions($0)["error.type"] } == [nil])
        #expect(calls.map { dimensions($0)["error.type"] } == ["decodingFailed"])
        #expect(calls.map { dimensions($0)["martlet.outcome"] } == ["decoding"])
        #expect(calls.map { dimensions($0)["http.response.status_code"] } == ["200"])
    }

    @Test("Sizes of bodies are recorded in bytes")
    func sizes() async throws {
        let client = client(MockTransport(.json(#"{"id":1}"#), .stream("abc", "de")))
        struct Bird: Codable, Sendable { let id: Int }
        _ = try await client.send(Request<Bird>.post("birds", body: .json(Bird(id: 1))))
        _ = try await client.stream(Request<Data>.get("song")).body.collect()
        let sent = metrics.recorders.filter { $0.label == "http.client.request.body.size" }
        let received = metrics.recorders.filter { $0.label == "http.client.response.body.size" }
        #expect(sent.map(\.values) == [[8]])
        #expect(
            Dictionary(uniqueKeysWithValues: received.map { (dimensions($0)["url.template"], $0.values) }) == ["/birds": [8], "/song": [5]])
    }

    @Test("A request is active until it ends, a streamed one until its body ends")
    func active() async throws {
        let stream = try await client(MockTransport(.stream("abc", "de"))).stream(Request<Data>.get("song"))
        let meter = try #require(metrics.meters.first { $0.label == "http.client.active_requests" })
        #expect(meter.lastValue == 1)
        _ = try await stream.body.collect()
        #expect(meter.lastValue == 0 && metrics.meters.count == 1)
    }

    @Test("A cancelled call leaves no active request and counts its request as cancelled")
    func cancelled() async throws {
        let transport = MockTransport(.silence)
        let client = client(transport)
        let task = Task { await client.result(of: Request<Int>.get("x")) }
        try await transport.waitForRequests()
        task.cancel()
        _ = await task.value
        #expect(metrics.meters.map(\.lastValue) == [0])
        #expect((requests + calls).map { dimensions($0)["error.type"] } == ["cancelled", "cancelled"])
    }

    @Test("The decisions of a cache are counted")
    func cache() async throws {
        let cache = CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)
        let client = client(MockTransport(.json("1", headers: [.cacheControl: "max-age=60"])), [cache])
        for _ in 0..<2 { _ = try await client.send(Request<Int>.get("x")) }
        let counts = metrics.counters.map { ($0.label, dimensions($0)["martlet.cache.result"] ?? "", $0.totalValue) }
        #expect(counts.sorted { $0.1 < $1.1 }.map(\.1) == ["hit", "miss"] && counts.allSatisfy { $0.2 == 1 })
        #expect(counts.allSatisfy { $0.0 == "martlet.client.cache.requests" } && calls.flatMap(\.values).count == 2 && requests.count == 1)
    }

    @Test("The number of combinations of template and server is bounded, also for servers that redirects name")
    func bounds() async throws {
        let observer = SwiftMetricsObserver(factory: metrics, maxRoutes: 2)
        let transport = MockTransport { request in
            request.url.host == "api.example" ? .status(302, headers: [.location: "https://\(UUID()).example/x"]) : .json("1")
        }
        let client = client(transport, observer: observer)
        for _ in 0..<5 { _ = try await client.send(Request<Int>.get("x")) }
        #expect(Set(requests.map { dimensions($0)["server.address"] ?? "" }).count == 3)
        #expect(requests.contains { dimensions($0)["server.address"] == "_OTHER" && dimensions($0)["url.template"] == "_OTHER" })
    }

    @Test("The number of combinations is bounded without a factory too, if it is a value and if each call has another one", arguments: [true, false])
    func boundsWithoutFactory(isValue: Bool) async throws {
        let others = TestMetrics(), observer = SwiftMetricsObserver(maxRoutes: 2)
        let transport = MockTransport { _ in .status(302, headers: [.location: "https://\(UUID()).example/x"]) }
        let client = client(transport, observer: observer).with { $0.configuration.redirects = .follow(maxRedirects: 1) }
        for number in 0..<6 {
            let metrics = number.isMultiple(of: 2) ? metrics : others
            let factory: any MetricsFactory = isValue ? ValueFactory(metrics: metrics) : metrics
            _ = await withMetricsFactory(factory) { await client.result(of: Request<Int>.get("x")) }
        }
        let timers = (metrics.timers + others.timers).filter { $0.label == "http.client.request.duration" }
        #expect(timers.flatMap(\.values).count == 12)
        #expect(Set(timers.map { dimensions($0)["server.address"] ?? "" }).count == 3)
    }

    /// A factory without an identity, as those of most backends are.
    private struct ValueFactory: MetricsFactory {
        /// The names and dimensions of the handlers that were made.
        final class Made: Sendable {
            let texts = Mutex<[String]>([])
        }

        let metrics: TestMetrics
        let made = Made()

        private func note(_ label: String, _ dimensions: [(String, String)]) { made.texts.withLock { $0.append("\(label) \(dimensions)") } }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            note(label, dimensions)
            return metrics.makeCounter(label: label, dimensions: dimensions)
        }

        func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            note(label, dimensions)
            return metrics.makeMeter(label: label, dimensions: dimensions)
        }

        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
            note(label, dimensions)
            return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            note(label, dimensions)
            return metrics.makeTimer(label: label, dimensions: dimensions)
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyMeter(_ handler: any MeterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    @Test("Each handler is found once")
    func handlers() async throws {
        let factory = ValueFactory(metrics: metrics), observer = SwiftMetricsObserver(factory: factory)
        let cache = CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)
        let client = client(MockTransport { _ in .json("1") }, [cache], observer: observer)
        for _ in 0..<2 { _ = try await client.send(Request<Int>.post("birds", body: .json(1))) }
        let made = factory.made.texts.withLock { $0 }
        #expect(metrics.counters.map(\.totalValue) == [2] && metrics.recorders.map(\.values) == [[1, 1], [1, 1]])
        #expect(Set(made).count == made.count && made.count == 6, "\(made.joined(separator: "\n"))")
    }

    @Test("All values of a metric have the same dimensions, which some backends require")
    func sameDimensions() async throws {
        let client = client(MockTransport(.json("1"), .status(404), .failure(.networkError(.init(.connectionRefused)))))
        for _ in 0..<3 { _ = await client.result(of: Request<Int>.get("x")) }
        _ = await client.with { $0.baseURL = nil }.result(of: Request<Int>(method: "BREW", path: "y"))
        for label in Set(metrics.timers.map(\.label)) {
            #expect(Set(metrics.timers.filter { $0.label == label }.map { $0.dimensions.map(\.0) }).count == 1)
        }
        #expect(calls.contains { dimensions($0)["http.request.method"] == "_OTHER" })
    }

    @Test("Without a factory, that of the task in which the call begins is used, also for its end in another task")
    func taskLocal() async throws {
        let client = client(MockTransport(.stream("abc")), observer: SwiftMetricsObserver())
        let stream = try await withMetricsFactory(metrics) { try await client.stream(Request<Data>.get("x")) }
        _ = try await stream.body.collect()
        #expect(calls.count == 1 && requests.count == 1 && metrics.meters.map(\.lastValue) == [0])
    }

    @Test("A client with the observer twice counts each call once")
    func twice() async throws {
        let observer = SwiftMetricsObserver(factory: metrics)
        let client = client(MockTransport(.json("1"))).with { $0.observers = [observer, observer] }
        _ = try await client.send(Request<Int>.get("x"))
        #expect(calls.flatMap(\.values).count == 1 && requests.flatMap(\.values).count == 1 && metrics.meters.map(\.lastValue) == [0])
    }
}
#endif
