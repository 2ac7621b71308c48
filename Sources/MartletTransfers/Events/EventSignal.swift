/// What happens on an event stream, the events among it: see ``EventSequence/signals``.
@nonexhaustive public enum EventSignal: Sendable {
    /// A connection is about to be made: 1 for the first.
    case connecting(number: Int)
    /// The connection is open: the head of the answer.
    case open(HTTPResponse<Void>)
    /// An event.
    case event(ServerSentEvent)
    /// A comment, without its colon and one space.
    case comment(String)
    /// The connection is gone, and another will be made after a wait.
    case reconnecting(after: Duration, because: EventInterruption)
}

/// Why the connection of an event stream is made again.
@nonexhaustive public enum EventInterruption: Sendable, Equatable {
    /// The server ended the stream.
    case ended
    /// It could not be made, or broke, or was silent for too long.
    case failed(HTTPError)
    /// ``EventControl/restart()`` was called.
    case restarted
}
