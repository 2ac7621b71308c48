import Foundation
import MartletObservation
import MartletSystem

/// Counts spans.
final class CountingTracer: Tracer {
    private struct Span: TraceSpan {
        let span: any TraceSpan
        let count: Locked<Int>

        var context: any SpanContext { span.context }
        func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)]) {}
        func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {}
        func fail(_ description: String) {}
        func end(at date: Date) { count.withLock { $0 += 1 } }
    }

    private let startCount = Locked(0), endCount = Locked(0)

    var started: Int { startCount.withLock { $0 } }
    /// The number of spans that ended. A span that ends twice counts twice.
    var ended: Int { endCount.withLock { $0 } }

    func startSpan(
        _ name: String, kind: SpanKind, parent: (any SpanContext)?, attributes: @autoclosure () -> [(key: String, value: SpanValue)],
        start: Date
    ) -> any TraceSpan {
        startCount.withLock { $0 += 1 }
        let span = SpanTracer { _ in }.startSpan(name, kind: kind, parent: parent, attributes: attributes(), start: start)
        return Span(span: span, count: endCount)
    }
}

/// Keeps the spans that have ended.
final class SpanCollection: Sendable {
    private let kept = Locked<[FinishedSpan]>([])

    @Sendable func export(_ span: FinishedSpan) { kept.withLock { $0.append(span) } }

    var spans: [FinishedSpan] { kept.withLock { $0 } }
    var attempts: [FinishedSpan] { spans.filter { $0.kind == .client } }
    var calls: [FinishedSpan] { spans.filter { $0.kind == .internal } }
}
