package import MartletClient
internal import MartletEssentials
internal import MartletSystem

/// An observer that counts and measures calls, by method, route and outcome.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// let client = HTTPClient(baseURL: url, observers: [MetricsObserver(metrics)])
/// print(metrics.text)
/// // http_client_calls_total{method="GET",outcome="2xx",route="/users/{}"} 3
/// ```
///
/// It records the metrics of ``CallMetric``: ``CallMetric/calls``, ``CallMetric/callDuration(bounds:)``, ``CallMetric/activeCalls``,
/// ``CallMetric/attempts``, ``CallMetric/sentBytes``, ``CallMetric/receivedBytes`` and ``CallMetric/cacheRequests``.
///
/// The number of series is bounded, and labels contain no values of requests:
///
/// - `client`: the name that this observer was created with, if it has one. It keeps services apart whose routes have equal names.
/// - `method`: the method if RFC 9110 or RFC 5789 defines it, otherwise `_OTHER`.
/// - `route`: the template of the path, such as `/users/{}`, with the name of a GraphQL operation. It is empty for a full URL. After
///   `maxRoutes` different ones, further routes are `_OTHER`. A path made with `Path(raw:)` is its own template.
/// - `outcome`: the class of the status (`2xx` to `5xx`) or the kind of error, such as `timeout`, `network`, `decoding`, `graphql` or
///   `cancelled`.
public final class MetricsObserver: CallObserver {
    private typealias Labels = [CallMetric.Label]

    private struct Running {
        var labels: Labels
        /// The numbers of the attempts that this call began and that have not ended. Shared attempts belong to another call.
        var attempts: Set<Int> = []
    }

    private struct State {
        var running: [UInt64: Running] = [:]
        var routes: Set<String> = []
    }

    private let sink: any MetricsSink
    private let client: Labels
    private let maxRoutes: Int
    private let duration: CallMetric
    private let route: @Sendable (CallInfo) -> String
    private let state = Locked(State())

    /// Creates an observer that records in a sink.
    ///
    /// - Parameters:
    ///   - sink: The destination.
    ///   - client: The value of the label `client`, such as `payments`. Clients of different services need observers of their own with
    ///     different names, or their calls of equal routes are counted together. Default: nil, no such label.
    ///   - maxRoutes: The maximum number of different routes. Calls of further routes have the route `_OTHER`. Default: 200.
    ///   - durationBounds: The finite bounds of the histogram of durations in seconds, in any order. Default:
    ///     ``CallMetric/durationBounds``.
    ///   - route: Returns the route of a call, which must not contain values such as IDs. Default: ``defaultRoute(of:)``.
    public init(
        _ sink: any MetricsSink, client: String? = nil, maxRoutes: Int = 200, durationBounds: [Double] = CallMetric.durationBounds,
        route: @escaping @Sendable (CallInfo) -> String = MetricsObserver.defaultRoute
    ) {
        self.sink = sink
        self.client = client.map { [CallMetric.Label("client", $0)] } ?? []
        self.maxRoutes = max(0, maxRoutes)
        duration = .callDuration(bounds: Set(durationBounds.filter(\.isFinite)).sorted())
        self.route = route
    }

    /// Returns the template of the call's path with a slash before it, followed by the name of its only GraphQL operation if it has one:
    /// `/users/{}`, `/graphql AllUsers`. Returns an empty text for a full URL.
    public static func defaultRoute(of call: CallInfo) -> String {
        let route = HTTPConventions.template(call.pathTemplate)
        guard call.operations.count == 1, let name = call.operations[0].name else { return route }
        return route.isEmpty ? name : route + " " + name
    }

    /// Records what an event says about a call.
    public func observe(_ event: CallEvent, of call: CallInfo) {
        switch event {
        case .started(let request): if let labels = begin(call, request) { sink.record(1, of: .activeCalls, labels: labels) }
        case .attemptStarted(let number, let request):
            guard let labels = change(call, { $0.attempts.insert(number) }), let length = request.body?.length, length > 0 else { return }
            sink.record(Double(length), of: .sentBytes, labels: labels)
        case .bodyReceived(_, let bytes):
            guard let labels = labels(of: call) else { return }
            sink.record(Double(bytes.count), of: .receivedBytes, labels: labels)
        case .message(let message):
            guard let labels = labels(of: call) else { return }
            let bytes = message.direction == .sent ? CallMetric.sentBytes : .receivedBytes
            sink.record(Double(message.content.count), of: bytes, labels: labels)
        case .step(let step): record(step.kind, of: call)
        case .ended(let outcome, let time): end(call, outcome, after: time)
        default: break
        }
    }

