internal import Dispatch
internal import MartletCore

/// Runs one thing after the other: what may block away from the threads of tasks, and what can't on the caller's own.
final class Lane: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var isBusy = false
        var waiting: [Job] = []
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work`. When the task is cancelled it throws at once; what has begun goes on, and what has not is left out.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(CacheStoreError) -> Value
    ) async throws(CacheStoreError) -> Value {
        let answer = OneShot<Result<Value, CacheStoreError>>(), isCancelled = Locked(Task.isCancelled)
        if isCancelled.withLock({ $0 }) { throw .cancelled }
        post {
            guard !isCancelled.withLock({ $0 }) else { return }
            do throws(CacheStoreError) { answer.set(.success(try work())) } catch { answer.set(.failure(error)) }
        }
        return try await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            isCancelled.withLock { $0 = true }
            answer.set(.failure(.cancelled))
        }.get()
    }

    /// Runs `work` on this thread, at once; nil when something else is under way.
    ///
    /// Waking a thread and being woken by it takes many times as long as a short look-up.
    func runHere<Value>(_ work: () throws(CacheStoreError) -> Value) throws(CacheStoreError) -> Value? {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard isFree else { return nil }
        defer { finishHere() }
        return try work()
    }

    /// Runs `work` some time, for nobody who waits.
    func post(_ work: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            defer { state.isBusy = true }
            state.waiting.append(work)
            return !state.isBusy
        }
        if isFree { queue.async { self.runWaiting() } }
    }

    /// Runs `work` and waits, on a thread that may block.
    func wait(_ work: @escaping @Sendable () -> Void) {
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
