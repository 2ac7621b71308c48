/// A number that tasks can wait for.
final class Tally: Sendable {
    private struct Waiter {
        let condition: @Sendable (Int) -> Bool
        let promise: Promise<Bool>
    }

    private struct State {
        var count = 0
        var waiters: [Waiter] = []
    }

    private let state = Locked(State())

    /// The number at this moment.
    var count: Int { state.withLock { $0.count } }

    /// Adds to the number and lets everyone go on who waited for what it is now.
    func add(_ amount: Int) {
        let satisfied = state.withLock { state -> [Waiter] in
            state.count += amount
            guard !state.waiters.isEmpty else { return [] }
            let count = state.count
            let satisfied = state.waiters.filter { $0.condition(count) }
            state.waiters.removeAll { $0.condition(count) }
            return satisfied
        }
        for waiter in satisfied { waiter.promise.keep(true) }
    }

    /// Waits until the number fulfils a condition. Throws when the task is cancelled before.
    func wait(until condition: @escaping @Sendable (Int) -> Bool) async throws(CancellationError) {
        let promise = Promise<Bool>()
        let isFulfilled = state.withLock { state -> Bool in
            if condition(state.count) { return true }
            state.waiters.append(Waiter(condition: condition, promise: promise))
            return false
        }
        if isFulfilled { return }
        let wasReached = await withTaskCancellationHandler {
            await promise.value
        } onCancel: {
            promise.keep(false)
        }
        guard !wasReached else { return }
        state.withLock { $0.waiters.removeAll { $0.promise === promise } }
        throw CancellationError()
    }
}