    /// Returns the labels of a call, or nil if it has begun already, because the client has this observer twice.
    private func begin(_ call: CallInfo, _ request: HTTPRequest?) -> Labels? {
        let method = MetricsObserver.method(request?.method ?? call.method), route = route(call)
        return state.withLock { state in
            guard state.running[call.id] == nil else { return nil }
            if !state.routes.contains(route), state.routes.count < maxRoutes { state.routes.insert(route) }
            let known = state.routes.contains(route) ? route : MetricsObserver.other
            let labels = client + [CallMetric.Label("method", method), CallMetric.Label("route", known)]
            state.running[call.id] = Running(labels: labels)
            return labels
        }
    }

    private func record(_ kind: CallTrace.Kind, of call: CallInfo) {
        switch kind {
        case .attempt(let attempt):
            var isOwn = false
            guard let labels = change(call, { isOwn = $0.attempts.remove(attempt.number) != nil }), isOwn, let outcome = attempt.outcome
            else { return }
            sink.record(1, of: .attempts, labels: labels + [CallMetric.Label("outcome", outcome.metricLabel)])
        case .cache(let status):
            guard let labels = labels(of: call) else { return }
            sink.record(1, of: .cacheRequests, labels: labels + [CallMetric.Label("result", status.metricLabel)])
        default: break
        }
    }

    private func end(_ call: CallInfo, _ outcome: CallOutcome, after time: Duration) {
        guard let running = state.withLock({ $0.running.removeValue(forKey: call.id) }) else { return }
        let labels = running.labels + [CallMetric.Label("outcome", outcome.metricLabel)]
        sink.record(-1, of: .activeCalls, labels: running.labels)
        // Observers do not see the end of an attempt that the end of its call interrupts.
        for _ in running.attempts {
            sink.record(1, of: .attempts, labels: running.labels + [CallMetric.Label("outcome", outcome.labelOfInterruptedAttempts)])
        }
        sink.record(1, of: .calls, labels: labels)
        sink.record(time / .seconds(1), of: duration, labels: labels)
    }

    private func labels(of call: CallInfo) -> Labels? { state.withLock { $0.running[call.id]?.labels } }

    /// Changes the state of a running call and returns its labels, or nil if it is not running.
    private func change(_ call: CallInfo, _ body: (inout Running) -> Void) -> Labels? {
        state.withLock { state in
            guard state.running[call.id] != nil else { return nil }
            body(&state.running[call.id]!)
            return state.running[call.id]?.labels
        }
    }

    private static let other = "_OTHER"
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    private static func method(_ method: HTTPMethod?) -> String {
        method.flatMap { methods.contains($0.rawValue) ? $0.rawValue : nil } ?? other
    }
}

extension CallOutcome {
    /// The class of the status, or the kind of error. A success without a response is `ok`.
    package var metricLabel: String {
        switch self {
        case .success(let response): response?.status.metricLabel ?? "ok"
        case .failure(let error): error.metricLabel
        }
    }

    /// The outcome of attempts that were running when the call ended: `timeout` or `cancelled`.
    package var labelOfInterruptedAttempts: String { if case .failure(.timeout) = self { "timeout" } else { "cancelled" } }
}

extension CallTrace.Outcome {
    /// The class of the status, or the kind of error.
    package var metricLabel: String {
        switch self {
        case .status(let status): status.metricLabel
        case .network: "network"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}

extension HTTPStatus {
    /// The class of the status, such as `2xx`.
    fileprivate var metricLabel: String {
        switch rawValue {
        case 100..<200: "1xx"
        case 200..<300: "2xx"
        case 300..<400: "3xx"
        case 400..<500: "4xx"
        case 500..<600: "5xx"
        default: "invalid_status"
        }
    }
}

extension HTTPError {
    /// The class of the status, or the kind of error.
    fileprivate var metricLabel: String {
        if case .statusCode(let response) = self { response.status.metricLabel } else { aboveHTTP?.metricLabel ?? kind.metricLabel }
    }
}

extension CacheStatus {
    /// What the cache did with the request.
    package var metricLabel: String {
        if wasValidated { return "validated" }
        if isStale || replacesFailure { return "stale" }
        if isHit { return "hit" }
        if isCollapsed { return "shared" }
        return forwardReason == .bypass || forwardReason == .method ? "bypass" : "miss"
    }
}
