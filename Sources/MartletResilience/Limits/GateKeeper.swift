internal import MartletSystem

/// Lets requests wait at the gates of their groups.
final class GateKeeper<Limit: Gate>: Sendable {
    private struct Group: Sendable {
        var queue: GateQueue<Limit>
        var waiters: [Int: OneShot<Outcome>] = [:]
        /// The instant of the timer that admits the next request, and the timer.
        var due: ContinuousClock.Instant?
        var timer: (any ScheduledTimer)?
    }

    private enum Outcome: Sendable {
        case admitted
        case cancelled
        case late
    }

    private let groups: Locked<ScopedStates<Group>>
    private let maxWait: Duration?
    /// Called after requests were admitted or have begun to wait.
    private let afterUpdate: (@Sendable (GateKeeper, String) -> Void)?
    let time: InheritedTime

    /// Creates the gates.
    ///
    /// - Parameters:
    ///   - maxWaiting: The maximum number of waiting requests in each group.
    ///   - maxWait: The longest wait, or nil for no limit.
    ///   - afterUpdate: Called with the name of a group after requests were admitted or have begun to wait.
    init(
        maxWaiting: Int, maxWait: Duration?, time: (any TimeSource)?,
        afterUpdate: (@Sendable (GateKeeper, String) -> Void)? = nil, make: @escaping @Sendable () -> Limit
    ) {
        self.afterUpdate = afterUpdate
        groups = Locked(ScopedStates(retention: { $0.queue.retention(at: $1) }) { Group(queue: GateQueue(make(), maxWaiting: maxWaiting)) })
        self.maxWait = maxWait
        self.time = InheritedTime(time)
    }

    /// The gates by group, with the numbers of waiting requests.
    var all: [String: (gate: Limit, waiting: Int)] { groups.withLock { $0.all }.mapValues { ($0.queue.gate, $0.queue.count) } }

    /// Waits until the request is admitted. The caller must report its end with ``leave(_:_:)``.
    ///
    /// Throws `.limitExceeded` if the queue is full or the wait would take too long, and `.cancelled`.
    func enter(_ group: String, _ request: HTTPRequest, as what: String) async throws(HTTPError) {
        time.adopt(request.context)
        let arrived = time.instant
        let latest = [maxWait.map { arrived + $0 }, request.context.deadline].compactMap(\.self).min()
        let waiter = OneShot<Outcome>()
        let arrival = groups.withLock { groups in
            groups.with(group, at: arrived) { state in
                let arrival = state.queue.arrive(at: arrived, latest: latest)
                if case .waiting(let number) = arrival { state.waiters[number] = waiter }
                return arrival
            }
        }
        switch arrival {
        case .admitted: return
        case .rejected(let why, let earliest):
            throw rejection(why, what, group, earliest.map { max(.zero, arrived.duration(to: $0)) })
        case .waiting(let number):
            update(group)
            // At the deadline, the call cancels the wait and throws `.timeout`.
            let outcome = await wait(number, waiter, group, until: latest == request.context.deadline ? nil : latest)
            let waited = arrived.duration(to: time.instant)
            request.context.limitWait?.add(waited)
            switch outcome {
            case .admitted: request.context.record?.note("waited \(waited.shortText) for \(what) of \(group)")
            // The breaker must not count a request that was never sent as a timeout of the server.
            case .cancelled where request.context.hasExpired:
                throw rejection(.waitIsTooLong, what, group, nil)
            case .cancelled:
                throw .cancelled(ErrorContext(request: request, stage: .interceptor, detail: "while waiting for \(what) of \(group)"))
            case .late: throw rejection(.waitIsTooLong, what, group, nil)
            }
        }
    }

    /// Reports the end of a request to its gate, and admits waiting ones.
    func leave(_ group: String, _ change: (inout Limit) -> Void) {
        let isKnown = groups.withLock { $0.withKnown(group) { change(&$0.queue.gate) } != nil }
        if isKnown { update(group) }
    }

    /// Changes the gate of a group unless it is missing. The closure is passed the number of waiting requests.
    func withGate<Result: Sendable>(_ group: String, _ body: (inout Limit, Int) -> Result) -> Result? {
        groups.withLock { $0.withKnown(group) { body(&$0.queue.gate, $0.queue.count) } }
    }

    private func wait(
        _ number: Int, _ waiter: OneShot<Outcome>, _ group: String, until latest: ContinuousClock.Instant?
    ) async -> Outcome {
        let timer = latest.map { time.timer(at: $0) { self.stop(number, waiter, group, .late) } }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            stop(number, waiter, group, .cancelled)
        }
    }

    /// Ends a wait, unless the request was admitted before.
    private func stop(_ number: Int, _ waiter: OneShot<Outcome>, _ group: String, _ outcome: Outcome) {
        let isWaiting =
            groups.withLock { groups in
                groups.withKnown(group) { state in
                    state.waiters[number] = nil
                    return state.queue.leave(number)
                }
            } ?? false
        if isWaiting { waiter.set(outcome) }
    }

    /// Admits the waiting requests whose turn has come, and sets the timer for the next one.
    private func update(_ group: String) {
        let now = time.instant
        let (admitted, due) = groups.withLock { groups -> ([OneShot<Outcome>], ContinuousClock.Instant?) in
            groups.withKnown(group) { state in
                let (numbers, next) = state.queue.admit(at: now)
                let admitted = numbers.compactMap { state.waiters.removeValue(forKey: $0) }
                if let due = state.due, due > now, let next, due <= next { return (admitted, nil) }
                state.due = next
                return (admitted, next)
            } ?? ([], nil)
        }
        for waiter in admitted { waiter.set(.admitted) }
        afterUpdate?(self, group)
        guard let due else { return }
        let timer = time.timer(at: due) { [weak self] in self?.update(group) }
        let superseded = groups.withLock { groups in
            groups.withKnown(group) { state -> (any ScheduledTimer)? in
                guard state.due == due else { return timer }
                defer { state.timer = timer }
                return state.timer
            } ?? timer
        }
        superseded?.cancel()
    }

    private func rejection(
        _ why: GateQueue<Limit>.Rejection, _ what: String, _ group: String, _ wait: Duration?
    ) -> HTTPError {
        let reason = why == .queueIsFull ? "its queue is full" : "the wait would take longer than the call may wait"
        return .limitExceeded(
            Explanation(
                "\(what) of \(Redaction.line(group, limit: 200)) rejected the request, because \(reason)",
                context: ErrorContext(stage: .interceptor, retryAfter: wait)))
    }
}
