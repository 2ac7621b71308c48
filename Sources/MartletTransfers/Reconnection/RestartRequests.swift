internal import MartletSystem

/// Requests to replace the connection of a ``ReconnectingLoop``, from code that does not read it.
package final class RestartRequests: Sendable {
    private struct State {
        var isRequested = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    init() {}

    /// Whether a restart was requested that has not begun.
    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests a restart, and interrupts what the loop waits for.
    func request() {
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
