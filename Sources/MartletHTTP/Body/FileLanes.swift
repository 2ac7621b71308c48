internal import Dispatch

/// The lanes on which the files of bodies are opened, examined, read and closed: at most ``limit`` for the whole process.
///
/// A file system that stops responding keeps the lane, and its thread, until it responds. Further work waits for a free lane, without a thread.
/// When none has become free for ``patience``, new work is refused.
package final class FileLanes: WorkLane {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var free: [DispatchQueue] = []
        var count = 0
        /// The work that waits, from ``first`` on. Work that has begun leaves no reference.
        var waiting: [Job?] = []
        var first = 0
        /// When a lane last began something, ended it, or read from a file.
        var lastTurn: ContinuousClock.Instant

        mutating func next() -> Job? {
            guard first < waiting.count else { return nil }
            let job = waiting[first].take()
            first += 1
            if first * 2 > waiting.count {
                waiting.removeSubrange(..<first)
                first = 0
            }
            return job
        }
    }

    /// The lanes of the process.
    package static let shared = FileLanes()
    /// The number of lanes. Dispatch has some 250 threads for the whole process.
    package static let limit = 64
    /// How long all lanes may be occupied, without one becoming free, until new work is refused.
    package static let patience = Duration.seconds(5)

    private let limit: Int
    private let time: any TimeSource
    private let state: Locked<State>
    private let refusals = Lane("martlet.file.refused")

    package init(limit: Int = FileLanes.limit, time: any TimeSource = .system) {
        self.limit = limit
        self.time = time
        state = Locked(State(lastTurn: time.instant))
    }

    /// Runs `work` on a lane and returns its value. Throws `.cancelled` when the task is cancelled, without waiting, and `.invalidRequest` when
    /// too many files do not respond.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        if let refusal { throw refusal }
        return try await run(cancelled: HTTPError.cancelled, work)
    }

    /// Runs `work` when a lane is free, and does not wait for it.
    package func post(_ work: @escaping @Sendable () -> Void) {
        let now = time.instant
        let lane = state.withLock { state -> DispatchQueue? in
            guard let lane = state.free.popLast() ?? make(&state) else {
                state.waiting.append(work)
                return nil
            }
            state.lastTurn = now
            return lane
        }
        if let lane { start(work, on: lane) }
    }

    /// Why no new work is begun; nil while lanes become free.
    package var refusal: HTTPError? {
        let now = time.instant
        let isStuck = state.withLock { state in
            state.free.isEmpty && state.count >= limit && now - state.lastTurn >= FileLanes.patience
        }
        guard isStuck else { return nil }
        return .invalidRequest(
            Explanation("no further file is opened: \(limit) files of bodies have not responded for \(FileLanes.patience)"))
    }

    /// The number of pieces of work that wait for a lane.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.first } }

    /// Notes that a file system has responded within the work of a lane.
    package func noteTurn() {
        let now = time.instant
        state.withLock { $0.lastTurn = now }
    }

    /// Calls `body`, which must not block, away from the caller's thread, for work that was refused.
    package func refuse(_ body: @escaping @Sendable () -> Void) { refusals.post(body) }

    private func make(_ state: inout State) -> DispatchQueue? {
        guard state.count < limit else { return nil }
        state.count += 1
        return DispatchQueue(label: "martlet.file")
    }

    private func start(_ job: @escaping Job, on lane: DispatchQueue) {
        lane.async {
            job()
            self.finish(lane)
        }
    }

    private func finish(_ lane: DispatchQueue) {
        let now = time.instant
        let next = state.withLock { state -> Job? in
            state.lastTurn = now
            guard let next = state.next() else {
                state.free.append(lane)
                return nil
            }
            return next
        }
        if let next { start(next, on: lane) }
    }
}
