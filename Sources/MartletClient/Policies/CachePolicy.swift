/// How one call uses the cache.
///
/// ```swift
/// var request = Request<News>.get("news")
/// request.options.cachePolicy = .cacheElseNetwork
/// ```
@nonexhaustive public enum CachePolicy: Sendable, Hashable {
    /// As HTTP says: what is fresh is used, what is stale is validated. Directives of the request's own `Cache-Control` count.
    case useProtocol
    /// From the server, whatever is stored; the answer is stored. Caches on the way are told by `Cache-Control: no-cache`, unless the request
    /// has a `Cache-Control` of its own.
    case reload
    /// What is stored, however old, and without the network: 504 when there is nothing.
    case cacheOnly
    /// What is stored, however old; else from the server.
    case cacheElseNetwork
    /// What is stored, however old, while the server is asked besides: in the background for a call that gives one answer; `values(for:)`
    /// gives both.
    case cacheAndNetwork
}
