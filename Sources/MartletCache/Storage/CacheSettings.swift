/// The settings of a cache: private or shared, heuristic freshness, and stale responses after failures.
public struct CacheSettings: Sendable, Hashable {
    /// Whether a cache serves one user or many (RFC 9111 §1.2).
    public enum Mode: Sendable, Hashable {
        /// A cache for one user, such as an app's.
        case `private`
        /// A cache for many users, such as a server's. It follows `s-maxage`, `private` and `proxy-revalidate`, and stores the response to
        /// a request with `Authorization` only if the server allows it (RFC 9111 §3.5).
        ///
        /// `Set-Cookie` of a stored response is part of every response made from it, because RFC 9111 §7.3 leaves this to servers: all
        /// users of the same ``CacheScope`` receive it.
        case shared

        /// The prefix for scopes. It separates responses of private and shared caches that use one store.
        var scopePrefix: String { self == .shared ? "shared " : "" }
    }

    /// Whether the cache serves one user or many. Default: `.private`.
    public var mode: Mode
    /// The fraction of the time since its last modification for which a response without an expiry is fresh (RFC 9111 §4.2.2). Default:
    /// 0.1. 0 disables heuristic freshness.
    public var heuristicFraction: Double
    /// The maximum time for which a response without an expiry is fresh. Default: 24 hours.
    public var maxHeuristicLifetime: Duration
    /// How long after it became stale a response may replace a failure if the server sends no `stale-if-error` (RFC 9111 §4.2.4). Responses
    /// with `must-revalidate` or `no-cache` never replace one. Default: nil, never.
    public var staleIfError: Duration?

    /// Creates the settings of a cache. Each parameter has the default of its property.
    public init(
        mode: Mode = .private, heuristicFraction: Double = 0.1, maxHeuristicLifetime: Duration = .seconds(86_400),
        staleIfError: Duration? = nil
    ) {
        self.mode = mode
        self.heuristicFraction = heuristicFraction.isFinite ? Swift.max(0, heuristicFraction) : 0
        self.maxHeuristicLifetime = maxHeuristicLifetime
        self.staleIfError = staleIfError
    }
}
