/// A value that is set once and awaited by one: whoever sets it first decides.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(UnsafeContinuation<Value, Never>)
        case set(Value)
    }

    private let state = Locked(State.open)

    package init() {}

    /// Sets the value; false when it was set before.
    @discardableResult
    package func set(_ value: Value) -> Bool {
        let before = state.withLock { state in
            let before = state
            if case .set = state { return before }
            state = .set(value)
            return before
        }
        switch before {
        case .set: return false
        case .open: return true
        case .awaited(let continuation):
            continuation.resume(returning: value)
            return true
        }
    }

    /// The value, where it is set already.
    package var early: Value? {
        state.withLock { state in
            guard case .set(let value) = state else { return nil }
            return value
        }
    }

    /// The value, as soon as it is set. Cancellation does not end the wait: set a value for it.
    package func value() async -> Value {
        await withUnsafeContinuation { continuation in
            let early = state.withLock { state -> Value? in
                if case .set(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
