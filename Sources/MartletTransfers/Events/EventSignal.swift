/// A step of an event stream, which is a connection, an event, a comment or a wait. See ``EventSequence/signals``.
@nonexhaustive public enum EventSignal: Sendable {
    /// The client is about to open the connection with this number, counted from 1.
    case connecting(number: Int)
    /// The connection is open, with this head of the response.
    case open(HTTPResponse<Void>)
    /// This event arrived.
    case event(ServerSentEvent)
    /// A comment with this text arrived.
    case comment(String)
    /// The connection has ended for this reason, and the client will reconnect after this wait.
    case reconnecting(after: Duration, because: EventInterruption)
}

/// The reason why an event stream reconnects.
@nonexhaustive public enum EventInterruption: Sendable, Equatable {
    /// The server ended the stream normally.
    case ended
    /// The connection could not be opened, broke, or exceeded the idle timeout, or its status is one of ``EventReconnection/statuses``.
    case failed(HTTPError)
    /// ``EventControl/restart()`` was called.
    case restarted
}
