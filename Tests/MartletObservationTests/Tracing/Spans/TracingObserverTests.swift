import Foundation
import MartletObservation
import MartletResilience
import MartletSystem
import MartletTesting
import Testing

@testable import MartletHTTP

@Suite("TracingObserver", .timeLimit(.minutes(5)))
struct TracingObserverTests {
    private let spans = SpanCollection()
    private let time = ManualTime()
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func client(
        _ transport: MockTransport, _ interceptors: [any Interceptor] = [], sampler: TraceSampler = .parentBased(),
        origins: [Origin]? = nil, detail: LogDetail = .outline
    ) -> HTTPClient {
        let tracing = TracingObserver(SpanTracer(sampler: sampler, random: SeededRandom(seed: 1), export: spans.export), detail: detail)
        return HTTPClient(
            baseURL: URL(string: "https://h/v1"), transport: transport,
            interceptors: [tracing.interceptor(origins: origins)] + interceptors,
            observers: [tracing], time: time)
    }

    private func context(_ request: HTTPRequest?) -> TraceContext? { request.flatMap { TraceContext(headers: $0.headers) } }

    @Test("A call is a span with a child for each attempt, whose identifier the server gets")
    func attempts() async throws {
        let transport = MockTransport(.status(503), .json("1"))
        let policy = RetryPolicy(backoff: .constant(.seconds(1)))
        let id = 7
        _ = try await client(transport, [RetryInterceptor(policy)]).send(Request<Int>.get("users/\(id)").named("GetUser"))

        let call = try #require(spans.calls.first), attempts = spans.attempts
        #expect(spans.spans.count == 3 && attempts.count == 2)
        #expect(call.name == "GetUser" && call.parentID == nil && call.failure == nil)
        #expect(call.attributes["http.response.status_code"] == 200 && call.attributes["error.type"] == nil)
        #expect(attempts.allSatisfy { $0.parentID == call.context.spanID && $0.name == "GET /users/{}" })
        #expect(attempts.allSatisfy { $0.context.traceID == call.context.traceID })
        #expect(transport.requests.map { context($0)?.traceparent } == attempts.map(\.context.traceparent))
        #expect(attempts[0].attributes["http.response.status_code"] == 503 && attempts[0].attributes["error.type"] == "503")
        #expect(attempts[0].failure == "" && attempts[0].attributes["http.request.resend_count"] == nil)
        #expect(attempts[1].failure == nil && attempts[1].attributes["http.request.resend_count"] == 1)
        #expect(attempts[1].attributes["server.address"] == "h" && attempts[1].attributes["server.port"] == 443)
        #expect(attempts[1].attributes["url.full"] == nil && attempts[1].attributes["url.template"] == "/users/{}")
        #expect(attempts[1].attributes["http.request.method"] == "GET")
        #expect(call.events.first?.name == "martlet.retry" && call.events.first?.attributes["martlet.wait"] == 1.0)
        #expect(attempts[1].start.timeIntervalSince(call.start) == 1 && call.end == attempts[1].end)
        #expect(call.events.first?.date == attempts[0].end)
    }

    @Test("A call whose decoding fails is a failed span although its attempt succeeded")
    func decoding() async throws {
        _ = await client(MockTransport(.json("[]"))).result(of: Request<Int>.get("x"))
        #expect(spans.attempts.first?.failure == nil)
        let call = try #require(spans.calls.first)
        #expect(call.attributes["error.type"] == "decodingFailed" && call.attributes["http.response.status_code"] == 200)
        #expect(call.failure?.isEmpty == false)
    }

