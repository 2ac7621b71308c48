/// The destination of the numbers that a ``MetricsObserver`` measures: ``PrometheusMetrics``, or an adapter to a metrics library.
///
/// ```swift
/// struct LineSink: MetricsSink {
///     let write: @Sendable (String) -> Void
///
///     func record(_ value: Double, of metric: CallMetric, labels: [CallMetric.Label]) {
///         let properties = labels.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
///         write("\(metric.name) \(value) \(properties)")
///     }
/// }
/// ```
public protocol MetricsSink: Sendable {
    /// Records a value: adds it to a counter or, also if it is negative, to a gauge, or puts it into a histogram.
    ///
    /// Called on the task of the call, which waits for it, and concurrently for different calls. It must return quickly.
    func record(_ value: Double, of metric: CallMetric, labels: [CallMetric.Label])
}

/// A metric of calls: its name, its kind, and what it measures.
public struct CallMetric: Sendable, Hashable {
    /// How the values of a metric are combined.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// A sum of values that are never negative.
        case counter
        /// A sum of positive and negative values, such as the number of running calls.
        case gauge
        /// The number of values up to each of these bounds, in ascending order.
        case histogram(bounds: [Double])
    }

    /// A property by which the values of a metric are kept apart.
    public struct Label: Sendable, Hashable {
        /// The name, such as `method`.
        public let name: String
        /// The value, such as `GET`.
        public let value: String

        /// Creates a label.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The name, which contains the unit, such as `http_client_call_duration_seconds`.
    public let name: String
    /// What the metric measures, in one sentence.
    public let help: String
    /// How the values are combined.
    public let kind: Kind

    /// Creates a metric.
    public init(_ name: String, _ kind: Kind, help: String) {
        self.name = name
        self.help = help
        self.kind = kind
    }
}

extension CallMetric {
    /// The bounds of histograms of durations in seconds that OpenTelemetry's conventions for HTTP recommend, from 5 ms to 10 s.
    public static let durationBounds: [Double] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    /// `http_client_calls_total`: the calls that ended, by `method`, `route` and `outcome`.
    public static let calls = CallMetric("http_client_calls_total", .counter, help: "Calls that ended.")
    /// `http_client_active_calls`: the calls that are running, by `method` and `route`.
    public static let activeCalls = CallMetric("http_client_active_calls", .gauge, help: "Calls that are running.")
    /// `http_client_attempts_total`: the exchanges with the transport that ended, by `method`, `route` and `outcome`.
    public static let attempts = CallMetric(
        "http_client_attempts_total", .counter, help: "Exchanges with the transport that ended, including those of redirects and retries.")
    /// `http_client_sent_body_bytes_total`: the bytes of request bodies whose length is known, and of a WebSocket's sent messages, by
    /// `method` and `route`.
    public static let sentBytes = CallMetric(
        "http_client_sent_body_bytes_total", .counter,
        help: "Bytes of request bodies whose length is known, counted for each attempt, and of sent messages.")
    /// `http_client_received_body_bytes_total`: the bytes of response bodies after the removal of content codings, and of a WebSocket's
    /// received messages, by `method` and `route`.
    public static let receivedBytes = CallMetric(
        "http_client_received_body_bytes_total", .counter,
        help: "Bytes of response bodies, after the removal of content codings, and of received messages.")
    /// `http_client_cache_requests_total`: the requests that a cache saw, by `method`, `route` and `result`.
    ///
    /// The result is `hit`, `validated`, `stale`, `shared` (with a concurrent identical request), `miss` or `bypass`. The ratio of the
    /// first four to all is the cache's ratio.
    public static let cacheRequests = CallMetric("http_client_cache_requests_total", .counter, help: "Requests that a cache saw.")

    /// `http_client_call_duration_seconds`: the time from the start of calls to their outcome, by `method`, `route` and `outcome`.
    public static func callDuration(bounds: [Double] = durationBounds) -> CallMetric {
        CallMetric(
            "http_client_call_duration_seconds", .histogram(bounds: bounds), help: "Time from the start of a call to its outcome.")
    }
}
