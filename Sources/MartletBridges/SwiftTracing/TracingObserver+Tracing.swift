#if SwiftTracing
public import MartletObservation
public import Tracing

extension TracingObserver {
    /// Creates an observer whose spans come from a tracer of swift-distributed-tracing.
    ///
    /// ```swift
    /// let tracing = TracingObserver()
    /// let client = HTTPClient(baseURL: url, interceptors: [tracing.interceptor()], observers: [tracing])
    /// ```
    ///
    /// The span of a call is a child of `ServiceContext.current`, and the span of each attempt is a child of that of its call. The
    /// `interceptor(origins:)` lets the instrument inject the context of each attempt into the fields of its request, and makes the
    /// call's context the current one for calls that interceptors make, such as the refresh of a token.
    ///
    /// Errors are recorded with what the log of a release build says about them (`LogDetail.outline`), or with more if `detail` is more.
    /// The `HTTPError` itself, which contains the response, is not passed to the tracer.
    ///
    /// - Parameters:
    ///   - tracer: The tracer, which is also the instrument. Default: nil, those of `InstrumentationSystem` when a call begins.
    ///   - detail: How much the spans contain, in every build. Default: `.outline`.
    public convenience init(_ tracer: (any Tracing::Tracer)? = nil, detail: LogDetail = .outline) {
        self.init(ForeignTracer(tracer: tracer), detail: detail)
    }
}
#endif
