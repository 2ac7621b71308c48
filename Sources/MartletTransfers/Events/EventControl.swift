internal import MartletSystem

/// A handle on an event stream that is being read: for the code that does not read it.
///
/// ```swift
/// let control = EventControl()
/// let events = client.events(.get("feed"), options: .init(control: control))
/// // elsewhere, when the network has changed:
/// control.restart()
/// ```
///
/// Give each stream one of its own.
public final class EventControl: Sendable {
    private struct State {
        var lastEventID = ""
        var wantsRestart = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// A handle on no stream yet.
    public init() {}

    /// The last event id: that of the last event that was read, or of a later block without data. Keep it to go on from there another time.
    public var lastEventID: String { state.withLock { $0.lastEventID } }

    /// Closes the connection, or ends the wait for one, and makes a new one at once, with the last event id.
    ///
    /// Does nothing while nobody reads the stream. A stream whose request has a body that can't be sent again throws `.bodyNotReplayable`.
    public func restart() {
        let interrupt = state.withLock { state in
            state.wantsRestart = true
            return state.interrupt
        }
        interrupt?()
    }

    /// Forgets what was asked for before anybody read.
    func begin(lastEventID: String) {
        state.withLock { $0 = State(lastEventID: lastEventID) }
    }

    func setLastEventID(_ id: String) { state.withLock { $0.lastEventID = id } }

    /// Whether a restart has been asked for, which is forgotten with this.
    func takeRestart() -> Bool {
        state.withLock { exchange(&$0.wantsRestart, with: false) }
    }

    /// Has `interrupt` called by a restart, at once when it has been asked for, until ``disarm()``.
    func arm(_ interrupt: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.interrupt = interrupt
            return state.wantsRestart
        }
        if isLate { interrupt() }
    }

    func disarm() {
        // Let go of outside the lock: what the closure holds may have a deinit of its own.
        _ = state.withLock { $0.interrupt.take() }
    }
}
