internal import MartletEssentials

/// One exchange of a running call, which its ``CallRecord`` begins and ends.
package final class RunningAttempt: Sendable {
    private struct End {
        let outcome: CallTrace.Outcome
        let duration: Duration
        let version: HTTPVersion?
        let timings: ResponseMetadata.Timings?
        let remoteAddress: String?
        let isConnectionReused: Bool?
    }

    /// The number of the attempt within its call, from 1.
    package let number: Int
    /// The time from the start of the call to the start of the attempt.
    let time: Duration
    /// The request without its context, which keeps the record.
    let request: HTTPRequest
    // Proof: read and written only by `end` and `step`, which the record calls while it holds its lock.
    @exclusivity(unchecked) private nonisolated(unsafe) var end: End?

    init(_ number: Int, _ request: HTTPRequest, _ time: Duration) {
        self.number = number
        self.request = request.withoutContext
        self.time = time
    }

    /// Stores the outcome. Called only while the record's lock is held.
    func end(_ outcome: CallTrace.Outcome, after duration: Duration, _ metadata: ResponseMetadata?) {
        end = End(
            outcome: outcome, duration: duration, version: metadata?.version, timings: metadata?.timings,
            remoteAddress: metadata?.remoteAddress, isConnectionReused: metadata?.isConnectionReused)
    }

    /// The step of the trace. Read only while the record's lock is held.
    var step: CallTrace.Step {
        var attempt = CallTrace.Attempt(number: number, request: request)
        if let end {
            attempt.outcome = end.outcome
            attempt.duration = end.duration
            attempt.version = end.version
            attempt.timings = end.timings
            attempt.remoteAddress = end.remoteAddress
            attempt.isConnectionReused = end.isConnectionReused
        }
        return CallTrace.Step(time: time, kind: .attempt(attempt))
    }
}
