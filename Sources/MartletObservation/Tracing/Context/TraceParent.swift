internal import MartletHTTP

/// The value of a `traceparent` field (W3C Trace Context §3.2): the trace, the calling span, and whether the trace is sampled.
///
/// ```swift
/// let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// parent?.isSampled  // true
/// ```
public struct TraceParent: Hashable, Sendable, CustomStringConvertible {
    /// The trace.
    public var traceID: TraceID
    /// The span that calls.
    public var spanID: SpanID
    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool
    /// Whether at least the last 7 bytes of the trace identifier are random (Trace Context Level 2, `random-trace-id`).
    public var isRandom: Bool

    /// Creates a value of version `00`.
    public init(traceID: TraceID, spanID: SpanID, isSampled: Bool, isRandom: Bool = false) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.isRandom = isRandom
    }

    /// Reads the value of a field, or returns nil if it is malformed.
    ///
    /// A later version than `00` is read as far as its start is like version `00` (§3.2.4). Flags that are not known are ignored.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.trimmingWhitespace.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash, let version = HexNumber.read(bytes[..<2]),
            version != 0xFF, version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == dash,
            let trace = TraceID(String(decoding: bytes[3..<35], as: UTF8.self)),
            let span = SpanID(String(decoding: bytes[36..<52], as: UTF8.self)), let flags = HexNumber.read(bytes[53..<55])
        else { return nil }
        self.init(traceID: trace, spanID: span, isSampled: flags & 1 != 0, isRandom: flags & 2 != 0)
    }

    /// The value of the field, of version `00`.
    public var description: String { "00-\(traceID)-\(spanID)-0\((isSampled ? 1 : 0) | (isRandom ? 2 : 0))" }
}
