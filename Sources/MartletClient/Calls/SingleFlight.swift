internal import MartletSystem

/// Runs one operation for all callers that ask for the same key at the same time.
///
/// The operation runs in a task of its own. A caller that is cancelled returns immediately, and the operation continues for the others. The
/// operation belongs to the call that started it, also after that call has ended: it may make requests while calls are drained.
///
/// The operation has the task-local values of the first caller. It does not use the executor that the first caller prefers, because a
/// computation there would delay the others. Its priority is the highest of its callers' priorities.
///
/// An operation that is not cancelled with its callers, such as a token refresh, does not inherit the task deadline of the first one.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = OneShot<Result<Value, any Error>>

    private struct Flight {
        let number: Int
        var waiters: [Int: Waiter] = [:]
        /// The highest priority of its callers so far.
        var priority: TaskPriority
        var task: Task<Void, Never>?
        /// The operation's part of the first waiter's call, or nil if it was started outside a call.
        var ticket: CallTicket?

        /// Adds a caller. Returns the flight's number, and its task if that has a lower priority than the caller.
        mutating func join(_ waiter: Waiter, at place: Int, _ priority: TaskPriority) -> (number: Int, delayed: Task<Void, Never>?) {
            waiters[place] = waiter
            guard self.priority < priority else { return (number, nil) }
            self.priority = priority
            return (number, task)
        }
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())
    private let cancelsAbandoned: Bool

    /// Creates an object without operations.
    ///
    /// - Parameter cancelsAbandoned: Whether an operation is cancelled when its last waiter has left. Default: false.
    package init(cancelsAbandoned: Bool = false) { self.cancelsAbandoned = cancelsAbandoned }

    /// Returns the value of the running operation for `key`, or starts `operation`. Throws `CancellationError` if this caller is cancelled.
    package func value(for key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await outcome(for: key, operation).result.get()
    }

    /// Returns the result for `key`, and whether another caller started the operation.
    ///
    /// The result is `CancellationError` if this caller is cancelled.
    package func outcome(
        for key: Key, _ operation: @escaping @Sendable () async throws -> Value
    ) async -> (result: Result<Value, any Error>, hasJoined: Bool) {
        let waiter = Waiter(), priority = Task.currentPriority
        let (flight, place, delayed) = state.withLock { state in
            state.lastNumber += 1
            let place = state.lastNumber
            let joined = state.flights[key, default: Flight(number: place, priority: priority)].join(waiter, at: place, priority)
            return (joined.number, place, joined.delayed)
        }
        delayed?.raisePriority(to: priority)
        let isFirst = flight == place
        if isFirst { start(place, key, priority, operation) }
        let result = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            if waiter.set(.failure(CancellationError())) { leave(place, flight, key) }
        }
        return (result, !isFirst)
    }

    /// The number of callers that wait for `key`.
    package func waiterCount(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// The number of all waiting callers, for tests.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    private func start(
        _ flight: Int, _ key: Key, _ priority: TaskPriority, _ operation: @escaping @Sendable () async throws -> Value
    ) {
        let ticket = CallTicket.current?.beginPart()
        let run = { @Sendable () async -> Void in
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            ticket?.end()
            for waiter in self.finish(flight, key) { waiter.set(result) }
        }
        let task = CallTicket.$current.withValue(ticket ?? CallTicket.current) {
            cancelsAbandoned ? beginTask(isShared: true, run) : TaskDeadline.removed { beginTask(isShared: true, run) }
        }
        let wanted = state.withLock { state -> TaskPriority? in
            guard state.flights[key]?.number == flight else { return nil }
            state.flights[key]?.task = task
            state.flights[key]?.ticket = ticket
            return state.flights[key]?.priority
        }
        // Either the operation has already ended, or all waiters have left.
        guard let wanted else {
            task.cancel()
            ticket?.end()
            return
        }
        if wanted > priority { task.raisePriority(to: wanted) }
    }

    /// Ends a flight and returns its waiters.
    private func finish(_ flight: Int, _ key: Key) -> [Waiter] {
        state.withLock { state in
            guard state.flights[key]?.number == flight else { return [] }
            return state.flights.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
        }
    }

    private func leave(_ place: Int, _ flight: Int, _ key: Key) {
        let abandoned = state.withLock { state -> Flight? in
            guard state.flights[key]?.number == flight else { return nil }
            state.flights[key]?.waiters[place] = nil
            guard cancelsAbandoned, state.flights[key]?.waiters.isEmpty == true else { return nil }
            // A later caller starts a new operation and does not join the cancelled one.
            return state.flights.removeValue(forKey: key)
        }
        abandoned?.task?.cancel()
        abandoned?.ticket?.end()
    }
}
