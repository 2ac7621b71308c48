extension GraphQLClientProtocol {
    /// The default: nil, with which ``cancelAll()`` and ``drain(within:)`` do nothing.
    public var calls: CallGroup? { nil }
    /// The default: the system's time source.
    public var time: any TimeSource { .system }

    /// Cancels the running calls, so that operations, updates and subscriptions throw `.http(.cancelled)`. Returns immediately; new calls
    /// work.
    ///
    /// A `GraphQLClient` acts on its HTTP client, so calls that are made through the HTTP client directly are cancelled too. See
    /// `EndpointClient.cancelAll()`.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls, waits for the running calls, and cancels those that are still running after `limit`. New calls throw
    /// `.http(.draining)`.
    ///
    /// A `GraphQLClient` acts on its HTTP client: see `EndpointClient.drain(within:)`.
    ///
    /// - Parameter limit: The time for the running calls, measured by the client's ``time``. Zero or less cancels them immediately.
    /// - Returns: The number of calls that finished and the number of calls that were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}
