extension Transport {
    /// Cancels the running calls of all clients over the transport: each throws `HTTPError.cancelled`. Returns immediately; new calls work.
    ///
    /// See ``CallGroup/cancelAll()``. A transport without ``calls`` does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls of all clients over the transport, which throw `HTTPError.draining`, waits for the running calls, and cancels the
    /// ones that are still running after `limit`. The transport never accepts calls again.
    ///
    /// See ``CallGroup/drain(within:time:)``, which has an example for SIGTERM. A transport without ``calls`` returns immediately.
    ///
    /// - Parameters:
    ///   - limit: how long the running calls may take. With zero or less they are cancelled immediately.
    ///   - time: the clock for the limit. Default: the system's.
    /// - Returns: the numbers of calls that finished and that were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}

/// A transport that ends an exchange with `.cancelled` when the call in the request's context is cancelled.
///
/// Calls over it need no task of their own: see ``Transport/endsByDeadline``.
package protocol CallEndingTransport: Transport {}
