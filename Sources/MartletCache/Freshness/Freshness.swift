import MartletEssentials

/// The age and the freshness lifetime of a stored response (RFC 9111 §4.2).
struct Freshness: Sendable, Hashable {
    /// The origin of the lifetime (RFC 9111 §4.2.1).
    enum Source: Sendable, Hashable {
        /// `s-maxage`, in a shared cache.
        case sharedMaxAge
        /// `max-age`.
        case maxAge
        /// `Expires`.
        case expires
        /// A fraction of the time since the last modification (RFC 9111 §4.2.2).
        case heuristic
        /// No lifetime: the response was never fresh.
        case none
    }

    /// The age in seconds (RFC 9111 §4.2.3).
    let age: Double
    /// The freshness lifetime in seconds, at least zero.
    let lifetime: Double
    /// The origin of the lifetime.
    let source: Source

    /// Whether the response is fresh (RFC 9111 §4.2).
    var isFresh: Bool { lifetime > age }

    /// The remaining lifetime in seconds. Negative for a stale response.
    var remaining: Double { lifetime - age }

    /// Computes the freshness of a stored response at a time.
    ///
    /// A response time after `now` means that the clock was set back. The age is then unknown, and the response counts as stale.
    init(of response: StoredResponse, at now: Date, settings: CacheSettings) {
        let facts = response.facts
        let resident = now.timeIntervalSince(response.responseTime)
        let date = facts.date ?? response.responseTime
        let apparent = max(0, response.responseTime.timeIntervalSince(date))
        let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
        age = max(apparent, Double(facts.age) + delay) + max(0, resident)
        let (lifetime, source) = Freshness.lifetime(of: response, date: date, settings: settings)
        // Allows one second of difference between the clocks of machines that share a store.
        self.lifetime = resident >= -1 ? max(0, lifetime) : 0
        self.source = source
    }

    private static func lifetime(of response: StoredResponse, date: Date, settings: CacheSettings) -> (Double, Source) {
        let facts = response.facts
        if settings.isShared, let seconds = facts.sharedMaxAge { return (Double(seconds), .sharedMaxAge) }
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
    /// Whether responses with this status may be stored and fresh without explicit information (RFC 9110 §15.1).
    var isHeuristicallyCacheable: Bool {
        switch rawValue {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Whether the caching requirements of this status are implemented, as `must-understand` requires (RFC 9111 §5.2.2.3).
    var isUnderstood: Bool {
        switch rawValue {
        case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 421, 500, 501, 502, 503, 504: true
        default: false
        }
    }
}

/// The conditions under which a stale response may be used (RFC 9111 §4.2.4, RFC 5861).
enum StaleRules {
    /// Whether the server forbids any use of the stale response.
    static func isForbidden(_ response: StoredResponse, _ settings: CacheSettings) -> Bool {
        let facts = response.facts
        if facts.requiresValidation || facts.control.requiresRevalidation || response.isInvalidated { return true }
        return settings.isShared && (facts.control.requiresSharedRevalidation || facts.sharedMaxAge != nil)
    }

    /// Whether it may be used while it is revalidated (RFC 5861 §3).
    static func mayRevalidateLater(_ response: StoredResponse, _ freshness: Freshness) -> Bool {
        guard let window = response.facts.control.seconds("stale-while-revalidate").orZero else { return false }
        return window > 0 && -freshness.remaining <= Double(window)
    }

    /// Whether it may replace a failure (RFC 5861 §4), by the response's directive, the request's, or the settings.
    static func mayReplaceFailure(_ response: StoredResponse, _ freshness: Freshness, _ request: HTTPFields, _ settings: CacheSettings)
        -> Bool
    {
        guard !isForbidden(response, settings), !Preconditions.areForTheServer(request), response.part == nil else { return false }
        let control = CacheControl(request)
        guard !control.contains("no-cache"), !saysPragma(request, control) else { return false }
        // The settings apply only if the server sends no directive.
        let window = response.facts.control.staleIfError ?? settings.staleIfError
        return [window, control.staleIfError].compactMap(\.self).contains { $0 > .zero && -freshness.remaining <= $0 / .seconds(1) }
    }

    /// Whether a request without `Cache-Control` has the HTTP/1.0 form of `no-cache` (RFC 9111 §5.4).
    static func saysPragma(_ request: HTTPFields, _ control: CacheControl) -> Bool {
        control.isEmpty && request[.pragma].map { CacheControl($0).contains("no-cache") } == true
    }

    /// Whether a status is a failure that a stale response may replace.
    static func isFailure(_ status: HTTPStatus) -> Bool {
        [.internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout].contains(status)
    }

    /// Whether an error is such a failure: the server was unreachable, or too slow.
    static func isFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .networkError, .timeout: true
        default: error.isRejection
        }
    }
}
