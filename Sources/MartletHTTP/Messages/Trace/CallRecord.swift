package import MartletEssentials
package import MartletSystem

/// The record of one running call: its trace, the number of its exchanges, and state that they share.
///
/// A call may run for days, so it keeps at most ``CallTrace/maxSteps`` steps: the first ones and the newest ones.
package final class CallRecord: Sendable {
    /// A step of the trace. Not an enum, because the values of an enum's cases cannot be changed in place.
    private struct Entry: Sendable {
        /// An attempt, which changes when it ends; nil for any other step.
        var attempt: RecordedAttempt?
        private let other: CopyOnWrite<CallTrace.Step>?

        init(_ attempt: RecordedAttempt) {
            self.attempt = attempt
            other = nil
        }

        init(_ step: CallTrace.Step) { other = CopyOnWrite(step) }

        var step: CallTrace.Step? { attempt?.step ?? other?.content }
    }

    private struct State {
        var count = 0
        /// The first step, apart from the others, because most calls have no other and need no array.
        var first: Entry?
        var others: [Entry] = []
        var omitted = 0
        /// The start of the call on the wall clock, or nil until it is needed.
        var start: Date?
        var idempotencyKey: String?
        var awaitsCredential = false
        /// The request that the last redirect led to, without its context. Boxed, because few calls have one.
        var redirected: CopyOnWrite<HTTPRequest>?

        // An autoclosure, because the argument would be copied once more.
        mutating func append(_ entry: @autoclosure () -> Entry) {
            guard first != nil else { return first = entry() }
            if others.count >= CallTrace.maxSteps - 1 { omit(1) }
            others.append(entry())
        }

        /// Removes the oldest steps that are not among the first ones.
        mutating func omit(_ count: Int) {
            others.removeSubrange((CallTrace.maxFirstSteps - 1)..<(CallTrace.maxFirstSteps - 1 + count))
            omitted += count
        }

        /// Completes an attempt, unless its step was left out. Returns false if it was complete.
        mutating func end(_ number: Int, _ end: RecordedAttempt.End) -> Bool {
            if first?.attempt?.running.number == number {
                guard first?.attempt?.end == nil else { return false }
                first?.attempt?.end = end
            } else if let index = others.lastIndex(where: { $0.attempt?.running.number == number }) {
                guard others[index].attempt?.end == nil else { return false }
                others[index].attempt?.end = end
            }
            return true
        }

        private var entries: [Entry] { first.map { [$0] + others } ?? [] }

        /// The attempts that are not complete.
        var running: [RecordedAttempt] { entries.compactMap(\.attempt).filter { $0.end == nil } }

        var steps: [CallTrace.Step] { entries.compactMap(\.step) }
    }

    private let state: Locked<State>
    private let began: ContinuousClock.Instant
    private let time: any TimeSource
    /// Tells the observers of the call, or nil without observers.
    package let notify: (@Sendable (CallEvent) -> Void)?

    /// - Parameters:
    ///   - began: The start of the call. Default: now.
    ///   - start: The start on the wall clock. Default: now, less the time since `began`.
    package init(
        time: any TimeSource = SystemTime(), began: ContinuousClock.Instant? = nil, start: Date? = nil,
        notify: (@Sendable (CallEvent) -> Void)? = nil
    ) {
        self.time = time
        self.notify = notify
        self.began = began ?? time.instant
        state = Locked(State(start: start))
    }

    /// The number of exchanges so far.
    package var count: Int { state.withLock { $0.count } }

    /// Counts one more exchange, which begins now.
    package func beginAttempt(_ request: HTTPRequest) -> RunningAttempt {
        let time = elapsed
        let attempt = state.withLock { state in
            state.count += 1
            let attempt = RunningAttempt(number: state.count, time: time)
            state.append(Entry(RecordedAttempt(attempt, request)))
            return attempt
        }
        notify?(.attemptStarted(attempt.number, request.withoutContext))
        return attempt
    }

    /// Completes the trace of an attempt.
    ///
    /// - Parameters:
    ///   - request: The request of the attempt, for observers if its step was left out.
    ///   - errorName: The name of the error that ended the attempt, or nil.
    package func endAttempt(
        _ attempt: RunningAttempt, of request: HTTPRequest, _ outcome: CallTrace.Outcome, _ metadata: ResponseMetadata? = nil,
        errorName: String? = nil
    ) {
        let end = RecordedAttempt.End(outcome, errorName, after: elapsed - attempt.time, metadata)
        guard state.withLock({ $0.end(attempt.number, end) }), let notify else { return }
        var ended = RecordedAttempt(attempt, request)
        ended.end = end
        notify(.step(ended.step))
    }

    /// Completes the attempts that a call which ends with an error abandons. Their own tasks learn of its end later.
    package func abandonAttempts(_ error: HTTPError) {
        let reason: HTTPError = error == .timeout ? .timeout : .cancelled
        for attempt in state.withLock({ $0.running }) {
            endAttempt(attempt.running, of: attempt.request, CallTrace.Outcome(reason), errorName: reason.caseName)
        }
    }

    /// The time since the start of the call.
    package var elapsed: Duration { began.duration(to: time.instant) }

    /// The trace so far.
    var trace: CallTrace {
        let now = time.now.addingTimeInterval(-(elapsed / .seconds(1)))
        return state.withLock { state in
            let start = state.start ?? now
            state.start = start
            return CallTrace(start: start, steps: state.steps, omittedSteps: state.omitted)
        }
    }

    /// Appends a step and tells the observers.
    package func add(_ kind: CallTrace.Kind, at instant: ContinuousClock.Instant? = nil) {
        let step = CallTrace.Step(time: began.duration(to: instant ?? time.instant), kind: kind)
        state.withLock { $0.append(Entry(step)) }
        notify?(.step(step))
    }

    /// Notes a decision of an interceptor.
    package func note(_ decision: String) { add(.note(decision)) }

    /// Whether the request waits for a credential, or reached its deadline while it did.
    package var awaitsCredential: Bool {
        get { state.withLock { $0.awaitsCredential } }
        set { state.withLock { $0.awaitsCredential = newValue } }
    }

    /// Appends the exchanges and the steps of another call whose response this call shares.
    package func adopt(_ other: CallRecord) {
        guard other !== self else { return }
        let (count, steps, omitted) = other.state.withLock { ($0.count, $0.steps, $0.omitted) }
        let offset = began.duration(to: other.began)
        let adopted = state.withLock { state in
            let first = state.count
            state.count += count
            let adopted = steps.map { CallTrace.Step(time: $0.time + offset, kind: $0.kind.renumbered(by: first)) }
            // If the other call omitted steps, it kept so many that the same place is omitted here.
            for step in adopted { state.append(Entry(step)) }
            state.omitted += omitted
            return adopted
        }
        if let notify { for step in adopted { notify(.step(step)) } }
    }

    /// Returns the idempotency key of the call. Stores `key` if the call has none yet.
    package func idempotencyKey(orKeep key: String) -> String {
        state.withLock { state in
            let kept = state.idempotencyKey ?? key
            state.idempotencyKey = kept
            return kept
        }
    }

    /// The request that the last redirect led to, without its context, or nil without redirects.
    package var redirected: HTTPRequest? { state.withLock { $0.redirected?.content } }

    /// Notes the request that a redirect leads to.
    package func redirect(to request: HTTPRequest) {
        // A context would keep this record.
        let redirected = CopyOnWrite(request.withoutContext)
        state.withLock { $0.redirected = redirected }
    }

    /// The idempotency key of the call, or nil if none was stored.
    package var idempotencyKey: String? { state.withLock { $0.idempotencyKey } }
}

