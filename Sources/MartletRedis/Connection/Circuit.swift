internal import MartletCache

/// Whether it is worth asking the server: after a failure nobody waits for one that is not there, and one call at a time tries again.
struct Circuit: Sendable {
    enum Admission {
        case admitted
        /// The one that finds out whether the server is back.
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
        case .probing(let reason): return .refused(Circuit.refusal(reason))
        case .open(let until, let reason):
            guard now >= until else { return .refused(Circuit.refusal(reason)) }
            state = .probing(reason: reason)
            return .probe
        }
    }

    /// The server has answered.
    mutating func succeed() { state = .closed }

    /// The server was not there, or is none.
    mutating func fail(_ reason: CacheStoreError, until: ContinuousClock.Instant) { state = .open(until: until, reason: reason) }

    /// The one that was to find out has not: its caller was cancelled before it was sent.
    mutating func dropProbe(at now: ContinuousClock.Instant) {
        if case .probing(let reason) = state { state = .open(until: now, reason: reason) }
    }

    private static func refusal(_ reason: CacheStoreError) -> CacheStoreError {
        CacheStoreError(.unavailable, "not asked, because it failed a moment ago: \(reason.detail)", underlying: reason.underlying)
    }
}
