/// An event of a subscription, which is a result or a change of its connection. See ``GraphQLSubscriptionSequence/signals-swift.property``.
@nonexhaustive public enum GraphQLSubscriptionSignal<Data: Sendable>: Sendable {
    /// The connection with this number, from 1, is about to be opened.
    case connecting(number: Int)
    /// The connection is open, with this head of the response, or nil if the transport has none.
    case open(HTTPResponse<Void>?)
    /// The server sent this result.
    case result(GraphQLResult<Data>)
    /// The server sent a heartbeat, which shows that the connection is alive.
    case heartbeat
    /// The connection is lost for this reason, and a new one will be opened after this wait.
    case reconnecting(after: Duration, because: GraphQLInterruption)
}

/// The reason why a subscription opens a new connection.
@nonexhaustive public enum GraphQLInterruption: Sendable, Equatable {
    /// The server ended the stream before the subscription was complete.
    case ended
    /// The connection could not be opened, broke, or exceeded the idle timeout.
    case failed(GraphQLError)
    /// The server rejected the credential, and the credential has been renewed.
    case credentialRenewed
}
