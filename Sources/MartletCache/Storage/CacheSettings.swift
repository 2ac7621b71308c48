/// The settings of a cache: private or shared, heuristic freshness, stale responses after failures, and its own limits, which are in
/// addition to those of its store.
public struct CacheSettings: Sendable, Hashable {
    /// Whether the cache is shared: for many users, such as a server's, and not for one, such as an app's (RFC 9111 §1.2). Default: false.
    ///
    /// A shared cache follows `s-maxage`, `private` and `proxy-revalidate`, and stores the response to a request with `Authorization` only
    /// if the server allows it (RFC 9111 §3.5). `Set-Cookie` of a stored response is part of every response made from it, because RFC 9111
    /// §7.3 leaves this to servers: all users of the same ``CacheScope`` receive it.
    public var isShared: Bool
    /// The fraction of the time since its last modification for which a response without an expiry is fresh (RFC 9111 §4.2.2). Default:
    /// 0.1. 0 disables heuristic freshness.
    public var heuristicFraction: Double
    /// The maximum time for which a response without an expiry is fresh. Default: 24 hours.
    public var maxHeuristicLifetime: Duration
    /// How long after it became stale a response may replace a failure if the server sends no `stale-if-error` (RFC 9111 §4.2.4). Responses
    /// with `must-revalidate` or `no-cache` never replace one. Default: nil, never.
    public var staleIfError: Duration?
    /// The maximum number of stored variants of one target, which differ in the request's fields named by `Vary`. Beyond it the oldest is
    /// removed. Default: 32.
    public var maxVariants: Int
    /// The maximum size in bytes of a response that the cache completes by combining a stored part with a received one (RFC 9111 §3.4).
    /// They are combined in memory. Default: 8 MiB.
    public var maxCombinedBytes: Int
    /// The maximum size in bytes of a streamed body that is read into memory, so that identical waiting requests can share it. Default:
    /// 1 MiB.
    public var maxSharedStreamBytes: Int
    /// The maximum number of concurrent revalidations in the background; beyond it none is started. Default: 16.
    public var maxRevalidations: Int
    /// The time limit for a revalidation in the background, including the body. Default: 60 seconds.
    public var revalidationTimeout: Duration

    /// Creates the settings of a cache. Each parameter has the default of its property.
    public init(
        isShared: Bool = false, heuristicFraction: Double = 0.1, maxHeuristicLifetime: Duration = .seconds(86_400),
        staleIfError: Duration? = nil, maxVariants: Int = 32, maxCombinedBytes: Int = 8 << 20, maxSharedStreamBytes: Int = 1 << 20,
        maxRevalidations: Int = 16, revalidationTimeout: Duration = .seconds(60)
    ) {
        self.isShared = isShared
        self.heuristicFraction = heuristicFraction.isFinite ? Swift.max(0, heuristicFraction) : 0
        self.maxHeuristicLifetime = maxHeuristicLifetime
        self.staleIfError = staleIfError
        self.maxVariants = Swift.max(1, maxVariants)
        self.maxCombinedBytes = maxCombinedBytes
        self.maxSharedStreamBytes = maxSharedStreamBytes
        self.maxRevalidations = maxRevalidations
        self.revalidationTimeout = revalidationTimeout
    }

    /// The prefix for scopes. It separates responses of private and shared caches that use one store.
    var scopePrefix: String { isShared ? "shared " : "" }
}
