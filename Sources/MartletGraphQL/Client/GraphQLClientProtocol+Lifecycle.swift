public import MartletCore

extension GraphQLClientProtocol {
    /// None.
    public var calls: CallGroup? { nil }
    /// The system's.
    public var time: any TimeSource { .system }

    /// Cancels the running calls: operations, updates and subscriptions throw `.http(.cancelled)`. Returns at once; new calls work.
    ///
    /// A `GraphQLClient` does what its HTTP client does, so that calls which are made through that one directly are cancelled too. See
    /// `EndpointClient.cancelAll()`.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls, which throw `.http(.draining)`, and waits until the running ones have ended; cancels those that have not when the
    /// time is over.
    ///
    /// A `GraphQLClient` does what its HTTP client does: see `EndpointClient.drain(within:)`.
    ///
    /// - Parameter limit: how long the running calls may take, on the client's ``time``. Zero or less: they are cancelled at once.
    /// - Returns: how many calls finished and how many were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}
