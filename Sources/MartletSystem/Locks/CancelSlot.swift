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
