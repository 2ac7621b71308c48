internal import MartletSystem

/// A part that is being read while the data so far may be delivered. Dropping it stops the reading.
final class PendingPart: Sendable {
    /// The result of reading, and the parts that follow.
    struct Outcome: Sendable {
        let parts: JSONParts
        let part: Result<JSONParts.Part?, HTTPError>
    }

    /// The state of the reading task, separate from the pending part so that dropping the part ends the task.
    private final class Inbox: Sendable {
        private let state = Locked<(outcome: Outcome?, waiter: OneShot<Void>?)>((nil, nil))

        func put(_ outcome: Outcome) {
            let waiter = state.withLock { state in
                state.outcome = outcome
                return state.waiter.take()
            }
            waiter?.set(())
        }

        /// Sets `waiter` when there is an outcome.
        func notify(_ waiter: OneShot<Void>) {
            let isEarly = state.withLock { state in
                if state.outcome == nil { state.waiter = waiter }
                return state.outcome != nil
            }
            if isEarly { waiter.set(()) }
        }

        var outcome: Outcome? { state.withLock { $0.outcome } }
    }

    private let inbox: Inbox
    private let task: Task<Void, Never>

    /// Starts to read the next part of `parts`.
    init(_ parts: JSONParts, upTo limit: Int) {
        let inbox = Inbox()
        self.inbox = inbox
        task = Task {
            var parts = parts
            let part: Result<JSONParts.Part?, HTTPError>
            do throws(HTTPError) { part = .success(try await parts.next(upTo: limit)) } catch { part = .failure(error) }
            inbox.put(Outcome(parts: parts, part: part))
        }
    }

    deinit { task.cancel() }

    /// Returns the outcome, or nil if `wait` passes first. A nil `wait` sets no limit. Cancelling the task cancels the reading.
    func outcome(within wait: Duration?, time: any TimeSource) async -> Outcome? {
        let waiter = OneShot<Void>()
        inbox.notify(waiter)
        let timer = wait.map { time.timer(at: time.instant + $0) { waiter.set(()) } }
        defer { timer?.cancel() }
        await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            task.cancel()
        }
        return inbox.outcome
    }
}
