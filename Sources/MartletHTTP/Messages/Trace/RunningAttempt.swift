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
        let version: HTTPVersion?
        let timings: ResponseMetadata.Timings?
        let remoteAddress: String?
        let isConnectionReused: Bool?
    }

    let running: RunningAttempt
    /// The request without its context, which keeps the record.
    private let request: HTTPRequest
    private var end: End?

    init(_ running: RunningAttempt, _ request: HTTPRequest) {
        self.running = running
        self.request = request.withoutContext
    }

    /// Stores the outcome, and of the metadata all but the request, whose context keeps the record.
    mutating func end(_ outcome: CallTrace.Outcome, after duration: Duration, _ metadata: ResponseMetadata?) {
        end = End(
            outcome: outcome, duration: duration, version: metadata?.version, timings: metadata?.timings,
            remoteAddress: metadata?.remoteAddress, isConnectionReused: metadata?.isConnectionReused)
    }

    /// The step of the trace.
    var step: CallTrace.Step {
        var attempt = CallTrace.Attempt(number: running.number, request: request)
        if let end {
            attempt.outcome = end.outcome
            attempt.duration = end.duration
            attempt.version = end.version
            attempt.timings = end.timings
            attempt.remoteAddress = end.remoteAddress
            attempt.isConnectionReused = end.isConnectionReused
        }
        return CallTrace.Step(time: running.time, kind: .attempt(attempt))
    }
}
