internal import MartletSystem

/// A counter that tasks can wait for.
package final class Tally: Sendable {
    private struct Waiter {
        let condition: @Sendable (Int) -> Bool
        let promise: OneShot<Bool>
    }

    private struct State {
        var count = 0
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The current number.
    package var count: Int { state.withLock { $0.count } }

    /// Adds to the number and resumes the tasks whose conditions it fulfils.
    package func add(_ amount: Int) {
        let satisfied = state.withLock { state -> [Waiter] in
            state.count += amount
            guard !state.waiters.isEmpty else { return [] }
            let count = state.count
            let satisfied = state.waiters.filter { $0.condition(count) }
            state.waiters.removeAll { $0.condition(count) }
            return satisfied
        }
        for waiter in satisfied { waiter.promise.set(true) }
    }

    /// Waits until the number fulfils a condition. Throws if the task is cancelled first.
    package func wait(until condition: @escaping @Sendable (Int) -> Bool) async throws(CancellationError) {
        let promise = OneShot<Bool>()
        let isFulfilled = state.withLock { state -> Bool in
            if condition(state.count) { return true }
            state.waiters.append(Waiter(condition: condition, promise: promise))
            return false
        }
        if isFulfilled { return }
        let wasReached = await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            promise.set(false)
        }
        guard !wasReached else { return }
        state.withLock { $0.waiters.removeAll { $0.promise === promise } }
        throw CancellationError()
    }
}
