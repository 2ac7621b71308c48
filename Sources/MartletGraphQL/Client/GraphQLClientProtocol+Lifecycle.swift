extension GraphQLClientProtocol {
    /// No group: ``cancelAll()`` and ``drain(within:)`` do nothing.
    public var calls: CallGroup? { nil }
    /// The system's time source.
    public var time: any TimeSource { .system }

    /// Cancels the running calls: operations, updates and subscriptions throw `.http(.cancelled)`. Returns immediately; new calls work.
    ///
    /// A `GraphQLClient` acts on its HTTP client, so calls that are made through the HTTP client directly are cancelled too. See
    /// `EndpointClient.cancelAll()`.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls, which throw `.http(.draining)`, waits for the running calls, and cancels the ones that are still running after
    /// `limit`.
    ///
    /// A `GraphQLClient` acts on its HTTP client: see `EndpointClient.drain(within:)`.
    ///
    /// - Parameter limit: how long the running calls may take, on the client's ``time``. With zero or less they are cancelled immediately.
    /// - Returns: the numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}
