internal import MartletEssentials

/// One exchange of a running call, which its ``CallRecord`` begins and ends.
package struct RunningAttempt: Sendable {
    /// The number of the attempt within its call, from 1.
    package let number: Int
    /// The time from the start of the call to the start of the attempt.
    let time: Duration
}

/// What a ``CallRecord`` keeps of an attempt.
struct RecordedAttempt: Sendable {
    private struct End {
        let outcome: CallTrace.Outcome
        let duration: Duration
        let metadata: ResponseMetadata?
    }

    let running: RunningAttempt
    /// The request without its context, which keeps the record.
    private let request: HTTPRequest
    private var end: End?

    init(_ running: RunningAttempt, _ request: HTTPRequest) {
        self.running = running
        self.request = request.withoutContext
    }

    /// Stores the outcome, and of the metadata what does not keep the request and its context.
    mutating func end(_ outcome: CallTrace.Outcome, after duration: Duration, _ metadata: ResponseMetadata?) {
        end = End(outcome: outcome, duration: duration, metadata: metadata?.ofExchange)
    }

    /// The step of the trace.
    var step: CallTrace.Step {
        var attempt = CallTrace.Attempt(number: running.number, request: request)
        if let end {
            attempt.outcome = end.outcome
            attempt.duration = end.duration
            attempt.version = end.metadata?.version
            attempt.timings = end.metadata?.timings
            attempt.remoteAddress = end.metadata?.remoteAddress
            attempt.isConnectionReused = end.metadata?.isConnectionReused
        }
        return CallTrace.Step(time: running.time, kind: .attempt(attempt))
    }
}
