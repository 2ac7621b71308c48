#if SwiftMetrics
import MetricsTestKit

/// A metric of `TestMetrics` of any kind.
protocol KeptMetric {
    var label: String { get }
    var dimensions: [(String, String)] { get }
}

extension TestCounter: KeptMetric {}
extension TestMeter: KeptMetric {}
extension TestRecorder: KeptMetric {}
extension TestTimer: KeptMetric {}

extension TestMetrics {
    /// All metrics.
    var all: [any KeptMetric] { timers as [any KeptMetric] + meters + recorders + counters }
}
#endif
