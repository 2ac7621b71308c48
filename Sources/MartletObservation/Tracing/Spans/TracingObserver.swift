public import MartletClient
internal import MartletHTTP
internal import MartletSystem

/// Describes each call as a span, and each of its attempts as a child of that span.
///
/// ```swift
/// let tracing = TracingObserver(SpanTracer(exporter))
/// let client = HTTPClient(baseURL: url, transport: transport, interceptors: [tracing.interceptor()], observers: [tracing])
/// ```
///
/// The span of a call is of the kind ``SpanKind/internal`` and has the endpoint's name. It ends with the call, after validation, decoding
/// and the body of a stream; waits, redirects, renewed credentials and cache verdicts are its events. The span of an attempt is of the kind
/// ``SpanKind/client``, has the names and attributes of OpenTelemetry's conventions for HTTP clients, and ends with the head of a streamed
/// response. `url.template` is the path below the base URL, such as `/users/{}`.
///
/// Spans contain what logs of a release build contain, `LogDetail.outline`: no paths and queries, no words of a server, and of an error its
/// kind and the path of a value that could not be decoded. With more detail, also `url.full`, notes and explanations, redacted.
///
/// The tracer knows the parent of a call: with ``SpanTracer``, the context in its own `traceparent` field, or else
/// ``TraceContext/current``.
///
/// The observer does not change requests: without its ``interceptor(origins:)``, servers do not learn of the trace.
public final class TracingObserver: CallObserver {
    private let tracer: any Tracer
    private let detail: LogDetail

    /// Creates an observer whose spans come from a tracer.
    ///
    /// - Parameters:
    ///   - tracer: The source of the spans.
    ///   - detail: How much the spans contain, in every build. With `LogDetail.basic` or more, they may contain personal data: the URL
    ///     (`url.full`) and the explanations of errors. Fields and bodies are in no span. Default: `.outline`.
    public init(_ tracer: any Tracer, detail: LogDetail = .outline) {
        self.tracer = tracer
        self.detail = detail
    }

    /// Returns an interceptor that passes the span of each attempt on to the server, in the fields that its context writes: with
    /// ``SpanTracer``, `traceparent` and `tracestate` (W3C Trace Context).
    ///
    /// The observer must be among the client's observers. The interceptor writes the fields just before the transport gets the request, so
    /// each retry, hop of a redirect and revalidation has its own. A client without the observer passes on the parent of the call. Its
    /// place in the chain matters only to calls that other interceptors make, such as the refresh of a token: those made by interceptors
    /// inside of it are children of the call, so it is best the first.
    ///
    /// A request that already has one of the fields is sent unchanged. If `traceparent` was set before the call began, the call's spans are
    /// children of that span.
    ///
    /// Like OpenTelemetry's instrumentations of HTTP clients, it writes the fields for every origin by default. With ``SpanTracer``, they
    /// contain random identifiers, and what a caller has put in `tracestate`. The context of another tracer may contain values of the app,
    /// such as W3C `baggage`. An origin that a server has named, as in a redirect, gets only `traceparent`, `tracestate` and the
    /// `harmlessFields` of the client's configuration. Name the origins of your own servers to send all fields to them and none to others;
    /// spans are recorded anyway.
    ///
    /// - Parameter origins: The origins that receive the fields. Default: nil, every origin.
    public func interceptor(origins: [Origin]? = nil) -> some Interceptor { TracingInterceptor(observer: self, origins: origins) }

    /// Starts, describes and ends spans.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        switch event {
        case .started(let request):
            // A client may have this observer twice.
            if spans(of: call) == nil { call.keep(CallSpans(call, request, tracer, detail), of: self) }
        case .attemptStarted(let number, let request): spans(of: call)?.attemptStarted(number, request)
        case .step(let step): spans(of: call)?.add(step)
        case .ended(let outcome, let duration): (call.endState(of: self) as? CallSpans)?.end(outcome, after: duration)
        default: break
        }
    }

    /// Returns the spans of a running call.
    func spans(of call: CallInfo) -> CallSpans? { call.state(of: self) as? CallSpans }

    /// Returns the context that the tracer finds for a request, or nil if there is none.
    func parent(of request: HTTPRequest) -> (any SpanContext)? { tracer.parent(of: request) }
}

/// Writes the fields of the spans of an observer.
struct TracingInterceptor: Interceptor, CredentialAddingInterceptor {
    let observer: TracingObserver
    let origins: [Origin]?

    var endsByDeadline: Bool { true }

    /// Sends the request with the fields of its trace.
    func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        let spans = request.context.observedCall.flatMap { observer.spans(of: $0.info) }
        guard let context = spans?.context ?? observer.parent(of: request) else { return try await next(request) }
        let exchange = TracingExchange(spans: spans, context: context, origins: origins)
        guard spans != nil else { return try await next(exchange.joining(request, before: next)) }
        return try await context.withCurrent { try await next(exchange.joining(request, before: next)) }
    }
}

/// Writes the fields of one exchange.
private struct TracingExchange: ExchangeObserver {
    let spans: CallSpans?
    let context: any SpanContext
    let origins: [Origin]?

    /// Returns a request whose exchanges get the fields.
    func joining(_ request: HTTPRequest, before next: Next) -> HTTPRequest {
        // The only exchange is the next step. An observer of it, which the context carries, would take 5,500 instructions.
        if next.isExchange { return self.request(for: request) }
        var request = request
        request.context.exchangeObservers.append(self)
        return request
    }

    func request(for request: HTTPRequest) -> HTTPRequest {
        let isNamed = origins != nil
        guard origins.map({ request.origin.map($0.contains) ?? false }) ?? true else { return request }
        // No observer sees the exchange of a request that has left its call, as when a cache revalidates in the background.
        let call = request.context.record?.notify == nil ? nil : spans
        var request = request
        request.headers.addMissing(call?.prepareAttempt(request, isNamed: isNamed) ?? context.fields(for: request, isNamed: isNamed))
        return request
    }

    func received(_ fields: HTTPFields, for request: HTTPRequest) {}
}
