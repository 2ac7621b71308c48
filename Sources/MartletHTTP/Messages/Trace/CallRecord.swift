package import MartletEssentials
package import MartletSystem

/// The record of one running call: its trace, the number of its exchanges, and state that they share.
package final class CallRecord: Sendable {
    private struct State {
        var count = 0
        var steps: [CallTrace.Step] = []
        var idempotencyKey: String?
    }

    private let state = Locked(State())
    private let start: Date
    private let began: ContinuousClock.Instant
    private let time: any TimeSource
    /// Tells the observers of the call, or nil without observers.
    package let notify: (@Sendable (CallEvent) -> Void)?

    package init(time: any TimeSource = SystemTime(), start: Date? = nil, notify: (@Sendable (CallEvent) -> Void)? = nil) {
        self.time = time
        self.notify = notify
        self.start = start ?? time.now
        began = time.instant
    }

    /// The number of exchanges so far.
    package var count: Int { state.withLock { $0.count } }

    /// A running attempt, for ``endAttempt(_:_:_:)``.
    package struct Attempt: Sendable {
        /// The number of the attempt within its call, from 1.
        package let number: Int
        fileprivate let index: Int
        fileprivate let began: ContinuousClock.Instant
    }

    /// Counts one more exchange, which begins now.
    package func beginAttempt(_ request: HTTPRequest) -> Attempt {
        let now = time.instant
        // Without the context, which keeps this record.
        let bare = HTTPRequest(method: request.method, url: request.url, headers: request.headers, body: request.body)
        let attempt = state.withLock { state in
            state.count += 1
            state.steps.append(
                CallTrace.Step(time: began.duration(to: now), kind: .attempt(CallTrace.Attempt(number: state.count, request: bare))))
            return Attempt(number: state.count, index: state.steps.count - 1, began: now)
        }
        notify?(.attemptStarted(attempt.number, bare))
        return attempt
    }

    /// Completes the trace of an attempt.
    package func endAttempt(_ attempt: Attempt, _ outcome: CallTrace.Outcome, _ metadata: ResponseMetadata? = nil) {
        let now = time.instant
        let step = state.withLock { state in
            state.steps[attempt.index].end(outcome, after: attempt.began.duration(to: now), metadata)
            return notify == nil ? nil : state.steps[attempt.index]
        }
        if let step { notify?(.step(step)) }
    }

    /// The time since the start of the call.
    package var elapsed: Duration { began.duration(to: time.instant) }

    /// The trace so far.
    package var trace: CallTrace { CallTrace(start: start, steps: state.withLock { $0.steps }) }

    /// Appends a step and tells the observers.
    package func add(_ kind: CallTrace.Kind, at instant: ContinuousClock.Instant? = nil) {
        let step = CallTrace.Step(time: began.duration(to: instant ?? time.instant), kind: kind)
        state.withLock { $0.steps.append(step) }
        notify?(.step(step))
    }

    /// Notes a decision of an interceptor.
    package func note(_ decision: String) { add(.note(decision)) }

    /// Appends the exchanges and the steps of another call whose response this call shares.
    package func adopt(_ other: CallRecord) {
        guard other !== self else { return }
        let (count, steps) = other.state.withLock { ($0.count, $0.steps) }
        let offset = began.duration(to: other.began)
        let adopted = state.withLock { state in
            let first = state.count
            state.count += count
            let adopted = steps.map { CallTrace.Step(time: $0.time + offset, kind: $0.kind.renumbered(by: first)) }
            state.steps += adopted
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

    /// The idempotency key of the call, or nil if none was stored.
    package var idempotencyKey: String? { state.withLock { $0.idempotencyKey } }
}

extension CallTrace.Step {
    fileprivate mutating func end(_ outcome: CallTrace.Outcome, after duration: Duration, _ metadata: ResponseMetadata?) {
        guard case .attempt(var attempt) = kind else { return }
        attempt.outcome = outcome
        attempt.duration = duration
        attempt.version = metadata?.version
        attempt.timings = metadata?.timings
        attempt.remoteAddress = metadata?.remoteAddress
        attempt.isConnectionReused = metadata?.isConnectionReused
        kind = .attempt(attempt)
    }
}

extension CallTrace.Kind {
    /// Returns the step with the numbers of attempts increased.
    fileprivate func renumbered(by count: Int) -> Self {
        guard case .attempt(var attempt) = self else { return self }
        attempt.number += count
        return .attempt(attempt)
    }
}
