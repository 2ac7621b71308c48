extension Transport {
    /// Cancels the running calls of all clients over the transport: each throws `HTTPError.cancelled`. Returns at once; new calls work.
    ///
    /// See ``CallGroup/cancelAll()``. A transport without ``calls`` does nothing.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls of all clients over the transport, which throw `HTTPError.draining`, and waits until the running ones have ended;
    /// cancels those that have not when the time is over. The transport is not opened again.
    ///
    /// See ``CallGroup/drain(within:time:)``, which has an example for SIGTERM. A transport without ``calls`` returns at once.
    ///
    /// - Parameters:
    ///   - limit: how long the running calls may take. Zero or less: they are cancelled at once.
    ///   - time: measures the limit. Default: the system's.
    /// - Returns: how many calls finished and how many were cancelled.
    @concurrent public func drain(within limit: Duration, time: any TimeSource = .system) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}

/// A transport that ends an exchange with `.cancelled` when the call in the request's context is cancelled.
///
/// It spares each call a task of its own: see ``Transport/endsByDeadline``.
package protocol CallEndingTransport: Transport {}
