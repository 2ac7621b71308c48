public import MartletClient
internal import MartletHTTP

/// Passes the span of each attempt on to the server, in the fields `traceparent` and `tracestate` (W3C Trace Context).
///
/// Create it with ``TracingObserver/interceptor(origins:)``, whose observer must be among the client's observers. It writes the fields just
/// before the transport gets the request, so each retry, hop of a redirect and revalidation has its own. A client without the observer
/// passes on ``TraceContext/current``. Its place in the chain matters only to calls that other interceptors make, such as the refresh of a
/// token: those made by interceptors inside of it are children of the call, so it is best the first.
///
/// A request that already has a `traceparent` is sent unchanged. If the field was set before the call began, the call's spans are children
/// of that span.
///
/// Like OpenTelemetry's instrumentations of HTTP clients, it writes the fields for every origin by default. They contain random identifiers,
/// and what a caller has put in `tracestate`. Name the origins of your own servers to send them to no other; spans are recorded anyway.
public struct TracingInterceptor: Interceptor, CredentialAddingInterceptor {
    private let observer: TracingObserver
    private let origins: [Origin]?

    init(_ observer: TracingObserver, origins: [Origin]?) {
        self.observer = observer
        self.origins = origins
    }

    /// Returns true: the interceptor waits only for `next`.
    public var endsByDeadline: Bool { true }

    /// Sends the request with the fields of its trace.
    public func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
        let spans = request.context.observedCall.flatMap { observer.spans(of: $0.info.id) }
        guard let context = spans?.context ?? TraceContext.current else { return try await next(request) }
        var sent = request
        sent.context.exchangeObservers.append(TracingExchange(spans: spans, context: context, origins: origins))
        guard spans != nil else { return try await next(sent) }
        return try await TraceContext.$current.withValue(context) { [sent] in try await next(sent) }
    }
}

/// Writes the fields of one exchange.
private struct TracingExchange: ExchangeObserver {
    let spans: CallSpans?
    let context: TraceContext
    let origins: [Origin]?

    func request(for request: HTTPRequest) -> HTTPRequest {
        guard !request.headers.contains(.traceparent), origins.map({ isAmong($0, request) }) ?? true else { return request }
        var request = request
        // No observer sees the exchange of a request that has left its call, as when a cache revalidates in the background.
        let isSeen = request.context.record?.notify != nil
        (isSeen ? spans?.prepareAttempt(request) ?? context : context).write(to: &request.headers)
        return request
    }

    func received(_ fields: HTTPFields, for request: HTTPRequest) {}

    private func isAmong(_ origins: [Origin], _ request: HTTPRequest) -> Bool { request.origin.map(origins.contains) ?? false }
}
