public import MartletClient
public import MartletEssentials
internal import MartletSystem

/// A tracer that samples, creates identifiers, and passes spans that have ended to an exporter.
///
/// ```swift
/// let exporter = OTLPExporter(url: URL(string: "http://localhost:4318/v1/traces")!, service: "shop", transport: transport)
/// let tracing = TracingObserver(SpanTracer(exporter, sampler: .parentBased(root: .ratio(0.1))))
/// ```
///
/// Spans that are not sampled have identifiers, which are passed on, and are not exported.
public struct SpanTracer: Tracer {
    private let exporter: any SpanExporter
    private let sampler: TraceSampler
    private let random: any RandomSource

    /// Creates a tracer.
    ///
    /// - Parameters:
    ///   - exporter: Receives the sampled spans.
    ///   - sampler: Chooses the traces. Default: what the parent does, and every trace that begins here.
    ///   - random: The source of identifiers. Default: the system's.
    public init(_ exporter: any SpanExporter, sampler: TraceSampler = .parentBased(), random: any RandomSource = .system) {
        self.exporter = exporter
        self.sampler = sampler
        self.random = random
    }

    /// Starts a span in the parent's trace, or in a new one.
    public func startSpan(
        _ name: String, kind: SpanKind, parent: TraceContext?, attributes: [String: SpanValue], start: Date
    ) -> any TraceSpan {
        let trace = parent?.parent.traceID ?? TraceID(random: random)
        let context = TraceContext(
            parent: TraceParent(
                traceID: trace, spanID: SpanID(random: random), isSampled: sampler.decide(trace, parent),
                isRandom: parent?.parent.isRandom ?? false),
            state: parent?.state ?? TraceState())
        guard context.parent.isSampled else { return UnrecordedSpan(context: context) }
        let span = FinishedSpan(
            context: context, parentID: parent?.parent.spanID, name: name, kind: kind, start: start, end: start, attributes: attributes)
        return RecordedSpan(span, exporter)
    }
}

/// A span that is passed on and not recorded.
private struct UnrecordedSpan: TraceSpan {
    let context: TraceContext

    func set(_ attributes: [String: SpanValue]) {}
    func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {}
    func fail(_ description: String) {}
    func end(at date: Date) {}
}

/// A span that is exported at its end.
private final class RecordedSpan: TraceSpan {
    private static let maxEvents = 128

    let context: TraceContext
    private let exporter: any SpanExporter
    /// Nil after the end.
    private let span: Locked<FinishedSpan?>

    init(_ span: FinishedSpan, _ exporter: any SpanExporter) {
        context = span.context
        self.exporter = exporter
        self.span = Locked(span)
    }

    func set(_ attributes: [String: SpanValue]) { span.withLock { $0?.attributes.merge(attributes) { _, new in new } } }

    func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {
        span.withLock { span in
            guard let count = span?.events.count else { return }
            if count < RecordedSpan.maxEvents {
                span?.events.append(FinishedSpan.Event(name: name, date: date, attributes: attributes))
            } else {
                span?.droppedEventCount += 1
            }
        }
    }

    func fail(_ description: String) { span.withLock { $0?.failure = description } }

    func end(at date: Date) {
        let ended = span.withLock { $0.take() }
        guard var ended else { return }
        ended.end = max(date, ended.start)
        exporter.export(ended)
    }
}