extension CallTrace.Kind {
    /// Returns the step with the numbers of attempts increased.
    fileprivate func renumbered(by count: Int) -> Self {
        guard case .attempt(var attempt) = self else { return self }
        attempt.number += count
        return .attempt(attempt)
    }
}

/// One exchange of a running call, which its ``CallRecord`` begins and ends.
package struct RunningAttempt: Sendable {
    /// The number of the attempt within its call, from 1.
    package let number: Int
    /// The time from the start of the call to the start of the attempt.
    let time: Duration
}

/// What a ``CallRecord`` keeps of an attempt.
struct RecordedAttempt: Sendable {
    /// How the attempt ended.
    struct End {
        let outcome: CallTrace.Outcome
        let errorName: String?
        let duration: Duration
        let version: HTTPVersion?
        let timings: ResponseMetadata.Timings?
        let remoteAddress: String?
        let isConnectionReused: Bool?

        /// Keeps of the metadata all but the request, whose context keeps the record.
        init(_ outcome: CallTrace.Outcome, _ errorName: String?, after duration: Duration, _ metadata: ResponseMetadata?) {
            self.outcome = outcome
            self.errorName = errorName
            self.duration = duration
            version = metadata?.version
            timings = metadata?.timings
            remoteAddress = metadata?.remoteAddress
            isConnectionReused = metadata?.isConnectionReused
        }
    }

    let running: RunningAttempt
    /// The request without its context, which keeps the record.
    let request: HTTPRequest
    /// How the attempt ended, or nil while it is running.
    var end: End?

    init(_ running: RunningAttempt, _ request: HTTPRequest) {
        self.running = running
        self.request = request.withoutContext
    }

    /// The step of the trace.
    var step: CallTrace.Step {
        var attempt = CallTrace.Attempt(number: running.number, request: request)
        if let end {
            attempt.outcome = end.outcome
            attempt.errorName = end.errorName
            attempt.duration = end.duration
            attempt.version = end.version
            attempt.timings = end.timings
            attempt.remoteAddress = end.remoteAddress
            attempt.isConnectionReused = end.isConnectionReused
        }
        return CallTrace.Step(time: running.time, kind: .attempt(attempt))
    }
}