    /// Everything in the spans of a call with personal data in its URL, its redirect, its body and its errors.
    private func personalSpans(_ detail: LogDetail) async throws -> String {
        struct Failing: TokenProvider {
            func token() async throws -> AccessToken? { AccessToken("t") }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { throw HTTPError.invalidResponse("ada says no") }
        }
        let user = "ada"
        let redirect = MockReply.status(302, headers: [.location: "https://b.example/ada?mail=ada%40example.com"])
        let transport = MockTransport(
            redirect, .json(#"{"id":"ada"}"#), .failure(.invalidURL("ada")), .status(401, headers: ["WWW-Authenticate": "Bearer"]))
        let client = client(transport, [AuthInterceptor(Failing(), origins: ["https://h"])], detail: detail)
        struct User: Decodable, Sendable { let id: Int }
        let request = Request<User>.get("users/\(user)", query: ["mail": "ada@example.com"])
        for _ in 0..<3 { _ = await client.result(of: request) }
        return spans.spans.map { "\($0.name) \($0.attributes) \($0.events) \($0.failure ?? "")" }.joined(separator: "\n")
    }

    @Test("Spans have what the log of a release build has: templates, kinds of errors and coding paths, and no words of the server")
    func outline() async throws {
        let text = try await personalSpans(.outline)
        #expect(!text.contains("ada") && !text.contains("url.full"))
        #expect(text.contains("/users/{}") && text.contains("b.example"))
        #expect(spans.calls.first?.failure == "Decoding failed at id" && spans.calls.first?.attributes["error.type"] == "decodingFailed")
        #expect(spans.calls.map { $0.events.map(\.name) }.joined().contains("martlet.credential_not_renewed"))
    }

    @Test("With more detail, spans also have URLs and explanations")
    func detailed() async throws {
        let text = try await personalSpans(.basic)
        #expect(text.contains("https://b.example/ada?mail=ada%40example.com") && text.contains("ada says no"))
        #expect(spans.calls.first?.failure?.contains(#"body: {"id":"ada"}"#) == true)
    }

    @Test("The spans of redirects to long URLs cost no masking")
    func cost() async throws {
        let query = String(repeating: "value:", count: 1_300)
        let replies = (0..<20).map { MockReply.status(302, headers: [.location: "/\($0)?\(query)"]) } + [.json("1")]
        let client = client(MockTransport(replies: replies)), counter = MaskingSteps()
        _ = try await MaskingSteps.$counter.withValue(counter) { try await client.send(Request<Int>.get("x")) }
        #expect(spans.attempts.count == 21 && counter.count < 1_000)
    }

    @Test("A network failure names its kind, and a request that can't be created is a span without attempts")
    func failures() async throws {
        _ = await client(MockTransport(.failure(.networkError(.init(.connectionRefused))))).result(of: Request<Int>.get("x"))
        #expect(spans.spans.map { $0.attributes["error.type"] } == ["connectionRefused", "connectionRefused"])
        _ = await client(MockTransport()).with { $0.baseURL = nil }.result(of: Request<Int>.get("x"))
        #expect(spans.spans.count == 3 && spans.calls.last?.attributes["error.type"] == "invalidURL")
        #expect(spans.calls.last?.attributes["http.request.method"] == "GET" && spans.calls.last?.attributes["url.template"] == "/x")
        _ = await client(MockTransport()).result(of: Request<Int>.get("x").header("Upgrade", "x"))
        let refused = try #require(spans.calls.last).attributes
        #expect(spans.spans.count == 4 && refused["error.type"] == "invalidRequest")
        #expect(refused["http.request.method"] == "GET" && refused["server.address"] == "h" && refused["url.template"] == "/x")
    }

    @Test("An attempt that ends with another error has the name of its case, like its call")
    func otherFailures() async throws {
        for (error, name) in [(HTTPError.invalidSSLCertificate("x"), "invalidSSLCertificate"), (.invalidResponse("x"), "invalidResponse")] {
            _ = await client(MockTransport(.failure(error))).result(of: Request<Int>.get("x"))
            #expect(spans.attempts.last?.attributes["error.type"] == .string(name))
            #expect(spans.calls.last?.attributes["error.type"] == .string(name))
        }
    }

    @Test("A note is an event with its text, and an outline has no event without one")
    func notes() async throws {
        let noting = Noting("the circuit of ada is open")
        _ = try await client(MockTransport(.json("1")), [noting]).send(Request<Int>.get("x"))
        #expect(spans.calls.last?.events.isEmpty == true)
        _ = try await client(MockTransport(.json("1")), [noting], detail: .basic).send(Request<Int>.get("x"))
        #expect(spans.calls.last?.events.map(\.attributes) == [["martlet.note": "the circuit of ada is open"]])
        _ = try await client(MockTransport(.json("1")), [Noting("GraphQL errors beside data: ada")]).send(Request<Int>.get("x"))
        #expect(spans.calls.last?.events.map(\.attributes) == [["martlet.note": "GraphQL errors beside data"]])
    }

    @Test("The status of a response whose body can't be used is that of the call")
    func unusable() async throws {
        _ = await client(MockTransport(.status(200))).result(of: Request<[Int]>.get("x"))
        #expect(spans.calls.last?.attributes["error.type"] == "noData" && spans.calls.last?.attributes["http.response.status_code"] == 200)
        _ = await client(MockTransport(.status(503), .failure(.timeout)), [RetryInterceptor(RetryPolicy(maxAttempts: 2), time: time)])
            .result(of: Request<Int>.get("x"))
        #expect(spans.calls.last?.attributes["error.type"] == "timeout")
        #expect(spans.calls.last?.attributes["http.response.status_code"] == nil)
    }

    /// Notes a decision of each request.
    private struct Noting: Interceptor {
        let text: String
        init(_ text: String) { self.text = text }
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            request.context.record?.note(text)
            return try await next(request)
        }
    }

    @Test("The parent is the context of the task")
    func taskLocal() async throws {
        let parent = try #require(TraceContext(headers: ["traceparent": Self.parent, "tracestate": "a=1"]))
        let transport = MockTransport(.json("1"))
        let client = client(transport)
        _ = try await TraceContext.$current.withValue(parent) { try await client.send(Request<Int>.get("x")) }
        #expect(spans.calls.first?.parentID == parent.spanID)
        let sent = try #require(context(transport.requests.first))
        #expect(sent.traceID == parent.traceID && sent.spanID == spans.attempts.first?.context.spanID)
        #expect(sent.stateKeys == parent.stateKeys && sent.isSampled)
    }

    @Test("A field set by hand is sent unchanged and is the parent")
    func byHand() async throws {
        let transport = MockTransport(.json("1"))
        _ = try await client(transport).send(Request<Int>.get("x").header(.traceparent, Self.parent))
        #expect(transport.requests.first?.headers[.traceparent] == Self.parent)
        #expect(spans.calls.first?.parentID == SpanID("00f067aa0ba902b7"))
        #expect(spans.attempts.count == 1 && spans.attempts[0].parentID == spans.calls[0].context.spanID)
    }

    @Test("A trace that is not sampled is passed on and not recorded")
    func unsampled() async throws {
        let transport = MockTransport(.json("1"))
        _ = try await client(transport, sampler: .parentBased(root: .never)).send(Request<Int>.get("x"))
        #expect(context(transport.requests.first)?.isSampled == false)
        #expect(spans.spans.isEmpty)
    }

    @Test("Only the named origins receive the fields, and each hop of a redirect has its own span")
    func origins() async throws {
        let transport = MockTransport(.status(302, headers: ["Location": "https://other/x?token=secret"]), .json("1"))
        _ = try await client(transport, origins: ["https://h"]).send(Request<Int>.get("x"))
        #expect(transport.requests.map { $0.headers.contains(.traceparent) } == [true, false])
        #expect(spans.attempts.map { $0.attributes["server.address"] } == ["h", "other"])
        #expect(spans.calls.first?.events.map(\.name) == ["martlet.redirect"])
        #expect(!"\(spans.spans)".contains("secret"))
    }

    @Test("Without the observer, the interceptor passes on the context of the task")
    func withoutObserver() async throws {
        let parent = try #require(TraceContext(headers: ["traceparent": Self.parent]))
        let transport = MockTransport(.json("1"), .json("1"))
        let client = client(transport).with { $0.observers = [] }
        _ = try await TraceContext.$current.withValue(parent) { try await client.send(Request<Int>.get("x")) }
        _ = try await client.send(Request<Int>.get("x"))
        #expect(transport.requests.map { $0.headers[.traceparent] } == [Self.parent, nil])
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
        let transport = MockTransport(.json("1"), .json("2"))
        let tokens = client(transport)
        let client = tokens.with { $0.interceptors.append(Refresh(client: tokens)) }
        _ = try await client.send(Request<Int>.get("x").named("Get"))
        let outer = try #require(spans.calls.first { $0.name == "Get" }), inner = try #require(spans.calls.first { $0.name == "Refresh" })
        #expect(inner.parentID == outer.context.spanID && inner.context.traceID == outer.context.traceID)
        #expect(outer.parentID == nil)
    }

    @Test("A cancelled call ends all its spans")
    func cancelled() async throws {
        let transport = MockTransport(.silence)
        let client = client(transport)
        let task = Task { await client.result(of: Request<Int>.get("x")) }
        try await transport.waitForRequests()
        task.cancel()
        _ = await task.value
        #expect(spans.spans.count == 2 && spans.spans.allSatisfy { $0.attributes["error.type"] == "cancelled" && $0.failure != nil })
    }

    @Test(
        "The secrets of signed URLs are not in a span, also with more detail",
        arguments: ["AWSAccessKeyId", "Signature", "sig", "X-Goog-Signature", "X-Amz-Signature"])
    func signedURL(name: String) async throws {
        let url = URL(string: "https://h/file?color=blue&\(name)=s3cret&x=1")!
        _ = try await client(MockTransport(.json("1")), detail: .basic).send(Request<Int>.get(url: url))
        #expect(spans.spans.count == 2 && !"\(spans.spans)".contains("s3cret") && "\(spans.spans)".contains("\(name)="))
        #expect(spans.attempts.first?.name == "GET" && spans.attempts.first?.attributes["url.template"] == nil)
    }

    @Test("An unknown method has the name HTTP")
    func method() async throws {
        _ = try await client(MockTransport(.json("1"))).send(Request<Int>(method: "BREW", path: "x"))
        #expect(spans.attempts.first?.name == "HTTP /x" && spans.attempts.first?.attributes["http.request.method"] == "_OTHER")
        #expect(spans.attempts.first?.attributes["http.request.method_original"] == "BREW")
    }

    /// Holds a stored response back until the cache has sent a request for a new one.
    private struct Delay: Interceptor {
        let transport: MockTransport

        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            let response = try await next(request)
            if response.metadata.cacheStatus?.isFromCache == true { try await transport.waitForRequests(2) }
            return response
        }
    }

