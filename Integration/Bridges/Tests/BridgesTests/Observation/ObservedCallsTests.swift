#if SwiftLog && SwiftMetrics && SwiftTracing
import CoreMetrics
import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import Martlet
import MartletBridges
import MartletGraphQL
import MartletTesting
import MetricsTestKit
import Testing
import Tracing

/// A client whose calls are logged, measured and traced in memory.
struct ObservedClient {
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()
    let handler: InMemoryLogHandler
    let client: HTTPClient

    init(_ transport: MockTransport, detail: LogDetail = .outline, time: ManualTime = ManualTime(), _ interceptors: [any Interceptor] = [])
    {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        self.handler = handler
        let logger = Logger(label: "api") { [handler] _ in handler }, tracing = TracingObserver(tracer, detail: detail)
        let log = LoggingObserver(detail: detail, maxDetailInRelease: detail, to: .logger(logger), logsAttempts: detail > .outline)
        client = HTTPClient(
            baseURL: URL(string: "https://api.example/v1"), transport: transport, interceptors: [tracing.interceptor()] + interceptors,
            observers: [log, SwiftMetricsObserver(factory: metrics), tracing], time: time)
    }

    /// Everything that the backends got, as text.
    var text: String {
        var text = ""
        for entry in handler.entries { dump(entry, to: &text) }
        for span in tracer.finishedSpans {
            text += "\(span.operationName) \(span.attributes) \(span.events) \(span.status as Any)\n"
            for error in span.errors { dump(error, to: &text) }
        }
        for injection in tracer.performedContextInjections { dump(injection.values, to: &text) }
        for metric in metrics.all { text += "\(metric.label) \(metric.dimensions)\n" }
        return text
    }
}

@Suite("Calls in logs, metrics and spans", .timeLimit(.minutes(5)))
struct ObservedCallsTests {
    /// A provider whose second token is the response to a call.
    private struct Tokens: TokenProvider {
        let client: HTTPClient

        func token() async throws -> AccessToken? { AccessToken("first") }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? {
            AccessToken(try await client.send(Request<String>.post("token").named("Refresh")))
        }
    }

    private let observed: ObservedClient
    private let client: HTTPClient

