#if SwiftTracing
import Foundation
import InMemoryTracing
import Martlet
import MartletBridges
import MartletTesting
import Testing
import Tracing

@Suite("Spans of calls over swift-distributed-tracing", .timeLimit(.minutes(5)))
struct TracingBridgeTests {
    private let tracer = InMemoryTracer()
    private let time = ManualTime()

    private func client(
        _ transport: MockTransport, _ interceptors: [any Interceptor] = [], origins: [Origin]? = nil, detail: LogDetail = .outline
    ) -> HTTPClient {
        let tracing = TracingObserver(tracer, detail: detail)
        return HTTPClient(
            baseURL: URL(string: "https://h/v1"), transport: transport,
            interceptors: [tracing.interceptor(origins: origins)] + interceptors,
            observers: [tracing], time: time)
    }

    private var calls: [FinishedInMemorySpan] { tracer.finishedSpans.filter { $0.kind == .internal } }
    private var attempts: [FinishedInMemorySpan] { tracer.finishedSpans.filter { $0.kind == .client } }

    private func injected(_ request: HTTPRequest?) -> String? { request?.headers[HTTPFieldName(InMemoryTracer.spanIDKey)] }

    @Test("A call is a child of the task's context, and each attempt is a child of the call whose context the server gets")
    func attemptSpans() async throws {
        let transport = MockTransport(.status(503), .json("1"))
        let client = client(transport, [RetryInterceptor(RetryPolicy(backoff: .constant(.seconds(1))))])
        let id = 7
        try await tracer.withSpan("handler") { _ in
            _ = try await client.send(Request<Int>.get("users/\(id)").named("GetUser"))
        }
        let handler = try #require(tracer.finishedSpans.last), call = try #require(calls.first)
        #expect(call.operationName == "GetUser" && call.parentSpanID == handler.spanID && call.status == nil && call.errors.isEmpty)
        #expect(attempts.count == 2 && attempts.allSatisfy { $0.parentSpanID == call.spanID && $0.operationName == "GET /users/{}" })
        #expect(transport.requests.map(injected) == attempts.map(\.spanID))
        #expect(attempts[0].attributes.get("http.response.status_code") == .int64(503))
        #expect(attempts[0].attributes.get("error.type") == .string("503") && attempts[0].status?.code == .error)
        #expect(attempts[0].errors.isEmpty && attempts[1].status == nil)
        #expect(attempts[1].attributes.get("http.request.resend_count") == .int64(1))
        #expect(attempts[1].attributes.get("server.port") == .int64(443))
        #expect(call.events.map(\.name) == ["martlet.retry"])
        #expect(call.endInstant.nanosecondsSinceEpoch - call.startInstant.nanosecondsSinceEpoch == 1_000_000_000)
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("Without a context, a call begins a trace")
    func root() async throws {
        _ = try await client(MockTransport(.json("1"))).send(Request<Int>.get("x"))
        #expect(calls.count == 1 && calls[0].parentSpanID == nil && attempts[0].traceID == calls[0].traceID)
    }

    @Test("The error of a call is recorded without its response")
    func errors() async throws {
        let client = client(MockTransport(.json(#"{"id":"ada"}"#), .failure(.networkError(.init(.connectionRefused))), .status(404)))
        struct Bird: Decodable, Sendable { let id: Int }
        for _ in 0..<3 { _ = await client.result(of: Request<Bird>.get("x")) }
        #expect(
            calls.map { "\($0.errors.map { $0.error })" } == ["[Decoding failed at id]", "[Network error: connectionRefused]", "[404]"])
        #expect(calls.map { $0.errors.first?.attributes.get("exception.type") } == ["decodingFailed", "connectionRefused", "404"])
        #expect(calls.allSatisfy { $0.status?.code == .error })
        #expect(attempts.map { $0.errors.count } == [0, 1, 0])
    }

    @Test("The span of a stream ends when its body ends")
    func stream() async throws {
        let stream = try await client(MockTransport(.stream("a", "b"))).stream(Request<Data>.get("x"))
        #expect(calls.isEmpty && attempts.count == 1)
        _ = try await stream.body.collect()
        #expect(calls.count == 1 && calls[0].status == nil && tracer.activeSpans.isEmpty)
    }

    @Test("A stream that is dropped ends its span as cancelled")
    func droppedStream() async throws {
        _ = try await client(MockTransport(.stream("a", "b"))).stream(Request<Data>.get("x"))
        #expect(calls.first?.attributes.get("error.type") == "cancelled" && tracer.activeSpans.isEmpty)
    }

    @Test("A cancelled call ends all its spans")
    func cancelled() async throws {
        let transport = MockTransport(.silence)
        let client = client(transport)
        let task = Task { await client.result(of: Request<Int>.get("x")) }
        try await transport.waitForRequests()
        task.cancel()
        _ = await task.value
        #expect(tracer.finishedSpans.count == 2 && tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.allSatisfy { $0.attributes.get("error.type") == "cancelled" && $0.errors.count == 1 })
    }

    @Test("Only the named origins receive the fields")
    func origins() async throws {
        let transport = MockTransport(.status(302, headers: ["Location": "https://other/x"]), .json("1"))
        _ = try await client(transport, origins: ["https://h"]).send(Request<Int>.get("x"))
        #expect(transport.requests.map { injected($0) != nil } == [true, false] && attempts.count == 2)
    }

    @Test("A field set by hand is sent unchanged")
    func byHand() async throws {
        let transport = MockTransport(.json("1"))
        _ = try await client(transport).send(Request<Int>.get("x").header(HTTPFieldName(InMemoryTracer.spanIDKey), "mine"))
        #expect(transport.requests.first?.headers[HTTPFieldName(InMemoryTracer.traceIDKey)] == nil)
        #expect(injected(transport.requests.first) == "mine" && attempts.count == 1 && calls.count == 1)
    }

    private struct Refresh: Interceptor {
        let client: HTTPClient

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            _ = try await client.send(Request<Int>.post("token").named("Refresh"))
            return try await next(request)
        }
    }

    @Test("A call that an interceptor makes is a child of the call that it serves")
    func nested() async throws {
        let tokens = client(MockTransport(.json("1"), .json("2")))
        let client = tokens.with { $0.interceptors.append(Refresh(client: tokens)) }
        _ = try await client.send(Request<Int>.get("x").named("Get"))
        let outer = try #require(calls.first { $0.operationName == "Get" })
        #expect(calls.first { $0.operationName == "Refresh" }?.parentSpanID == outer.spanID && outer.parentSpanID == nil)
    }

    /// A tracer that injects other fields, such as values of the app or of another process.
    private struct BaggageTracer: Tracing::Tracer {
        let tracer: InMemoryTracer
        let fields: [String: String]

        func startSpan<Instant: TracerInstant>(
            _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: Tracing::SpanKind,
            at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
        ) -> InMemorySpan {
            tracer.startSpan(
                operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
        }

        func forceFlush() {}

        func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
        where Extract.Carrier == Carrier {}

        func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
        where Inject.Carrier == Carrier {
            for (name, value) in fields { injector.inject(value, forKey: name, into: &carrier) }
        }
    }

    @Test("A value that can't be sent is left out, and the call succeeds")
    func invalidValue() async throws {
        let injecting = BaggageTracer(tracer: tracer, fields: ["baggage": "a\r\nX-Evil: 1", "x-fine": "fine"])
        let transport = MockTransport(.json("1")), tracing = TracingObserver(injecting)
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: transport, interceptors: [tracing.interceptor()], observers: [tracing])
        _ = try await client.send(Request<Int>.get("x"))
        #expect(transport.requests.first?.headers["x-fine"] == "fine" && transport.requests.first?.headers["baggage"] == nil)
        #expect(attempts.count == 1)
    }

    @Test("An instrument's values for the service do not follow a redirect to another origin")
    func redirectedBaggage() async throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let tracing = TracingObserver(BaggageTracer(tracer: tracer, fields: ["traceparent": parent, "baggage": "user=42"]))
        let transport = MockTransport(.status(302, headers: [.location: "https://other/x"]), .json("1"))
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: transport, interceptors: [tracing.interceptor()], observers: [tracing])
        _ = try await client.send(Request<Int>.get("x"))
        #expect(transport.requests.map { $0.headers["baggage"] } == ["user=42", nil])
        #expect(transport.requests.map { $0.headers["traceparent"] } == [parent, parent])
        #expect(attempts.map { $0.attributes.get("http.response.status_code") } == [.int64(302), .int64(200)])
    }

    @Test("Without a tracer of the process, calls work and have no spans")
    func notBootstrapped() async throws {
        let tracing = TracingObserver(), transport = MockTransport(.json("1"))
        let client = HTTPClient(
            baseURL: URL(string: "https://h"), transport: transport, interceptors: [tracing.interceptor()], observers: [tracing])
        #expect(try await client.send(Request<Int>.get("x")) == 1)
    }
}
#endif
