public import MartletClient
public import MartletEssentials
internal import MartletSystem

/// A tracer that samples, creates identifiers, and passes spans that have ended to an exporter or a closure.
///
/// ```swift
/// let exporter = OTLPExporter(url: URL(string: "http://localhost:4318/v1/traces")!, service: "shop", transport: transport)
/// let tracing = TracingObserver(SpanTracer(exporter, sampler: .parentBased(root: .ratio(0.1))))
/// ```
///
/// Spans that are not sampled have identifiers, which are passed on, and are not exported.
public struct SpanTracer: Tracer {
    private let export: @Sendable (FinishedSpan) -> Void
    private let sampler: TraceSampler
    private let random: any RandomSource

    /// Creates a tracer whose spans an exporter sends to a collector.
    ///
    /// - Parameters:
    ///   - exporter: Receives the sampled spans.
    ///   - sampler: Chooses the traces. Default: what the parent does, and every trace that begins here.
    ///   - random: The source of identifiers. Default: the system's.
    public init(_ exporter: OTLPExporter, sampler: TraceSampler = .parentBased(), random: any RandomSource = .system) {
        self.init(sampler: sampler, random: random) { exporter.export($0) }
    }

    /// Creates a tracer that passes spans to a closure.
    ///
    /// - Parameters:
    ///   - sampler: Chooses the traces. Default: what the parent does, and every trace that begins here.
    ///   - random: The source of identifiers. Default: the system's.
    ///   - export: Takes a sampled span that has ended. It must return quickly, because a call waits for it.
    public init(
        sampler: TraceSampler = .parentBased(), random: any RandomSource = .system, export: @escaping @Sendable (FinishedSpan) -> Void
    ) {
        self.export = export
        self.sampler = sampler
        self.random = random
    }

    /// Starts a span in the parent's trace, or in a new one.
    public func startSpan(
        _ name: String, kind: SpanKind, parent: (any SpanContext)?, attributes: @autoclosure () -> [(key: String, value: SpanValue)],
        start: Date
    ) -> any TraceSpan {
        let parent = parent as? TraceContext
        let trace = parent?.traceID ?? TraceID(random: random)
        var context = TraceContext(
            traceID: trace, spanID: SpanID(random: random), isSampled: sampler.decide(trace, parent), isRandom: parent?.isRandom ?? false)
        if let parent { context.state = parent.state }
        guard context.isSampled else { return UnrecordedSpan(context: context) }
        let span = FinishedSpan(
            context: context, parentID: parent?.spanID, name: name, kind: kind, start: start, end: start,
            attributes: Dictionary(attributes()) { $1 })
        return RecordedSpan(span, export)
    }
}

/// A span that is passed on and not recorded.
private struct UnrecordedSpan: TraceSpan {
    let context: any SpanContext

    func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)]) {}
    func addEvent(_ name: String, attributes: [String: SpanValue], at date: Date) {}
    func fail(_ description: String) {}
    func end(at date: Date) {}
}

/// A span that is exported at its end.
private final class RecordedSpan: TraceSpan {
    private static let maxEvents = 128

    let context: any SpanContext
    private let export: @Sendable (FinishedSpan) -> Void
    /// Nil after the end.
    private let span: Locked<FinishedSpan?>

    init(_ span: FinishedSpan, _ export: @escaping @Sendable (FinishedSpan) -> Void) {
        context = span.context
        self.export = export
        self.span = Locked(span)
    }

    func set(_ attributes: @autoclosure () -> [(key: String, value: SpanValue)]) {
        let attributes = attributes()
        span.withLock { $0?.attributes.merge(attributes) { _, new in new } }
    }

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
        export(ended)
    }
}

/// Decides which traces are recorded.
///
/// ```swift
/// // a tenth of the traces that begin here, and every trace whose caller records it
/// let sampler = TraceSampler.parentBased(root: .ratio(0.1))
/// ```
public struct TraceSampler: Sendable {
    private let isSampled: @Sendable (TraceID, TraceContext?) -> Bool

    /// Creates a sampler from a closure, which gets the trace and the parent of a new span.
    public init(_ isSampled: @escaping @Sendable (_ trace: TraceID, _ parent: TraceContext?) -> Bool) { self.isSampled = isSampled }

    /// Returns whether a new span is recorded.
    func decide(_ trace: TraceID, _ parent: TraceContext?) -> Bool { isSampled(trace, parent) }

    /// Records everything.
    public static var always: Self { Self { _, _ in true } }

    /// Records nothing.
    public static var never: Self { Self { _, _ in false } }

    /// Records a share of the traces, chosen by their identifiers, so that all processes with the same share choose the same traces.
    ///
    /// - Parameter share: From 0 to 1.
    public static func ratio(_ share: Double) -> Self {
        if share >= 1 { return .always }
        // As in OpenTelemetry's SDKs: the lower 63 bits of the identifier are compared.
        let limit = share > 0 ? UInt64(share * 0x1p63) : 0
        return Self { trace, _ in trace.low & (.max >> 1) < limit }
    }

    /// Does what the parent does, and asks `root` for a trace that begins here.
    public static func parentBased(root: Self = .always) -> Self {
        Self { trace, parent in parent?.isSampled ?? root.decide(trace, nil) }
    }
}

/// A span that has ended, as a ``SpanTracer`` passes it to an exporter.
public struct FinishedSpan: Sendable, Hashable {
    /// The span as other processes know it.
    public let context: TraceContext
    /// The parent, or nil for the first span of a trace.
    public let parentID: SpanID?
    /// The name.
    public let name: String
    /// The relation to other spans.
    public let kind: SpanKind
    /// The start on the wall clock.
    public let start: Date
    /// The end on the wall clock.
    public internal(set) var end: Date
    /// The attributes.
    public internal(set) var attributes: [String: SpanValue]
    /// The events, in the order in which they were added.
    public internal(set) var events: [Event] = []
    /// The number of events that were dropped because there were already 128.
    public internal(set) var droppedEventCount = 0
    /// Why the span failed, empty if the attributes say it, or nil if it did not fail.
    public internal(set) var failure: String?

    /// Something that happened during a span.
    public struct Event: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The moment on the wall clock.
        public let date: Date
        /// The attributes.
        public let attributes: [String: SpanValue]
    }
}
