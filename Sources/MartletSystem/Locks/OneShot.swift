/// A value that is set once and awaited by any number of tasks. The first call of ``set(_:)`` determines the value.
public final class OneShot<Value: Sendable>: Sendable {
    @usableFromInline typealias Waiter = UnsafeContinuation<Value, Never>

    @usableFromInline enum State: Sendable {
        case open
        case awaited(Waiter, others: [Waiter])
        case set(Value)
        case forgotten
    }

    @usableFromInline let state = Locked(State.open)

    /// Creates an object without a value.
    @inlinable public init() {}

    /// Sets the value unless it was set before, and resumes the tasks that wait for it.
    ///
    /// - Returns: Whether this call set the value; false when it was set before.
    @discardableResult
    @inlinable public func set(_ value: Value) -> Bool {
        let before = state.withLock { state in
            let before = state
            switch before {
            case .open, .awaited: state = .set(value)
            case .set, .forgotten: break
            }
            return before
        }
        switch before {
        case .set, .forgotten: return false
        case .open: return true
        case .awaited(let waiter, let others):
            waiter.resume(returning: value)
            for other in others { other.resume(returning: value) }
            return true
        }
    }

    /// The value, or nil if it is not set yet.
    @inlinable public var early: Value? {
        state.withLock { state in
            guard case .set(let value) = state else { return nil }
            return value
        }
    }

    /// Returns the value as soon as it is set. Cancellation does not end the wait: set a value in the cancellation handler.
    @inlinable public func value() async -> Value {
        await withUnsafeContinuation { continuation in
            let early = state.withLock { state -> Value? in
                switch state {
                case .set(let value): return value
                case .awaited(let waiter, let others): state = .awaited(waiter, others: others + [continuation])
                case .open: state = .awaited(continuation, others: [])
                case .forgotten: preconditionFailure("a forgotten value was awaited")
                }
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    /// Releases a value that has been read, so that it does not outlive its use. Do not await the value afterwards.
    public func forget() {
        let before = state.withLock { state in
            defer { if case .set = state { state = .forgotten } }
            return state
        }
        // Released outside the lock, because the value may have a deinit.
        _ = before
    }
}

/// A cancellation closure that may be set after the cancellation.
package final class CancelSlot: Sendable {
    private enum State {
        case empty
        case set(@Sendable () -> Void)
        case cancelled
    }

    private let state = Locked(State.empty)

    package init() {}

    /// Stores the closure for ``cancel()``. If that was called before, calls the closure immediately.
    package func set(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if case .cancelled = state { return true }
            state = .set(cancel)
            return false
        }
        if isLate { cancel() }
    }

    /// Calls the closure, at most once, and releases it.
    package func cancel() {
        let before = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .set(let cancel) = before { cancel() }
    }
}
