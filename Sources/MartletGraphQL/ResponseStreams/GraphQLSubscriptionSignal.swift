/// What happens to a subscription, its results among it: see ``GraphQLSubscriptionSequence/signals-swift.property``.
@nonexhaustive public enum GraphQLSubscriptionSignal<Data: Sendable>: Sendable {
    /// A connection is about to be made: 1 for the first.
    case connecting(number: Int)
    /// The connection is open: the head of the answer, where there is one.
    case open(HTTPResponse<Void>?)
    /// A result.
    case result(GraphQLResult<Data>)
    /// A sign of life.
    case heartbeat
    /// The connection is gone, and another will be made after a wait.
    case reconnecting(after: Duration, because: GraphQLInterruption)
}

/// Why the connection of a subscription is made again.
@nonexhaustive public enum GraphQLInterruption: Sendable, Equatable {
    /// The stream ended, and the subscription was not complete.
    case ended
    /// The connection could not be made, or broke, or was silent for too long.
    case failed(GraphQLError)
    /// The server wanted another credential, and there is one now.
    case credentialRenewed
}
