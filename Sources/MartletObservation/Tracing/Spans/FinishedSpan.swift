public import MartletEssentials

/// A span that has ended, for a ``SpanExporter``.
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

/// Receives the spans that ``SpanTracer`` records. ``OTLPExporter`` is one.
public protocol SpanExporter: Sendable {
    /// Takes a span that has ended. It must return quickly, because a call waits for it.
    func export(_ span: FinishedSpan)
}
