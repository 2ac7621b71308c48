import MartletObservation
import MartletSystem

/// Keeps the spans that have ended.
final class SpanCollection: SpanExporter {
    private let kept = Locked<[FinishedSpan]>([])

    func export(_ span: FinishedSpan) { kept.withLock { $0.append(span) } }

    var spans: [FinishedSpan] { kept.withLock { $0 } }
    var attempts: [FinishedSpan] { spans.filter { $0.kind == .client } }
    var calls: [FinishedSpan] { spans.filter { $0.kind == .internal } }
}
