/// Runs one operation for everybody who asks for the same thing at the same time.
///
/// The operation runs in a task of its own: a waiter that is cancelled leaves at once with `CancellationError`, and the operation
/// goes on for the others.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = OneShot<Result<Value, any Error>>

    private let waiters = Locked<[Key: [Waiter]]>([:])

    package init() {}

    /// The value of the flight for `key`: of the one under way, or of a new one of `operation`.
    package func value(for key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = Waiter()
        let isFirst = waiters.withLock { waiters in
            waiters[key, default: []].append(waiter)
            return waiters[key]?.count == 1
        }
        if isFirst {
            Task {
                do { land(key, .success(try await operation())) } catch { land(key, .failure(error)) }
            }
        }
        return try await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            waiter.set(.failure(CancellationError()))
        }.get()
    }

    /// How many wait for the flight for `key`, cancelled ones counted: for tests.
    package func waiterCount(for key: Key) -> Int { waiters.withLock { $0[key]?.count ?? 0 } }

    private func land(_ key: Key, _ outcome: Result<Value, any Error>) {
        let all = waiters.withLock { $0.removeValue(forKey: key) } ?? []
        for waiter in all { waiter.set(outcome) }
    }
}
