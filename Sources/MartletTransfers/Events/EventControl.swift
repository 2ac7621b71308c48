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
    private let id = Locked("")
    /// The requests for a restart, which the stream's loop obeys.
    let restarts = RestartRequests()

    /// Creates a control, which a stream uses if it is passed as ``EventOptions/control``.
    public init() {}

    /// The ID of the last event received, or of a later block without data; before the first one, the ID that the options contain.
    ///
    /// Pass it to a later call to resume after that event.
    public var lastEventID: String { id.withLock { $0 } }

    /// Closes the connection, or ends the wait for one, and sends the request again immediately, even a POST, with the last event ID.
    ///
    /// It reconnects whatever the ``EventReconnection/rule`` is, also if it is ``EventReconnection/Rule/never``. It has no effect unless
    /// the stream is being read. If the request has a body that can't be sent again, the stream throws `.bodyNotReplayable`.
    public func restart() { restarts.request() }

    /// Resets the control for a new iteration.
    func begin(lastEventID: String) {
        restarts.reset()
        setLastEventID(lastEventID)
    }

    func setLastEventID(_ new: String) { id.withLock { $0 = new } }
}
