extension EndpointClient {
    /// Cancels the client's running calls: each throws `HTTPError.cancelled`. Returns at once; new calls work.
    ///
    /// Use it when a user signs out or a view disappears. It acts on the calls of this client, of its copies and of what is made from it
    /// (`mappingErrors`, a `GraphQLClient`), and not on those of other clients over the same transport. What a call is, and what is shared by
    /// several calls and therefore continues: see ``CallGroup/cancelAll()``. A client without ``calls`` does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls of the client, which throw `HTTPError.draining`, and waits until the running ones have ended; cancels those that
    /// have not when the time is over. The client is not opened again: make a new one.
    ///
    /// ```swift
    /// // A server is told to stop (SIGTERM): finish what has begun, then exit.
    /// let summary = await client.drain(within: .seconds(20))
    /// logger.info("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    /// ```
    ///
    /// The whole example, and what happens when it is called twice or its task is cancelled: see ``CallGroup/drain(within:time:)``.
    ///
    /// - Parameter limit: how long the running calls may take, on the client's ``time``. Zero or less: they are cancelled at once.
    /// - Returns: how many calls finished and how many were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}

extension CallGroup {
    /// Registers a new call. Throws `.draining` when the group starts none.
    package func beginCall() throws(HTTPError) -> CallTicket {
        guard let ticket = begin() else { throw .draining }
        return ticket
    }
}

extension EndpointClient {
    /// Runs an operation of several requests (a download with its resumptions) as one call, and waits for its end when it is cancelled.
    package func asOneCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let ticket = try calls?.beginCall() else { return try await operation() }
        defer { ticket.end() }
        return try await ticket.run(operation).get()
    }
}
