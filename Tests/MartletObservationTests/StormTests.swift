import Foundation
import MartletGraphQL
import MartletObservation
import MartletSystem
import MartletTesting
import Testing

/// Calls of every kind that fail and are cancelled at random moments, seen by every observer.
///
/// `STRESS_STORMS=10 swift test --filter StormTests` runs as many storms as a release needs.
@Suite("Storm of observed calls", .timeLimit(.minutes(5)))
struct StormTests {
    private static let storms = ProcessInfo.processInfo.environment["STRESS_STORMS"].flatMap { UInt64($0) } ?? 2
    /// Keeps the order of the events of each call.
    private final class Order: CallObserver {
        let calls = Locked<[UInt64: [String]]>([:])
        let attempts = Locked(0)

        func observe(_ event: CallEvent, of call: CallInfo) {
            let name =
                switch event {
                case .started: "started"
                case .ended: "ended"
                default: "event"
                }
            if case .attemptStarted = event { attempts.withLock { $0 += 1 } }
            calls.withLock { $0[call.id, default: []].append(name) }
        }

        var running: Int { calls.withLock { $0.values.count { $0.last != "ended" } } }
    }

    private let time = ManualTime(autoAdvances: false)
    private let order = Order(), tracer = CountingTracer(), metrics = PrometheusMetrics()
    private let reports = Locked(0)

    private static func reply(_ number: Int) -> MockReply {
        switch number {
        case 0: .status(503)
        case 1: .status(429, headers: [.retryAfter: "0"])
        case 2: .disconnect
        case 3: .status(302, headers: [.location: "https://other/x"])
        case 4: .stream("[1,", "2]")
        case 5: .status(401)
        case 6: .text("[1,2,3]").disconnecting(afterBodyBytes: 3)
        case 7: .json("{")
        case 8: .json("[1]", headers: [.cacheControl: "max-age=0, stale-while-revalidate=60"])
        case 9: .text("data: {\"data\":{\"n\":1}}\n\n", headers: [.contentType: "text/event-stream"])
        default: .json(#"{"data":{"n":1}}"#)
        }
    }

    private func client(_ random: Locked<SeededGenerator>) -> HTTPClient {
        let transport = MockTransport { [time] _ in
            let (wait, number) = random.withLock { (Int.random(in: 0...30, using: &$0), Int.random(in: 0..<14, using: &$0)) }
            try await time.sleep(for: .milliseconds(wait))
            return Self.reply(number)
        }
        let tracing = TracingObserver(tracer)
        let analytics = AnalyticsObserver { [reports] _ in reports.withLock { $0 += 1 } }
        let resilience = Resilience(
            coalescing: Coalescing(), retry: RetryInterceptor(RetryPolicy(maxAttempts: 3, backoff: .constant(.milliseconds(5)))),
            hedging: Hedging(after: .milliseconds(10), budget: nil), circuitBreaker: nil, rateLimiter: nil,
            concurrencyLimit: ConcurrencyLimit(ConcurrencyLimit.Adaptive(initial: 4), maxWaiting: 50))
        let cache = CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)
        return HTTPClient(
            baseURL: URL(string: "https://h/"), transport: transport,
            interceptors: [tracing.interceptor(), cache] + resilience.list,
            observers: [order, tracing, MetricsObserver(metrics), analytics, LoggingObserver(detail: .bodies) { _ in }, HARObserver()],
            configuration: .init(totalTimeout: .milliseconds(200)), time: time)
    }

    private func call(_ client: HTTPClient, _ number: Int, _ folder: URL) async {
        let graphQL = GraphQLClient(client, configuration: .init(deduplicatesQueries: true, cache: GraphQLDocumentCache()))
        let query = GraphQLOperation<JSONValue>("query N { n }"), path = Path(raw: "\(number % 5)")
        switch number % 9 {
        case 0: _ = try? await client.stream(Request<Data>.get(path)).body.collect()
        case 1: _ = try? await client.stream(Request<Data>.get(path))
        case 2: do { for try await _ in client.events(.get(path)) {} } catch {}
        case 3: do { for try await _ in client.lines(.get(path)) { break } } catch {}
        case 4: _ = try? await client.download(.get(path), to: folder.appendingPathComponent("\(number)"))
        case 5: _ = try? await graphQL.execute(query, options: .init(cachePolicy: .cacheAndNetwork))
        case 6: _ = try? await graphQL.batch(query, GraphQLOperation<JSONValue>("mutation M { n }"))
        case 7: do { for try await _ in graphQL.subscribe(GraphQLOperation<JSONValue>("subscription S { n }")) {} } catch {}
        default: _ = await client.result(of: Request<[Int]>(method: number % 2 == 0 ? .put : .get, path: path))
        }
    }

    @Test(
        "Every call starts first and ends last, once for each observer, and leaves no span or active call", arguments: 0..<StormTests.storms
    )
    func storm(seed: UInt64) async throws {
        let random = Locked(SeededGenerator(seed: seed)), client = client(random), ended = Locked(0)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("storm-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let calls = (0..<180).map { number in
            Task {
                let start = random.withLock { Int.random(in: 0...100, using: &$0) }
                try? await time.sleep(for: .milliseconds(start))
                await call(client, number, folder)
                ended.withLock { $0 += 1 }
            }
        }
        var moments = 0
        while ended.withLock({ $0 }) < calls.count || order.running > 0 {
            time.advance(by: .milliseconds(1))
            for _ in 0..<20 { await Task.yield() }
            moments += 1
            // Event streams and subscriptions reconnect until they are cancelled.
            if moments > 300 || moments % 6 == 0 {
                calls[random.withLock { Int.random(in: 0..<calls.count, using: &$0) }].cancel()
            }
            if moments > 1_000 { for call in calls { call.cancel() } }
        }
        let seen = order.calls.withLock { $0 }
        #expect(seen.count >= 170)
        for events in seen.values {
            #expect(events.first == "started" && events.last == "ended" && events.dropFirst().dropLast().allSatisfy { $0 == "event" })
        }
        #expect(reports.withLock { $0 } == seen.count)
        for _ in 0..<100 where tracer.ended < tracer.started { await Task.yield() }
        #expect(tracer.started == tracer.ended && tracer.started >= seen.count)
        let samples = metrics.text.split(separator: "\n")
        #expect(samples.filter { $0.hasPrefix("http_client_active_calls{") }.allSatisfy { $0.hasSuffix(" 0") })
        func sum(_ name: String) -> Int {
            samples.filter { $0.hasPrefix(name + "{") }.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
        }
        #expect(sum("http_client_calls_total") == seen.count)
        #expect(sum("http_client_attempts_total") == order.attempts.withLock { $0 })
    }
}
