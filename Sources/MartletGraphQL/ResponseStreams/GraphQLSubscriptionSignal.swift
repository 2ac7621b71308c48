/// An event of a subscription: a result, or a change of its connection. See ``GraphQLSubscriptionSequence/signals-swift.property``.
@nonexhaustive public enum GraphQLSubscriptionSignal<Data: Sendable>: Sendable {
    /// A connection is about to be opened. The first one has the number 1.
    case connecting(number: Int)
    /// The connection is open. The payload is the head of the response, if the transport has one.
    case open(HTTPResponse<Void>?)
    /// The server sent a result.
    case result(GraphQLResult<Data>)
    /// The server sent a heartbeat.
    case heartbeat
    /// The connection is lost, and a new one will be opened after a wait.
    case reconnecting(after: Duration, because: GraphQLInterruption)
}

/// Why a subscription opens a new connection.
@nonexhaustive public enum GraphQLInterruption: Sendable, Equatable {
    /// The stream ended before the subscription was complete.
    case ended
    /// The connection failed: it could not be opened, broke, or exceeded the idle timeout.
    case failed(GraphQLError)
    /// The server rejected the credential, and the credential has been renewed.
    case credentialRenewed
}
