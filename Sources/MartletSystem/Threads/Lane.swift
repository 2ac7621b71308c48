internal import Dispatch

/// Where work runs that may block, away from the threads of tasks.
package protocol WorkLane: Sendable {
    /// Runs `work` later and does not wait for it.
    func post(_ work: @escaping @Sendable () -> Void)
}

extension WorkLane {
    /// Runs `work` and returns its value. When the task is cancelled, it throws `cancelled` without waiting: work that has begun
    /// continues, and work that has not is left out.
    package func run<Value: Sendable, Failure: Error>(
        cancelled: Failure, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let answer = OneShot<Result<Value, Failure>>(), isCancelled = Locked(Task.isCancelled)
        if isCancelled.withLock({ $0 }) { throw cancelled }
        post {
            guard !isCancelled.withLock({ $0 }) else { return }
            do throws(Failure) { answer.set(.success(try work())) } catch { answer.set(.failure(error)) }
        }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            isCancelled.withLock { $0 = true }
            answer.set(.failure(cancelled))
        }.get()
    }
}

/// Runs work in order, one at a time: work that may block away from the threads of tasks, and work that can't block on the caller's own.
///
/// A call that never returns occupies its lane and one thread, and nothing else. Dispatch has some 250 threads for all lanes.
package final class Lane: WorkLane {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var isBusy = false
        var waiting: [Job] = []
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    /// A lane; its thread carries the label.
    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` on the calling thread. Returns nil without running it if the lane is busy.
    ///
    /// Switching threads takes many times as long as a short lookup.
    package func runHere<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value? {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { return nil }
        defer { finishHere() }
        return try work()
    }

    /// Queues `work` and returns without waiting.
    package func post(_ work: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            state.waiting.append(work)
            return !state.isBusy
        }
        if isFree { queue.async { self.runWaiting() } }
    }

    /// Runs `work` and waits, on a thread that may block.
    package func wait(_ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        post {
            work()
            done.signal()
        }
        done.wait()
    }

    private func finishHere() {
        let isNext = state.withLock { state in
            state.isBusy = !state.waiting.isEmpty
            return state.isBusy
        }
        if isNext { queue.async { self.runWaiting() } }
    }

    private func runWaiting() {
        while true {
            let jobs = state.withLock { state in
                state.isBusy = !state.waiting.isEmpty
                defer { state.waiting = [] }
                return state.waiting
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }
}
