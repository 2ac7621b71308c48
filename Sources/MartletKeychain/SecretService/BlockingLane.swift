internal import MartletAuth

/// Runs blocking calls one after the other on a thread of their own, and gives up on one that hangs.
///
/// The thread lives while there is something to do. A call whose time is over has failed for its caller; the thread that it hangs in is
/// left to itself, and another takes its place for the calls behind it. No more than `mostAbandoned` threads hang at a time: from then
/// on calls fail at once, until one of those has come back.
final class BlockingLane: Sendable {
    private struct Job: Sendable {
        let id: Int
        let run: @Sendable () -> Void
        let fail: @Sendable (TokenStoreError) -> Void
    }

    private struct State {
        var lastID = 0
        var queue: [Job] = []
        /// The thread that takes from the queue, and the call that it is in.
        var worker: (id: Int, job: Int?)?
        var abandoned: Set<Int> = []
    }

    typealias StartThread = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    private let state = Locked(State())
    private let mostAbandoned: Int
    private let startThread: StartThread

    init(mostAbandoned: Int = 4, startThread: @escaping StartThread) {
        self.mostAbandoned = mostAbandoned
        self.startThread = startThread
    }

    /// How many threads hang in calls that were given up on.
    var abandonedCount: Int { state.withLock { $0.abandoned.count } }

    /// Runs `work`. After `timeout`, waiting included, `cancel` is called and the answer is `.timedOut`; cancelling the task does not end
    /// the wait.
    func run<Value: Sendable>(
        within timeout: Duration, time: any TimeSource, cancel: @escaping @Sendable () -> Void,
        _ work: @escaping @Sendable () -> Result<Value, TokenStoreError>
    ) async throws(TokenStoreError) -> Value {
        let answer = OneShot<Result<Value, TokenStoreError>>()
        let deadline = time.instant + timeout
        let id = submit(run: { answer.set(work()) }, fail: { answer.set(.failure($0)) })
        let timer = time.timer(at: deadline) {
            guard answer.set(.failure(.timedOut(after: timeout))) else { return }
            self.abandon(id)
            cancel()
        }
        let result = await answer.value()
        timer.cancel()
        return try result.get()
    }

    private func submit(run: @escaping @Sendable () -> Void, fail: @escaping @Sendable (TokenStoreError) -> Void) -> Int {
        let (id, isTaken, worker) = state.withLock { state -> (Int, Bool, Int?) in
            state.lastID += 1
            let id = state.lastID
            guard state.abandoned.count < mostAbandoned else { return (id, false, nil) }
            state.queue.append(Job(id: id, run: run, fail: fail))
            return (id, true, Self.hire(&state))
        }
        if !isTaken { fail(.unresponsive) }
        start(worker)
        return id
    }

    /// Gives up on a call: takes it out of the queue, or leaves the thread that it hangs in to itself.
    private func abandon(_ id: Int) {
        let (worker, failed) = state.withLock { state -> (Int?, [Job]) in
            guard let worker = state.worker, worker.job == id else {
                state.queue.removeAll { $0.id == id }
                return (nil, [])
            }
            state.abandoned.insert(worker.id)
            state.worker = nil
            if state.abandoned.count < mostAbandoned { return (Self.hire(&state), []) }
            let failed = state.queue
            state.queue = []
            return (nil, failed)
        }
        for job in failed { job.fail(.unresponsive) }
        start(worker)
    }

    /// A new thread's number, when one is needed.
    private static func hire(_ state: inout State) -> Int? {
        guard state.worker == nil, !state.queue.isEmpty else { return nil }
        state.lastID += 1
        state.worker = (state.lastID, nil)
        return state.lastID
    }

    private func start(_ worker: Int?) {
        guard let worker, !startThread({ self.work(as: worker) }) else { return }
        let failed = state.withLock { state in
            let failed = state.queue
            state.queue = []
            state.worker = nil
            return failed
        }
        for job in failed { job.fail(.failed(code: 0, "no thread could be started")) }
    }

    private func work(as worker: Int) {
        while let job = next(for: worker) { job.run() }
    }

    private func next(for worker: Int) -> Job? {
        state.withLock { state in
            // It has come back late: another has taken its place.
            if state.abandoned.remove(worker) != nil { return nil }
            guard !state.queue.isEmpty else {
                state.worker = nil
                return nil
            }
            let job = state.queue.removeFirst()
            state.worker = (worker, job.id)
            return job
        }
    }
}
