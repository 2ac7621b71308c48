internal import MartletEssentials
internal import MartletSystem

/// Reads a source over as many connections as necessary, and returns one signal for each step.
package struct ReconnectingLoop<Source: ReconnectingSource> {
    /// Requests for a new connection, and the reason that the reader then gets.
    package typealias Restarts = (requests: RestartRequests, reason: Source.Signal.Reason)

    fileprivate enum Phase {
        case waiting(Duration)
        case connecting
        case reading(Source.Connection)
        case finished
    }

    package private(set) var source: Source
    private var phase: Phase
    private var history: ReconnectionHistory
    /// The number of the last connection.
    private var number = 0
    private let call: LongLivedCall
    private let time: any TimeSource
    private let random: any RandomSource
    private let restarts: Restarts?

    /// Creates a loop that has not begun.
    ///
    /// - Parameters:
    ///   - source: The source of the signals.
    ///   - settings: When another connection follows.
    ///   - delay: The wait before the first connection. Default: zero.
    ///   - call: The call that all connections belong to.
    ///   - time: The clock for waits.
    ///   - random: The random numbers for the jitter of waits.
    ///   - restarts: Requests for a new connection. Default: nil, there are none.
    package init(
        _ source: Source, _ settings: EventReconnection, after delay: Duration = .zero, call: LongLivedCall, time: any TimeSource,
        random: any RandomSource, restarts: Restarts? = nil
    ) {
        self.source = source
        self.call = call
        self.time = time
        self.random = random
        self.restarts = restarts
        phase = .waiting(delay)
        history = ReconnectionHistory(settings)
    }

    /// Returns the next signal, or nil at the end. After an error, the loop is finished.
    package mutating func next() async throws(Source.Failure) -> Source.Signal? {
        do throws(Source.Failure) {
            while true {
                if Task.isCancelled { throw Source.failure(.cancelled) }
                if case .finished = phase {
                    call.end()
                    return nil
                }
                try checkCall()
                if let signal = try await step() { return signal }
            }
        } catch {
            // Releases the connection, which closes it.
            phase = .finished
            call.end()
            throw error
        }
    }

    /// Returns the next signal if it has arrived already. Returns nil also if something else comes first, which ``next()`` then does.
    ///
    /// Most messages arrive together with others. They need no asynchronous call.
    package mutating func arrived() -> Source.Signal? {
        guard case .reading(let connection) = phase, !isCancelled, !(restarts?.requests.isRequested ?? false) else { return nil }
        return source.arrived(on: connection, noting: &history)
    }

    private var isCancelled: Bool { Task.isCancelled || call.isCancelled }

    private func checkCall() throws(Source.Failure) {
        do { try call.check() } catch { throw Source.failure(error) }
    }

    /// Performs one step. Returns nil if it is not a signal.
    private mutating func step() async throws(Source.Failure) -> Source.Signal? {
        if let restarts, restarts.requests.take() { return try reconnect(because: restarts.reason) }
        switch phase {
        case .waiting(let wait):
            if wait > .zero { try await sleep(wait) }
            if number == 0 { try source.prepare(1, after: nil) }
            number += 1
            phase = .connecting
            return .connecting(number: number)
        case .connecting:
            let source = source
            let outcome = await interruptible { () async throws(Source.Failure) in try await source.connect() }
            let step = try self.source.opened(outcome)
            return try take(step)
        case .reading(let connection):
            if let signal = source.arrived(on: connection, noting: &history) { return signal }
            let step = try await source.read(connection, noting: &history)
            return try take(step)
        case .finished: return nil
        }
    }

    private func sleep(_ wait: Duration) async throws(Source.Failure) {
        let time = time
        let outcome = await interruptible { () async throws(Source.Failure) in
            do { try await time.sleep(for: wait) } catch { throw Source.failure(.cancelled) }
        }
        // A restart that was requested during the wait has no further effect: the next connection follows anyway.
        let isRestarted = restarts?.requests.take() ?? false
        if case .failure = outcome, isCancelled || !isRestarted {
            throw Source.failure(.cancelled(ErrorContext(detail: "while waiting \(wait.shortText) for the next connection")))
        }
    }

    /// Runs an operation that the call and a restart may cancel.
    private func interruptible<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(Source.Failure) -> Value
    ) async -> Result<Value, Source.Failure> {
        let call = call
        guard let requests = restarts?.requests else { return await call.run(operation) }
        let task = Task { () async -> Result<Value, Source.Failure> in await call.run(operation) }
        requests.arm { task.cancel() }
        defer { requests.disarm() }
        return await task.resultCancelledByCaller().get()
    }

    private mutating func take(_ step: ConnectionStep<Source>) throws(Source.Failure) -> Source.Signal? {
        switch step {
        case .signal(let signal): return signal
        case .nothing: return nil
        case .opened(let connection, let signal, let interruption):
            history.opened(at: time.instant)
            phase = .reading(connection)
            call.onCancel(interruption)
            restarts?.requests.arm(interruption)
            return signal
        case .finished:
            phase = .finished
            return nil
        case .again(let reason): return try reconnect(because: reason)
        case .lost(let loss): return try follow(loss)
        }
    }

    /// Performs the decision after a loss.
    private mutating func follow(_ loss: ConnectionLoss<Source>) throws(Source.Failure) -> Source.Signal? {
        if loss.failure == .cancelled, !Task.isCancelled, let restarts, restarts.requests.take() {
            return try reconnect(because: restarts.reason)
        }
        switch history.decision(after: end(of: loss), at: time.instant, random: random) {
        case .reconnect(let wait): return try reconnect(after: wait, because: loss.reason, loss.failure)
        case .end:
            if let error = loss.error { throw error }
            phase = .finished
            return nil
        case .cancel:
            if loss.failure == .cancelled, let error = loss.error { throw error }
            throw Source.failure(.cancelled)
        case .outOfTime:
            if loss.failure != nil, let error = loss.error { throw error }
            let words = "the stream ended, and the deadline of the task leaves no time for another connection"
            throw Source.failure(.timeout(ErrorContext(request: loss.request, stage: .request, detail: words)))
        }
    }

    private func end(of loss: ConnectionLoss<Source>) -> ConnectionEnd {
        ConnectionEnd(
            cause: loss.cause, isIdempotent: loss.isIdempotent, isCancelled: isCancelled,
            requestedWait: loss.failure?.response.flatMap { ServerWait.asked(by: $0.map { _ in }, now: time.now) },
            timeLeft: TaskDeadline.remaining(time: time))
    }

    private mutating func reconnect(
        after wait: Duration = .zero, because reason: Source.Signal.Reason, _ error: HTTPError? = nil
    ) throws(Source.Failure) -> Source.Signal {
        try source.prepare(number + 1, after: error)
        phase = .waiting(wait)
        return .reconnecting(after: wait, because: reason)
    }
}

