internal import MartletSystem

/// Metrics in memory, with their text for Prometheus.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// let client = HTTPClient(baseURL: url, observers: [MetricsObserver(metrics)])
/// print(metrics.text)  // the response to GET /metrics, with the media type PrometheusMetrics.contentType
/// ```
///
/// Several observers, and metrics of the app's own, can share one. It keeps each combination of labels for its whole life: use labels with
/// a limited number of values.
public final class PrometheusMetrics: MetricsSink {
    /// The media type of ``text``: the text exposition format, version 0.0.4.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private struct Family {
        let metric: CallMetric
        var series: [[CallMetric.Label]: Series] = [:]
    }

    private struct Series {
        var sum = 0.0
        var count = 0
        /// The number of values between each bound and the one before.
        var buckets: [Int]

        mutating func add(_ value: Double, _ bounds: [Double]) {
            sum += value
            count += 1
            if let index = bounds.firstIndex(where: { value <= $0 }) { buckets[index] += 1 }
        }
    }

    private let families = Locked<[String: Family]>([:])

    /// Creates an empty collection of metrics.
    public init() {}

    /// Records a value.
    ///
    /// A negative value of a counter, a value that is not a number, and a metric that has the name of an earlier one but another kind are
    /// ignored.
    public func record(_ value: Double, of metric: CallMetric, labels: [CallMetric.Label]) {
        guard !value.isNaN, metric.kind != .counter || value >= 0 else { return }
        families.withLock { families in
            guard families[metric.name, default: Family(metric: metric)].metric.kind == metric.kind else { return }
            let bounds = metric.bounds
            families[metric.name, default: Family(metric: metric)]
                .series[labels, default: Series(buckets: Array(repeating: 0, count: bounds.count))]
                .add(value, bounds)
        }
    }

    /// The metrics in Prometheus's text exposition format, sorted by name and labels.
    ///
    /// Characters that names may not contain are replaced by `_`.
    public var text: String {
        let families = families.withLock { $0 }
        return families.sorted { $0.key < $1.key }.map { PrometheusMetrics.text(of: $1) }.joined()
    }

    private static func text(of family: Family) -> String {
        let name = PrometheusText.name(family.metric.name)
        var text = "# HELP \(name) \(PrometheusText.help(family.metric.help))\n# TYPE \(name) \(family.metric.typeName)\n"
        let series = family.series.map { (labels: PrometheusText.labels($0.key), value: $0.value) }
        for (labels, value) in series.sorted(by: { $0.labels < $1.labels }) {
            guard case .histogram(let bounds) = family.metric.kind else {
                text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(PrometheusText.number(value.sum))\n"
                continue
            }
            let start = labels.isEmpty ? "" : labels + ","
            var count = 0
            for (bound, bucket) in zip(bounds, value.buckets) where bound.isFinite {
                count += bucket
                text += "\(name)_bucket{\(start)le=\"\(PrometheusText.number(bound))\"} \(count)\n"
            }
            let braces = labels.isEmpty ? "" : "{\(labels)}"
            text += "\(name)_bucket{\(start)le=\"+Inf\"} \(value.count)\n"
            text += "\(name)_sum\(braces) \(PrometheusText.number(value.sum))\n\(name)_count\(braces) \(value.count)\n"
        }
        return text
    }
}

extension CallMetric {
    fileprivate var bounds: [Double] { if case .histogram(let bounds) = kind { bounds } else { [] } }

    fileprivate var typeName: String {
        switch kind {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
