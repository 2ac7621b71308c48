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

        mutating func add(_ other: Series) {
            sum += other.sum
            count += other.count
            for index in buckets.indices { buckets[index] += other.buckets[index] }
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
    /// Characters that names may not contain are replaced by `_`. Series whose names and labels are then equal are added up, because a
    /// scraper rejects a text in which a series occurs twice; of metrics of different kinds with equal names, the first is written.
    public var text: String {
        let families = families.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
        return Dictionary(grouping: families) { PrometheusText.name($0.metric.name) }.sorted { $0.key < $1.key }
            .map { PrometheusMetrics.text(of: $1, named: $0) }.joined()
    }

    /// - Parameter families: The metrics with this name, at least one.
    private static func text(of families: [Family], named name: String) -> String {
        let metric = families[0].metric
        var text = "# HELP \(name) \(PrometheusText.help(metric.help))\n# TYPE \(name) \(metric.typeName)\n"
        let series = families.filter { $0.metric.kind == metric.kind }.flatMap(\.series).reduce(into: [String: Series]()) {
            $0[PrometheusText.labels($1.key), default: Series(buckets: metric.bounds.map { _ in 0 })].add($1.value)
        }
        for (labels, value) in series.sorted(by: { $0.key < $1.key }) {
            guard case .histogram(let bounds) = metric.kind else {
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

/// Writes names, labels and numbers of Prometheus's text exposition format.
enum PrometheusText {
    /// Returns a name with `_` in place of each character that a name may not contain.
    static func name(_ name: String) -> String { identifier(name) { $0 == ":" } }

    /// Returns a one-line text with backslashes and line ends escaped.
    static func help(_ text: String) -> String { escaped(text, quotes: false) }

    /// Returns the labels sorted by name, without braces. Of labels with the same name, the last counts.
    static func labels(_ labels: [CallMetric.Label]) -> String {
        let values = labels.reduce(into: [String: String]()) { $0[identifier($1.name) { _ in false }] = $1.value }
        return values.sorted { $0.key < $1.key }.map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",")
    }

    /// Returns a number as Prometheus reads it: integers without a fraction, and `+Inf` or `-Inf`.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return abs(value) < 9e15 && value.rounded() == value ? "\(Int64(value))" : "\(value)"
    }

    private static func identifier(_ name: String, alsoAllows: (Character) -> Bool) -> String {
        let mapped = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") || alsoAllows($0) ? $0 : "_" })
        return mapped.first.map { $0.isNumber } ?? true ? "_" + mapped : mapped
    }

    /// Escapes by scalars: a line end after a carriage return, or with a combining mark, is part of one character.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += #"\\"#
            case "\n": result += #"\n"#
            case "\"" where quotes: result += #"\""#
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
