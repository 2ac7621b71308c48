internal import MartletCache

/// A circuit breaker for the server: after a failure calls fail immediately, and one call at a time probes the server.
struct ServerCircuit: Sendable {
    enum Admission {
        case admitted
        /// The call that probes whether the server works again.
        case probe
        case refused(CacheStoreError)
    }

    private enum State {
        case closed
        case open(until: ContinuousClock.Instant, reason: CacheStoreError)
        case probing(reason: CacheStoreError)
    }

    private var state = State.closed

    mutating func admit(at now: ContinuousClock.Instant) -> Admission {
        switch state {
        case .closed: return .admitted
        case .probing(let reason): return .refused(ServerCircuit.refusal(reason))
        case .open(let until, let reason):
            guard now >= until else { return .refused(ServerCircuit.refusal(reason)) }
            state = .probing(reason: reason)
            return .probe
        }
    }

    /// Records that the server has responded.
    mutating func succeed() { state = .closed }

    /// Records that the server was not reachable, or is not a Redis server.
    mutating func fail(_ reason: CacheStoreError, until: ContinuousClock.Instant) { state = .open(until: until, reason: reason) }

    /// Reopens the circuit because the probe's caller was cancelled before the command was sent.
    mutating func dropProbe(at now: ContinuousClock.Instant) {
        if case .probing(let reason) = state { state = .open(until: now, reason: reason) }
    }

    private static func refusal(_ reason: CacheStoreError) -> CacheStoreError {
        CacheStoreError(
            .unavailable, "the server was not asked because it failed recently: \(reason.detail)", underlying: reason.underlying)
    }
}