extension ReconnectingLoop.Phase: Sendable where Source.Connection: Sendable {}

extension ReconnectingLoop: Sendable where Source.Connection: Sendable {}

/// Requests to replace the connection of a ``ReconnectingLoop``, from code that does not read it.
package final class RestartRequests: Sendable {
    private struct State {
        var isRequested = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    package init() {}

    /// Whether a restart was requested that has not begun.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests a restart, and interrupts what the loop waits for.
    package func request() {
        let interrupt = state.withLock { state in
            state.isRequested = true
            return state.interrupt
        }
        interrupt?()
    }

    /// Forgets all requests, for a new loop.
    func reset() { _ = state.withLock { exchange(&$0, with: State()) } }

    /// Returns whether a restart was requested, and resets the request.
    func take() -> Bool { state.withLock { exchange(&$0.isRequested, with: false) } }

    /// Sets the action of a restart until ``disarm()``. If a restart was already requested, it runs the action immediately.
    func arm(_ interrupt: @escaping @Sendable () -> Void) {
        // The previous closure is released outside the lock, because what it holds may run code when it is released.
        let (_, isLate) = state.withLock { state in (exchange(&state.interrupt, with: interrupt), state.isRequested) }
        if isLate { interrupt() }
    }

    func disarm() { _ = state.withLock { $0.interrupt.take() } }
}
