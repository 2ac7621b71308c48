internal import MartletSystem

/// A handle to an event stream, with which code that does not read the stream can restart its connection.
///
/// ```swift
/// let control = EventControl()
/// let events = client.events(.get("feed"), options: .init(control: control))
/// // elsewhere, when the network has changed:
/// control.restart()
/// ```
///
/// Use a separate control for each stream.
public final class EventControl: Sendable {
    private struct State {
        var lastEventID = ""
        var wantsRestart = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// Creates a control, which a stream uses if it is passed as ``EventOptions/control``.
    public init() {}

    /// The ID of the last event received, or of a later block without data; before the first one, the ID that the options contain.
    ///
    /// Pass it to a later call to resume after that event.
    public var lastEventID: String { state.withLock { $0.lastEventID } }

    /// Closes the connection, or ends the wait for one, and sends the request again immediately, even a POST, with the last event ID.
    ///
    /// It reconnects whatever the ``EventReconnection/rule`` is, also if it is ``EventReconnection/Rule/never``. It has no effect unless
    /// the stream is being read. If the request has a body that can't be sent again, the stream throws `.bodyNotReplayable`.
    public func restart() {
        let interrupt = state.withLock { state in
            state.wantsRestart = true
            return state.interrupt
        }
        interrupt?()
    }

    /// Resets the control for a new iteration.
    func begin(lastEventID: String) {
        state.withLock { $0 = State(lastEventID: lastEventID) }
    }

    func setLastEventID(_ id: String) { state.withLock { $0.lastEventID = id } }

    /// Whether a restart was requested that has not begun.
    var wantsRestart: Bool { state.withLock { $0.wantsRestart } }

    /// Returns whether a restart was requested, and resets the request.
    func takeRestart() -> Bool {
        state.withLock { exchange(&$0.wantsRestart, with: false) }
    }

    /// Sets the action of a restart until ``disarm()``. If a restart was already requested, it runs the action immediately.
    func arm(_ interrupt: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.interrupt = interrupt
            return state.wantsRestart
        }
        if isLate { interrupt() }
    }

    func disarm() {
        // The closure is released outside the lock, because what it holds may run code when it is released.
        _ = state.withLock { $0.interrupt.take() }
    }
}
