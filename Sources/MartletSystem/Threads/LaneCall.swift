/// A piece of work on a ``Lane``, and its result.
package final class LaneCall<Value: Sendable, Failure: Error>: Sendable {
    private enum Phase {
        case waiting, running, abandoned, ended
    }

    private let outcome = OneShot<Result<Value, Failure>>()
    private let phase = Locked(Phase.waiting)
    private let lane: Lane?

    /// - Parameter lane: The lane that replaces the worker when the caller gives up; nil if the worker keeps its place.
    init(replacingWorkersOf lane: Lane?) { self.lane = lane }

    /// Waits for the value. Cancelling the task does not end the wait.
    package func value() async throws(Failure) -> Value { try await outcome.value().get() }

    /// Waits for the value. If the task is cancelled, the call gives up and throws `cancelled`.
    package func value(cancelled: Failure) async throws(Failure) -> Value {
        try await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            giveUp(cancelled)
        }.get()
    }

    /// Ends the wait with `failure`. Running work continues; work that has not begun is dropped.
    ///
    /// - Returns: False if there was a result already.
    @discardableResult
    package func giveUp(_ failure: Failure) -> Bool {
        guard outcome.set(.failure(failure)) else { return false }
        let isAbandoned = phase.withLock { phase in
            let isAbandoned = phase == .running && lane != nil
            if phase == .waiting || isAbandoned { phase = .abandoned }
            return isAbandoned
        }
        if isAbandoned { lane?.abandonWorker() }
        return true
    }

    /// Runs the work, unless the caller has given up. Returns whether the worker keeps its place.
    func run(_ work: () throws(Failure) -> Value) -> Bool {
        let mayBegin = phase.withLock { phase in
            guard phase == .waiting else { return false }
            phase = .running
            return true
        }
        guard mayBegin else { return true }
        do throws(Failure) { outcome.set(.success(try work())) } catch { outcome.set(.failure(error)) }
        return phase.withLock { phase in
            defer { phase = .ended }
            return phase != .abandoned
        }
    }
}