    @Test("The revalidation of a stale response in the background is not an attempt of the call, nor a failure")
    func revalidation() async throws {
        let transport = MockTransport { _ in .json("1", headers: [.cacheControl: "max-age=0, stale-while-revalidate=60"]) }
        let cache = CacheInterceptor(store: MemoryCacheStore(), scope: .everyone)
        let client = client(transport, [Delay(transport: transport), cache])
        _ = try await client.send(Request<Int>.get("x"))
        _ = try await client.send(Request<Int>.get("x"))
        #expect(spans.attempts.count == 1 && spans.calls.count == 2)
        #expect(spans.spans.allSatisfy { $0.failure == nil && $0.attributes["error.type"] == nil })
        // The server still learns of the trace.
        let trace = spans.calls.map(\.context.traceID)
        #expect(context(transport.requests[1])?.traceID == trace.last)
    }

    /// A tracer whose contexts have a field of their own.
    private struct NumberTracer: Tracer {
        struct Context: SpanContext {
            @TaskLocal static var current: Context?

            let path: String

            func write(to headers: inout HTTPFields) { headers["x-path"] = path }

            func withCurrent<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value {
                try await Context.$current.withValue(self) { try await operation() }
            }
        }

        struct Span: TraceSpan {
            let context: any SpanContext
            func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)]) {}
            func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {}
            func fail(_ description: String) {}
            func end(at date: Date) {}
        }

        let count = Locked(0)

        func parent(of request: HTTPRequest?) -> (any SpanContext)? { Context.current }

        func startSpan(
            _ name: String, kind: SpanKind, parent: (any SpanContext)?, attributes: @autoclosure () -> [(key: String, value: SpanValue)],
            start: Date
        ) -> any TraceSpan {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Span(context: Context(path: ((parent as? Context)?.path ?? "") + "/\(number)"))
        }
    }

    @Test("A tracer chooses the parent of a call, the context of its task, and the fields that a server gets")
    func foreignContexts() async throws {
        let tracing = TracingObserver(NumberTracer()), transport = MockTransport(.json("1"), .json("1"), .json("1"))
        let tokens = HTTPClient(
            baseURL: URL(string: "https://h"), transport: transport, interceptors: [tracing.interceptor()], observers: [tracing])
        let client = tokens.with { $0.interceptors.append(Refresh(client: tokens)) }
        _ = try await client.send(Request<Int>.get("x"))
        // The call is 1. The call of its interceptor is 2, with the attempt 3. The attempt of the call is 4.
        #expect(transport.requests.map { $0.headers["x-path"] } == ["/1/2/3", "/1/4"])
        _ = try await tokens.send(Request<Int>.get("x").header("x-path", "mine"))
        #expect(transport.requests.last?.headers["x-path"] == "mine")
    }

    @Test("A field that is not known to be harmless follows a redirect to another origin only by the app's choice")
    func redirectedContexts() async throws {
        func paths(origins: [Origin]? = nil, harmless: Set<HTTPFieldName> = []) async throws -> [String?] {
            let tracing = TracingObserver(NumberTracer())
            let transport = MockTransport(.status(302, headers: [.location: "https://other/x"]), .json("1"))
            let client = HTTPClient(
                baseURL: URL(string: "https://h"), transport: transport, interceptors: [tracing.interceptor(origins: origins)],
                observers: [tracing], configuration: .init(harmlessFields: harmless))
            _ = try await client.send(Request<Int>.get("x"))
            return transport.requests.map { $0.headers["x-path"] }
        }
        #expect(try await paths() == ["/1/2", nil])
        #expect(try await paths(origins: ["https://h", "https://other"]) == ["/1/2", "/1/3"])
        #expect(try await paths(harmless: ["x-path"]) == ["/1/2", "/1/3"])
    }

    @Test("A client with the observer twice has one span for each call")
    func twice() async throws {
        let tracer = CountingTracer()
        let tracing = TracingObserver(tracer)
        let client = client(MockTransport(.json("1"))).with {
            $0.observers = [tracing, tracing]
            $0.interceptors = [tracing.interceptor()]
        }
        _ = try await client.send(Request<Int>.get("x"))
        #expect(tracer.started == 2 && tracer.ended == 2)
    }

    @Test("A share of the traces is chosen by their identifiers")
    func ratio() throws {
        let sampler = TraceSampler.parentBased(root: .ratio(0.25))
        let random = SeededRandom(seed: 3)
        var count = 0
        for _ in 0..<4000 {
            let collection = SpanCollection()
            let span = SpanTracer(sampler: sampler, random: random, export: collection.export)
                .startSpan("x", kind: .internal, parent: nil, attributes: [], start: time.now)
            span.end(at: time.now)
            span.end(at: time.now)
            let context = try #require(span.context as? TraceContext)
            #expect(collection.spans.count == (context.isSampled ? 1 : 0))
            count += collection.spans.count
        }
        #expect((900...1100).contains(count))
    }
}
