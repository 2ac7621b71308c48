package import MartletEssentials

/// How old a stored response is, and for how long it is fresh (RFC 9111 §4.2).
package struct Freshness: Sendable, Hashable {
    /// What the lifetime comes from (RFC 9111 §4.2.1).
    @nonexhaustive package enum Source: Sendable, Hashable {
        /// `s-maxage`, in a shared cache.
        case sharedMaxAge
        /// `max-age`.
        case maxAge
        /// `Expires`.
        case expires
        /// Part of the time since it was last modified (RFC 9111 §4.2.2).
        case heuristic
        /// Nothing: it was never fresh.
        case none
    }

    /// How old it is, in seconds (RFC 9111 §4.2.3).
    package let age: Double
    /// For how long it is fresh, in seconds; never below zero.
    package let lifetime: Double
    /// What the lifetime comes from.
    package let source: Source

    /// Whether it is fresh (RFC 9111 §4.2).
    package var isFresh: Bool { lifetime > age }

    /// For how many seconds it is still fresh; below zero, for how many it has been stale.
    package var remaining: Double { lifetime - age }

    /// The freshness of a stored response at a moment.
    ///
    /// A response that seems to have come after `now` came before the clock was set back: nobody knows how old it is, and it counts as stale.
    package init(of response: StoredResponse, at now: Date, settings: CacheSettings) {
        let facts = response.facts
        let resident = now.timeIntervalSince(response.responseTime)
        let date = facts.date ?? response.responseTime
        let apparent = max(0, response.responseTime.timeIntervalSince(date))
        let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
        age = max(apparent, Double(facts.age) + delay) + max(0, resident)
        let (lifetime, source) = Freshness.lifetime(of: response, date: date, settings: settings)
        // A second is what clocks of two machines that share a store may differ by unnoticed.
        self.lifetime = resident >= -1 ? max(0, lifetime) : 0
        self.source = source
    }

    private static func lifetime(of response: StoredResponse, date: Date, settings: CacheSettings) -> (Double, Source) {
        let facts = response.facts
        if settings.mode == .shared, let seconds = facts.sharedMaxAge { return (Double(seconds), .sharedMaxAge) }
        if let seconds = facts.maxAge { return (Double(seconds), .maxAge) }
        switch facts.expires {
        case .at(let expires): return (expires.timeIntervalSince(date), .expires)
        case .invalid: return (0, .expires)
        case .absent: break
        }
        guard response.status.isHeuristicallyCacheable || facts.control.isPublic, let modified = facts.lastModified else {
            return (0, .none)
        }
        let limit = settings.maxHeuristicLifetime / .seconds(1)
        return (min(date.timeIntervalSince(modified) * settings.heuristicFraction, limit), .heuristic)
    }
}

extension HTTPStatus {
    /// Whether it may be stored and be fresh without the server's saying so (RFC 9110 §15.1).
    package var isHeuristicallyCacheable: Bool {
        switch rawValue {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether its caching requirements are known here, as `must-understand` asks (RFC 9111 §5.2.2.3).
    package var isUnderstood: Bool {
        switch rawValue {
        case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 421, 500, 501, 502, 503, 504: true
        default: false
        }
    }
}
