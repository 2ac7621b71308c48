public import MartletClient

/// A span as other processes know it: what the fields `traceparent` and `tracestate` pass on.
///
/// A server that handles a request makes its context the parent of the calls that it makes meanwhile:
///
/// ```swift
/// try await TraceContext.$current.withValue(TraceContext(headers: incoming.headers)) {
///     try await client.send(GetUser(id: 1))
/// }
/// ```
public struct TraceContext: Hashable, Sendable {
    /// The context of the current task: the parent of the spans of calls that begin in it. Default: nil, each call begins a trace.
    @TaskLocal public static var current: TraceContext?

    /// The trace, the span and the flags.
    public var parent: TraceParent
    /// What tracing systems have added.
    public var state: TraceState

    /// Creates a context.
    public init(parent: TraceParent, state: TraceState = TraceState()) {
        self.parent = parent
        self.state = state
    }

    /// Reads the fields `traceparent` and `tracestate`. Returns nil if `traceparent` is missing, repeated or malformed.
    ///
    /// A malformed `tracestate` is dropped as a whole (W3C Trace Context §4.3).
    public init?(headers: HTTPFields) {
        let values = headers.values(for: .traceparent)
        guard values.count == 1, let parent = TraceParent(values[0]) else { return nil }
        self.init(parent: parent, state: TraceState(headers.values(for: .tracestate)) ?? TraceState())
    }

    /// Replaces the fields `traceparent` and `tracestate`. A state without members removes `tracestate`.
    public func write(to headers: inout HTTPFields) {
        headers[.traceparent] = parent.description
        let state = state.fieldValue
        headers[.tracestate] = state.isEmpty ? nil : state
    }
}

extension HTTPFieldName {
    /// `traceparent`.
    public static var traceparent: Self { "traceparent" }
    /// `tracestate`.
    public static var tracestate: Self { "tracestate" }
}
