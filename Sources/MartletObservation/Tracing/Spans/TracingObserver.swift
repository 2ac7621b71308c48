public import MartletClient
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
/// kind and the path of a value that could not be decoded. With more detail, also `url.full` and explanations, redacted.
///
/// The parent of a call is the context in its own `traceparent` field, or else ``TraceContext/current``.
///
/// The observer does not change requests: without its ``interceptor(origins:)``, servers do not learn of the trace.
public final class TracingObserver: CallObserver {
    private let tracer: any Tracer
    private let detail: LogDetail
    private let calls = Locked<[UInt64: CallSpans]>([:])

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

    /// Returns the interceptor that passes the spans on in requests. See ``TracingInterceptor``.
    ///
    /// - Parameter origins: The origins that receive the fields. Default: nil, every origin.
    public func interceptor(origins: [Origin]? = nil) -> TracingInterceptor { TracingInterceptor(self, origins: origins) }

    /// Starts, describes and ends spans.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        switch event {
        case .started(let request):
            // A client may have this observer twice.
            guard spans(of: call.id) == nil else { return }
            let spans = CallSpans(call, request, tracer, detail)
            calls.withLock { $0[call.id] = spans }
        case .attemptStarted(let number, let request): spans(of: call.id)?.attemptStarted(number, request)
        case .step(let step): spans(of: call.id)?.add(step)
        case .ended(let outcome, let duration): calls.withLock { $0.removeValue(forKey: call.id) }?.end(outcome, after: duration)
        default: break
        }
    }

    /// Returns the spans of a running call.
    func spans(of call: UInt64) -> CallSpans? { calls.withLock { $0[call] } }
}
