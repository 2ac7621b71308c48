internal import MartletSystem

/// One request and, after a delay, its second attempt.
final class HedgedRace: Sendable {
    typealias Outcome = Result<HTTPResponse<HTTPBody>, HTTPError>

    private struct Attempt: Sendable {
        let began: ContinuousClock.Instant
        var task: Task<Void, Never>?
        var outcome: Outcome?
    }

    private struct State: Sendable {
        var attempts: [Attempt] = []
        var isOver = false
    }

    private let request: HTTPRequest
    private let next: Next
    private let time: any TimeSource
    private let record: @Sendable (Duration) -> Void
    private let takeBudget: @Sendable (ContinuousClock.Instant) -> Bool
    private let state = Locked(State())
    private let result = OneShot<Outcome>()
    /// True when the delay is over, false when the race ends before.
    private let isDue = OneShot<Bool>()

    /// - Parameters:
    ///   - record: Records the duration of a good response.
    ///   - takeBudget: Returns whether a second attempt is permitted.
    init(
        _ request: HTTPRequest, _ next: Next, _ time: any TimeSource, record: @escaping @Sendable (Duration) -> Void,
        takeBudget: @escaping @Sendable (ContinuousClock.Instant) -> Bool
    ) {
        self.request = request
        self.next = next
        self.time = time
        self.record = record
        self.takeBudget = takeBudget
    }

    /// Runs the attempts and returns the outcome that counts.
    func run(after delay: Duration) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        // The tasks of the attempts do not inherit the cancellation.
        if Task.isCancelled { throw .cancelled }
        begin()
        if let early = result.early { return try early.get() }
        let timer = time.timer(at: time.instant + delay) { [isDue] in isDue.set(true) }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            // The second attempt begins in this task, whose local values it inherits.
            if await isDue.value(), takeBudget(time.instant), begin() {
                request.context.record?.note("sent again after \(delay.shortText) without a response")
            }
            return await result.value()
        } onCancel: {
            finish(.failure(.cancelled), winner: nil)
        }.get()
    }

    /// Whether an outcome wins against an attempt that is still running.
    static func isGood(_ outcome: Outcome) -> Bool {
        guard case .success(let response) = outcome else { return false }
        return response.status.kind != .serverError && response.status != .tooManyRequests && response.status != .requestTimeout
    }

    /// Whether an interceptor inside rejected the attempt without sending it, which says less than the outcome of the other one.
    private static func isRejection(_ outcome: Outcome) -> Bool {
        if case .failure(let error) = outcome { error.isRejection } else { false }
    }

    /// Begins an attempt. Returns false if the race is over.
    @discardableResult
    private func begin() -> Bool {
        let attempt = Attempt(began: time.instant)
        let index = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.attempts.append(attempt)
            return state.attempts.count - 1
        }
        guard let index else { return false }
        let task = beginTask { [self] in
            let outcome: Outcome
            do throws(HTTPError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
            ended(index, outcome)
        }
        let isOver = state.withLock { state in
            state.attempts[index].task = task
            return state.isOver && state.attempts[index].outcome == nil
        }
        if isOver { task.cancel() }
        return true
    }

    private func ended(_ index: Int, _ outcome: Outcome) {
        let now = time.instant
        let (began, isLast, earlier) = state.withLock { state -> (ContinuousClock.Instant, Bool, Outcome?) in
            state.attempts[index].outcome = outcome
            // There are at most two.
            let other = state.attempts.indices.first { $0 != index }.map { state.attempts[$0] }
            return (state.attempts[index].began, other == nil || other?.outcome != nil, other?.outcome)
        }
        if HedgedRace.isGood(outcome) {
            record(began.duration(to: now))
            finish(outcome, winner: index)
        } else if isLast {
            if let earlier, !HedgedRace.isRejection(earlier) { finish(earlier, winner: 1 - index) } else { finish(outcome, winner: index) }
        }
    }

    /// Ends the race and cancels the attempts that are still running.
    private func finish(_ outcome: Outcome, winner: Int?) {
        let attempts = state.withLock { state -> [Attempt]? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.attempts
        }
        guard let attempts else { return }
        for (index, attempt) in attempts.enumerated() where index != winner && attempt.outcome == nil { attempt.task?.cancel() }
        if winner != nil, attempts.count > 1 {
            request.context.record?.note("one attempt of a hedged request was used, the other one dropped")
        }
        result.set(outcome)
        isDue.set(false)
    }
}
