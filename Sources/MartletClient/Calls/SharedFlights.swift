/// Runs one operation for everybody who asks for the same thing at the same time.
///
/// The operation runs in a task of its own. A waiter that is cancelled leaves at once, and the operation goes on for the others; the last
/// one to leave cancels it, where that is wanted. It is a part of the call that began it, and remains one when that call ends: while calls
/// are drained, it may still make its requests.
package final class SharedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = OneShot<Value>

    private struct Flight {
        let number: Int
        var waiters: [Int: Waiter]
        var task: Task<Void, Never>?
        /// The flight as a part of its first waiter's call, which may end before it; nil when it is a part of none.
        var ticket: CallTicket?
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastNumber = 0

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Locked(State())
    private let endsWhenNobodyWaits: Bool

    package init(endsWhenNobodyWaits: Bool) { self.endsWhenNobodyWaits = endsWhenNobodyWaits }

    /// The value of the flight for `key`: of the one under way, or of a new one of `operation`; what `cancelled` gives for a waiter that is
    /// cancelled.
    package func value(
        for key: Key, _ operation: @escaping @Sendable () async -> Value, cancelled: @escaping @Sendable () -> Value
    ) async -> (outcome: Value, hasJoined: Bool) {
        let waiter = Waiter()
        let (flight, place, isFirst) = state.withLock { state in
            let place = state.number()
            guard let number = state.flights[key]?.number else {
                state.flights[key] = Flight(number: place, waiters: [place: waiter])
                return (place, place, true)
            }
            state.flights[key]?.waiters[place] = waiter
            return (number, place, false)
        }
        if isFirst { start(flight, key, operation) }
        let value = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            if waiter.set(cancelled()) { leave(place, flight, key) }
        }
        return (value, !isFirst)
    }

    /// How many wait for the flight for `key`: for tests.
    package func waiterCount(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    /// How many wait in all: for tests.
    package var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    private func start(_ flight: Int, _ key: Key, _ operation: @escaping @Sendable () async -> Value) {
        let ticket = CallTicket.current?.beginPart()
        let task = CallTicket.$current.withValue(ticket ?? CallTicket.current) {
            beginTask {
                let value = await operation()
                ticket?.end()
                for waiter in self.land(flight, key) { waiter.set(value) }
            }
        }
        let isWanted = state.withLock { state in
            guard state.flights[key]?.number == flight else { return false }
            state.flights[key]?.task = task
            state.flights[key]?.ticket = ticket
            return true
        }
        // It has landed, or everybody has left already.
        if !isWanted {
            task.cancel()
            ticket?.end()
        }
    }

    private func land(_ flight: Int, _ key: Key) -> [Waiter] {
        state.withLock { state in
            guard state.flights[key]?.number == flight else { return [] }
            return state.flights.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
        }
    }

    private func leave(_ place: Int, _ flight: Int, _ key: Key) {
        let left = state.withLock { state -> Flight? in
            guard state.flights[key]?.number == flight else { return nil }
            state.flights[key]?.waiters[place] = nil
            guard endsWhenNobodyWaits, state.flights[key]?.waiters.isEmpty == true else { return nil }
            // Who asks from now on gets a flight of their own, and not the one that is being ended.
            return state.flights.removeValue(forKey: key)
        }
        left?.task?.cancel()
        left?.ticket?.end()
    }
}
