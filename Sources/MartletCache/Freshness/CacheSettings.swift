/// What a cache may decide for itself.
public struct CacheSettings: Sendable, Hashable {
    /// Whether a cache serves one user or many (RFC 9111 §1.2).
    public enum Mode: Sendable, Hashable {
        /// The cache of one user, such as an app's.
        case `private`
        /// A cache that serves many users, such as a server's. It follows `s-maxage`, `private` and `proxy-revalidate`, and stores the response to a
        /// request with `Authorization` only if the server allows it (RFC 9111 §3.5).
        ///
        /// `Set-Cookie` of a stored response is returned each time the response is reused, as RFC 9111 §7.3 leaves it to servers: all users of
        /// the same ``CacheScope`` receive it.
        case shared

        /// The prefix of scopes: responses for one user are not reused for all, though both may be in one store.
        var scopePrefix: String { self == .shared ? "shared " : "" }
    }

    /// Whether the cache serves one user or many. Default: `.private`.
    public var mode: Mode
    /// How much of the time since its last modification a response without an expiry is fresh for (RFC 9111 §4.2.2). Default: 0.1; 0 for
    /// never.
    public var heuristicFraction: Double
    /// The maximum of such a lifetime. Default: 24 hours.
    public var maxHeuristicLifetime: Duration
    /// For how long past its freshness a response may stand in for a failure when the server does not say so by `stale-if-error` (RFC 9111
    /// §4.2.4). Responses whose server forbids it (`must-revalidate`, `no-cache`) never do. Default: nil, not at all.
    public var staleIfError: Duration?

    /// Creates settings, each with its default.
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
