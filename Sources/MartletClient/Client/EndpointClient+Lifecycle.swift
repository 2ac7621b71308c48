extension EndpointClient {
    /// Cancels the running calls of this client and its copies, each of which throws `HTTPError.cancelled`. It returns immediately, and new
    /// calls work.
    ///
    /// Use it when a user signs out or a view disappears. It affects the calls of this client, of its copies and of clients made from it
    /// (`mappingErrors`, a `GraphQLClient`), but not of other clients over the same transport. `CallGroup.cancelAll()` defines what a
    /// call is and which shared work continues. For a client without ``calls`` it does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Stops the client: refuses new calls, waits for the running ones, and cancels the calls that still run after `limit`.
    ///
    /// ```swift
    /// // On SIGTERM: finish the running calls, then exit.
    /// let summary = await client.drain(within: .seconds(20))
    /// logger.info("finished: \(summary.finished), cancelled: \(summary.cancelled)")
    /// ```
    ///
    /// New calls throw `HTTPError.draining`. The client never accepts calls again: create a new one. See `CallGroup.drain(within:time:)`
    /// for a full example, and for repeated and cancelled drains.
    ///
    /// - Parameter limit: The time for the running calls, on the client's ``time``. With zero or less they are cancelled immediately.
    /// - Returns: The numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}

extension CallGroup {
    /// Registers a new call. Throws `.draining` if the group refuses new calls.
    package func beginCall() throws(HTTPError) -> CallTicket {
        guard let ticket = begin() else { throw .draining }
        return ticket
    }
}

extension EndpointClient {
    /// Runs an operation of several requests, such as a download with its resumptions, as one call. If the call is cancelled, it waits for
    /// the operation to end.
    package func asOneCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        guard let ticket = try calls?.beginCall() else { return try await operation() }
        defer { ticket.end() }
        return try await ticket.run(operation).get()
    }
}
