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
        Self { trace, parent in parent?.parent.isSampled ?? root.decide(trace, nil) }
    }
}
