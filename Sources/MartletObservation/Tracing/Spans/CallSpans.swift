internal import MartletClient
internal import MartletEssentials
internal import MartletSystem

/// The spans of one running call.
final class CallSpans: Sendable {
    private struct State {
        /// Spans whose fields have been written to requests that the transport does not have yet.
        var prepared: [(fields: HTTPFields, span: any TraceSpan)] = []
        /// The spans of running attempts with their numbers, of which there are few.
        var running: [(number: Int, span: any TraceSpan)] = []
        var hasEnded = false

        /// Removes and returns the span whose fields a request has.
        mutating func takePrepared(for request: HTTPRequest) -> (any TraceSpan)? {
            let index = prepared.firstIndex { request.headers.containsLines(of: $0.fields) }
            return index.map { prepared.remove(at: $0).span }
        }

        /// Removes and returns the span of a running attempt.
        mutating func takeRunning(_ number: Int) -> (any TraceSpan)? {
            let index = running.firstIndex { $0.number == number }
            return index.map { running.remove(at: $0).span }
        }
    }

    private let call: CallInfo
    private let span: any TraceSpan
    private let tracer: any Tracer
    private let detail: LogDetail
    /// The record of the call, whose clock all times are of.
    private let record: CallRecord?
    private let state = Locked(State())

    init(_ call: CallInfo, _ request: HTTPRequest?, _ tracer: any Tracer, _ detail: LogDetail) {
        self.call = call
        self.tracer = tracer
        self.detail = detail
        record = request?.context.record
        span = tracer.startSpan(
            call.name.isEmpty ? "call" : call.name, kind: .internal, parent: tracer.parent(of: request),
            attributes: SpanAttributes.call(call, request), start: call.start)
    }

    var context: any SpanContext { span.context }

    private var now: Date { date(after: record?.elapsed ?? .zero) }

    /// Returns the date of a moment of the call. The wall clock may jump meanwhile.
    private func date(after duration: Duration) -> Date { call.start.addingTimeInterval(duration / .seconds(1)) }

    /// Starts the span of an attempt that follows, and returns the fields to add to its request.
    ///
    /// After the end of the call, as when a cache revalidates in the background, the attempt has no span, and the fields are the call's.
    func prepareAttempt(_ request: HTTPRequest, isNamed: Bool) -> HTTPFields {
        if state.withLock({ $0.hasEnded }) { return context.fields(for: request, isNamed: isNamed) }
        let span = attemptSpan(request), fields = span.context.fields(for: request, isNamed: isNamed)
        let isLate = state.withLock { state in
            if !state.hasEnded { state.prepared.append((fields, span)) }
            return state.hasEnded
        }
        if isLate { end(span, failedAs: "cancelled", at: now) }
        return fields
    }

    /// Takes the span whose fields the request has, or starts one.
    func attemptStarted(_ number: Int, _ request: HTTPRequest) {
        let (isKnown, prepared) = state.withLock { state in
            let isKnown = state.running.contains { $0.number == number }
            return (isKnown, isKnown ? nil : state.takePrepared(for: request))
        }
        if isKnown { return }
        let span = prepared ?? attemptSpan(request)
        if number > 1 { span.set([("http.request.resend_count", .int(Int64(number - 1)))]) }
        let isLate = state.withLock { state in
            if !state.hasEnded { state.running.append((number, span)) }
            return state.hasEnded
        }
        if isLate { end(span, failedAs: "cancelled", at: now) }
    }

    private func attemptSpan(_ request: HTTPRequest) -> any TraceSpan {
        tracer.startSpan(
            SpanAttributes.name(request, template: call.pathTemplate), kind: .client, parent: span.context,
            attributes: SpanAttributes.request(request, template: call.pathTemplate, detail), start: now)
    }

    /// Ends the span of an attempt, or adds an event for any other step.
    func add(_ step: CallTrace.Step) {
        guard case .attempt(let attempt) = step.kind else {
            return addEvent(step)
        }
        guard let running = state.withLock({ $0.takeRunning(attempt.number) }) else {
            return addEvent(step)
        }
        running.set(SpanAttributes.result(attempt))
        if let failure = SpanAttributes.failure(attempt.outcome, detail) { running.fail(failure) }
        running.end(at: date(after: step.time + (attempt.duration ?? .zero)))
    }

    private func addEvent(_ step: CallTrace.Step) {
        guard let event = SpanAttributes.event(step.kind, detail) else { return }
        span.addEvent(event.name, attributes: event.attributes, at: date(after: step.time))
    }

    /// Ends all spans.
    func end(_ outcome: CallOutcome, after duration: Duration) {
        let open = state.withLock { state in
            defer {
                state.prepared = []
                state.running = []
                state.hasEnded = true
            }
            return state.prepared.map(\.span) + state.running.map(\.span)
        }
        let type = HTTPConventions.errorType(outcome) ?? "cancelled"
        let end = date(after: duration)
        for span in open { self.end(span, failedAs: type, at: end) }
        span.set(SpanAttributes.outcome(outcome))
        if case .failure(let error) = outcome {
            if case .statusCode = error { span.fail("") } else { span.fail(detail.text(of: error)) }
        }
        span.end(at: end)
    }

    private func end(_ span: any TraceSpan, failedAs type: String, at end: Date) {
        span.set([("error.type", .string(type))])
        span.fail("")
        span.end(at: end)
    }
}
