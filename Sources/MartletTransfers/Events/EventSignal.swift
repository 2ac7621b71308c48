/// A step of an event stream: a connection, an event, a comment or a wait. See ``EventSequence/signals``.
@nonexhaustive public enum EventSignal: Sendable {
    /// The client is about to open a connection. `number` counts the stream's connections from 1.
    case connecting(number: Int)
    /// The connection is open. The value is the head of the response.
    case open(HTTPResponse<Void>)
    /// An event arrived.
    case event(ServerSentEvent)
    /// A comment arrived, without its colon and one space.
    case comment(String)
    /// The connection has ended, and the client will reconnect after a wait.
    case reconnecting(after: Duration, because: EventInterruption)
}

/// The reason why an event stream reconnects.
@nonexhaustive public enum EventInterruption: Sendable, Equatable {
    /// The server ended the stream.
    case ended
    /// The connection failed, broke, or exceeded the idle timeout.
    case failed(HTTPError)
    /// ``EventControl/restart()`` was called.
    case restarted
}
