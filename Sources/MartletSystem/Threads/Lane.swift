internal import Dispatch

/// Runs blocking work in order, outside the threads of Swift's task pool, with a limit on concurrent work: the lane's width.
///
/// Work that never returns occupies its place in the lane and one thread. Dispatch has about 250 threads for all lanes. A lane with
/// `maxAbandoned` passes the place to a new worker as soon as the caller gives up (``LaneCall/giveUp(_:)``).
package final class Lane: Sendable {
    /// Runs a worker on another thread and returns without waiting. The worker ends when no work is left.
    package typealias StartWorker = @Sendable (_ worker: @escaping @Sendable () -> Void) throws(SystemFailure) -> Void

    /// The reason why a lane rejects work. A lane on Dispatch never rejects it.
    package enum Refusal: Sendable {
        /// The maximum number of workers hang in abandoned work.
        case unresponsive
        /// No worker could be started, and none is busy.
        case noThread
    }

    struct Job: Sendable {
        /// Does the work. Returns false if the caller gave up meanwhile and the lane has passed the worker's place on.
        let run: @Sendable () -> Bool
        let refuse: @Sendable (Refusal) -> Void
    }

    private struct State {
        var waiting = Line()
        /// The number of occupied places.
        var busy = 0
        /// The number of places whose workers have not taken work yet.
        var starting = 0
        /// The number of workers without a place that have not returned yet.
        var abandoned = 0
        /// When a place was last taken, given up, or passed on.
        var lastTurn: ContinuousClock.Instant?
    }

    /// The waiting work, from `first` on. Work that has begun leaves no reference.
    private struct Line {
        private var jobs: [Job?] = []
        private var first = 0

        var count: Int { jobs.count - first }

        mutating func append(_ job: Job) { jobs.append(job) }

        mutating func removeFirst() -> Job? {
            guard count > 0 else { return nil }
            let job = jobs[first].take()
            first += 1
            if first * 2 > jobs.count {
                jobs.removeSubrange(..<first)
                first = 0
            }
            return job
        }

        mutating func removeAll() -> [Job] {
            defer { self = Line() }
            return jobs.compactMap { $0 }
        }
    }

    private let width: Int
    private let maxAbandoned: Int?
    private let jobsPerTurn: Int
    private let time: (any TimeSource)?
    private let noteProgress: (@Sendable () -> Void)?
    private let startWorker: StartWorker
    private let state = Locked(State())

    /// Creates a lane on queues of Dispatch.
    ///
    /// - Parameters:
    ///   - width: The maximum number of concurrent pieces of work.
    ///   - time: The clock for ``isStuck(for:)``.
    package convenience init(_ label: String, width: Int = 1, time: (any TimeSource)? = nil) {
        let only = DispatchQueue(label: label)
        // Each worker has its own queue: a serial queue gets a thread even if the threads of all other queues hang.
        self.init(width: width, time: time) { (width == 1 ? only : DispatchQueue(label: label)).async(execute: $0) }
    }

    /// Creates a lane on workers that `startWorker` starts.
    ///
    /// - Parameters:
    ///   - maxAbandoned: The number of workers hanging in abandoned work at which the lane rejects work. Default: nil. Giving up on running
    ///     work then does not free its place.
    ///   - jobsPerTurn: The number of pieces of work after which a worker ends and another is started.
    ///   - noteProgress: Called when a piece of work has ended, before its value is returned, for a lane over another one. Default: nil.
    package init(
        width: Int = 1, maxAbandoned: Int? = nil, jobsPerTurn: Int = .max, time: (any TimeSource)? = nil,
        noteProgress: (@Sendable () -> Void)? = nil, startWorker: @escaping StartWorker
    ) {
        self.width = width
        self.maxAbandoned = maxAbandoned
        self.jobsPerTurn = jobsPerTurn
        self.time = time
        self.noteProgress = noteProgress
        self.startWorker = startWorker
    }

    // MARK: Work

    /// Queues `work` and returns without waiting. If the lane rejects it, `work` never runs.
    package func post(_ work: @escaping @Sendable () -> Void) {
        let run = { @Sendable () -> Bool in
            work()
            self.noteEnd()
            return true
        }
        submit(Job(run: run, refuse: { _ in }))
    }

    /// Queues `work` and returns without waiting.
    package func begin<Value: Sendable, Failure: Error>(
        refused: @escaping @Sendable (Refusal) -> Failure, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) -> LaneCall<Value, Failure> {
        let call = LaneCall<Value, Failure>(replacingWorkersOf: maxAbandoned == nil ? nil : self)
        let work = { @Sendable () throws(Failure) -> Value in
            defer { self.noteEnd() }
            return try work()
        }
        submit(Job(run: { call.run(work) }, refuse: { call.giveUp(refused($0)) }))
        return call
    }

    /// Runs `work` and returns its value. If the task is cancelled, it throws `cancelled` without waiting: running work continues, and work
    /// that has not begun is dropped.
    package func run<Value: Sendable, Failure: Error>(
        cancelled: Failure, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if Task.isCancelled { throw cancelled }
        return try await begin(refused: { _ in cancelled }, work).value(cancelled: cancelled)
    }

    /// Runs `work` on the calling thread. Returns nil without running it if the lane has no free place.
    ///
    /// A change of threads takes many times as long as a short lookup.
    package func runHere<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value? {
        let isFree = state.withLock { state in
            guard state.busy < width else { return false }
            state.busy += 1
            return true
        }
        guard isFree else { return nil }
        defer { leave() }
        return try work()
    }

    /// Runs `work` on the lane and blocks the calling thread until it ends.
    package func wait(_ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        post {
            work()
            done.signal()
        }
        done.wait()
    }

    // MARK: Load

    /// The number of pieces of work that wait for a place.
    package var waitingCount: Int { state.withLock { max(0, $0.waiting.count - $0.starting) } }

    /// The number of workers that hang in abandoned work.
    var abandonedCount: Int { state.withLock { $0.abandoned } }

    /// Whether all places are occupied, and no work has begun, ended or called ``noteTurn()`` during `patience`.
    package func isStuck(for patience: Duration) -> Bool {
        guard let now = time?.instant else { return false }
        return state.withLock { $0.busy >= width && now - ($0.lastTurn ?? now) >= patience }
    }

    /// Records that running work has made progress.
    package func noteTurn() {
        let now = time?.instant
        state.withLock { $0.lastTurn = now }
    }

    /// Records that a piece of work has ended. Called before its value is returned, so that the next piece sees it.
    private func noteEnd() {
        if time != nil { noteTurn() }
        noteProgress?()
    }

    // MARK: Workers

    private func submit(_ job: Job) {
        let now = time?.instant
        let (isTaken, mustStart) = state.withLock { state -> (Bool, Bool) in
            if isUnresponsive(state) { return (false, false) }
            state.waiting.append(job)
            guard state.busy < width else { return (true, false) }
            state.busy += 1
            state.starting += 1
            state.lastTurn = now
            return (true, true)
        }
        if !isTaken { job.refuse(.unresponsive) }
        if mustStart { start() }
    }

    private func isUnresponsive(_ state: State) -> Bool { maxAbandoned.map { state.abandoned >= $0 } ?? false }

    private func start() {
        do throws(SystemFailure) { try startWorker { self.work() } } catch {
            state.withLock { $0.starting -= 1 }
            giveUpPlace(.noThread)
        }
    }

    private func work() {
        for number in 0..<jobsPerTurn {
            guard let job = next(isFirst: number == 0) else { return }
            guard job.run() else { return state.withLock { $0.abandoned -= 1 } }
        }
        leave()
    }

    /// Returns the next piece of work for a worker. Nil means that the worker has given up its place.
    private func next(isFirst: Bool) -> Job? {
        let now = time?.instant
        return state.withLock { state in
            if isFirst { state.starting -= 1 }
            state.lastTurn = now
            let job = state.waiting.removeFirst()
            if job == nil { state.busy -= 1 }
            return job
        }
    }

    /// Passes a place to a new worker, or gives it up if no work waits.
    private func leave() {
        let mustStart = state.withLock { state in
            let mustStart = state.waiting.count > 0
            if mustStart { state.starting += 1 } else { state.busy -= 1 }
            return mustStart
        }
        if mustStart { start() }
    }

    /// Passes on the place of a worker whose caller has given up.
    func abandonWorker() {
        let isUnresponsive = state.withLock { state in
            state.abandoned += 1
            return self.isUnresponsive(state)
        }
        if isUnresponsive { giveUpPlace(.unresponsive) } else { leave() }
    }

    /// Gives up a place and rejects the waiting work. Without a thread, it leaves that work to the other busy workers, if there are any.
    private func giveUpPlace(_ reason: Refusal) {
        let refused = state.withLock { state in
            state.busy -= 1
            return reason == .noThread && state.busy > 0 ? [] : state.waiting.removeAll()
        }
        for job in refused { job.refuse(reason) }
    }
}
