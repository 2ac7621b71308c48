/// Runs one operation for everybody who asks for the same thing at the same time.
///
/// The operation runs in a task of its own: a waiter that is cancelled leaves at once with `CancellationError`, and the operation
/// goes on for the others.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let flights = SharedFlights<Key, Result<Value, any Error>>(endsWhenNobodyWaits: false)

    package init() {}

    /// The value of the flight for `key`: of the one under way, or of a new one of `operation`.
    package func value(for key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (outcome, _) = await flights.value(for: key) {
            do { return .success(try await operation()) } catch { return .failure(error) }
        } cancelled: {
            .failure(CancellationError())
        }
        return try outcome.get()
    }

    /// How many wait for the flight for `key`: for tests.
    package func waiterCount(for key: Key) -> Int { flights.waiterCount(for: key) }
}