    init() {
        let time = ManualTime(), transport = MockTransport(time: time)
        func reply(_ path: String, _ replies: MockReply...) {
            let delayed = replies.map { $0.delayed(by: .milliseconds(20)) }
            transport.on(.path(path), delayed[0], delayed.last!)
        }
        reply("/v1/retried/7", .status(503), .json("1"))
        reply("/v1/moved", .status(302, headers: [.location: "https://other.example/here"]))
        reply("/here", .json("2"))
        reply("/v1/private", .status(401, headers: ["WWW-Authenticate": "Bearer"]), .json("3"))
        reply("/v1/token", .text("second"))
        reply("/v1/cached", .json("4", headers: [.cacheControl: "public, max-age=60"]))
        reply("/v1/missing", .status(404))
        reply("/v1/broken", .json("{"))
        reply("/v1/down", .failure(.networkError(.init(.connectionRefused))))
        reply("/v1/refused", .failure(.invalidSSLCertificate("expired")))
        let observed = ObservedClient(transport, time: time)
        self.observed = observed
        client = observed.client.with {
            // Other fields of a tracer than those of W3C Trace Context do not follow a redirect to another origin.
            $0.configuration.harmlessFields = [HTTPFieldName(InMemoryTracer.traceIDKey), HTTPFieldName(InMemoryTracer.spanIDKey)]
            $0.interceptors += [
                AuthInterceptor(Tokens(client: observed.client)), CacheInterceptor(store: MemoryCacheStore(), scope: .everyone),
                RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.seconds(1)))),
            ]
        }
    }

    /// Makes a call and returns its trace.
    private func call(_ path: Path, _ name: String) async -> CallTrace {
        let request = Request<Int>.get(path).named(name)
        do { return try await client.response(for: request).trace } catch { return error.trace }
    }

    private func traces() async -> [String: CallTrace] {
        let id = 7
        var traces: [String: CallTrace] = [:]
        traces["Retried"] = await call("retried/\(id)", "Retried")
        traces["Moved"] = await call("moved", "Moved")
        traces["Private"] = await call("private", "Private")
        traces["Cached"] = await call("cached", "Cached")
        traces["Hit"] = await call("cached", "Hit")
        traces["Missing"] = await call("missing", "Missing")
        traces["Broken"] = await call("broken", "Broken")
        traces["Down"] = await call("down", "Down")
        traces["Refused"] = await call("refused", "Refused")
        return traces
    }

    @Test("The spans of calls that fail, retry, redirect, renew a token and hit the cache are the steps of their traces")
    func spans() async throws {
        let traces = await traces(), spans = observed.tracer.finishedSpans
        #expect(spans.filter { $0.kind == .internal }.count == traces.count + 1 && observed.tracer.activeSpans.isEmpty)
        for (name, trace) in traces {
            let call = try #require(spans.first { $0.operationName == name && $0.kind == .internal })
            let attempts = spans.filter { $0.parentSpanID == call.spanID && $0.kind == .client }
            #expect(attempts.count == trace.attempts.count, "\(name)")
            for (span, attempt) in zip(attempts, trace.attempts) {
                let status: Int64? = if case .status(let status)? = attempt.outcome { Int64(status.rawValue) } else { nil }
                #expect(span.attributes.get("http.response.status_code") == status.map { .int64($0) }, "\(name)")
                #expect(span.attributes.get("http.request.resend_count") == (attempt.number > 1 ? .int64(Int64(attempt.number - 1)) : nil))
                let duration = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
                #expect(abs(Double(duration) / 1e9 - (attempt.duration ?? .zero) / .seconds(1)) < 1e-5, "\(name)")
                #expect(attempt.request.headers[HTTPFieldName(InMemoryTracer.spanIDKey)] == span.spanID, "\(name)")
            }
            #expect(call.events.count == trace.steps.count - trace.attempts.count, "\(name): \(call.events.map(\.name))")
        }
        let parent = spans.first { $0.operationName == "Private" }, refresh = spans.first { $0.operationName == "Refresh" }
        #expect(refresh?.parentSpanID == parent?.spanID && refresh?.traceID == parent?.traceID)
    }

    @Test("The outcome in the log has the attempts, the status and the level of the trace")
    func log() async throws {
        let traces = await traces()
        let levels: [String: Logger.Level] = ["Missing": .warning, "Broken": .error, "Down": .error, "Refused": .error]
        for (name, trace) in traces {
            let entries = observed.handler.entries.filter { $0.metadata["martlet.endpoint"] == .string(name) && $0.level > .trace }
            let entry = try #require(entries.first)
            #expect(entries.count == 1 && entry.level == levels[name] ?? .debug, "\(name)")
            #expect(entry.metadata["martlet.attempts"].map { "\($0)" } == "\(trace.attempts.count)", "\(name)")
            let status: HTTPStatus? =
                if case .status(let status)? = trace.attempts.last?.outcome { status } else { name == "Hit" ? 200 : nil }
            #expect(entry.metadata["http.response.status_code"].map { "\($0)" } == status.map { "\($0.rawValue)" }, "\(name)")
        }
    }

    @Test("A GraphQL operation with errors fails in the log, the metrics and the spans, without the words of the server")
    func graphQL() async throws {
        let observed = ObservedClient(MockTransport(.json(#"{"errors":[{"message":"ada is unknown"}]}"#)))
        let graphQL = GraphQLClient(observed.client)
        await #expect(throws: GraphQLError.self) { try await graphQL.execute(GraphQLOperation<JSONValue>("query Birds { birds }")) }
        let entry = try #require(observed.handler.entries.last), span = try #require(observed.tracer.finishedSpans.last)
        #expect(entry.level == .error && entry.metadata["error.type"] == "graphQLErrors")
        #expect(entry.metadata["graphql.operation.name"] == "Birds" && entry.metadata["http.response.status_code"].map { "\($0)" } == "200")
        #expect(span.status?.code == .error && span.attributes.get("error.type") == "graphQLErrors")
        let call = try #require(observed.metrics.timers.first { $0.label == "martlet.client.call.duration" })
        let dimensions = Dictionary(uniqueKeysWithValues: call.dimensions)
        #expect(dimensions["martlet.outcome"] == "graphql" && dimensions["graphql.operation.name"] == "Birds")
        #expect(span.attributes.get("graphql.operation.name") == .string("Birds"))
        #expect(span.attributes.get("url.template") == dimensions["url.template"].map { .string($0) })
        #expect(!observed.text.contains("is unknown"))
    }

    @Test("The errors of requests have the same types in metrics and spans")
    func errorTypes() async throws {
        _ = await traces()
        let measured = observed.metrics.timers.filter { $0.label == "http.client.request.duration" }.flatMap { timer in
            timer.values.map { _ in timer.dimensions.first { $0.0 == "error.type" }?.1 ?? "" }
        }
        let traced = observed.tracer.finishedSpans.filter { $0.kind == .client }.map { span in
            if case .string(let type)? = span.attributes.get("error.type") { type } else { "" }
        }
        #expect(measured.sorted() == traced.sorted() && traced.contains("invalidSSLCertificate"))
    }

    @Test("The durations of requests and calls are those of the traces")
    func durations() async throws {
        let traces = await traces(), timers = observed.metrics.timers
        let requests = timers.filter { $0.label == "http.client.request.duration" }.flatMap(\.values)
        let calls = timers.filter { $0.label == "martlet.client.call.duration" }
        // And the refresh.
        #expect(requests.count == traces.values.map(\.attempts.count).reduce(0, +) + 1)
        #expect(calls.flatMap(\.values).count == traces.count + 1)
        #expect(requests.allSatisfy { $0 == 20_000_000 })
        let retried = try #require(calls.first { $0.dimensions.contains { $0 == ("url.template", "/retried/{}") } })
        #expect(retried.values == [1_040_000_000])
        #expect(observed.metrics.meters.allSatisfy { $0.lastValue == 0 })
        #expect(observed.metrics.counters.map(\.totalValue).reduce(0, +) == Int64(traces.values.map(\.cacheStatuses.count).reduce(0, +)))
    }
}
#endif
