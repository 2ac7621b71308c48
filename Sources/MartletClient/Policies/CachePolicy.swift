/// How one call uses the cache.
///
/// ```swift
/// var request = Request<News>.get("news")
/// request.options.cachePolicy = .cacheElseNetwork
/// ```
@nonexhaustive public enum CachePolicy: Sendable, Hashable {
    /// The rules of HTTP: a fresh response is used, a stale one is validated. Directives of the request's own `Cache-Control` count.
    case useProtocol
    /// The server's response, even if a stored one is fresh. It is stored. Caches on the way get `Cache-Control: no-cache`, unless the request
    /// has a `Cache-Control` of its own.
    case reload
    /// The stored response, whatever its age, without the network. Without a stored response: 504.
    case cacheOnly
    /// The stored response, whatever its age, otherwise the server's.
    case cacheElseNetwork
    /// The stored response, whatever its age, while the server's is requested: in the background for a call that returns one value;
    /// `values(_:options:)` returns both.
    case cacheAndNetwork
}
