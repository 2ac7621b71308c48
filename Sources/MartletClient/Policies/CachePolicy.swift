/// How one call uses the cache.
///
/// ```swift
/// var request = Request<News>.get("news")
/// request.options.cachePolicy = .cacheElseNetwork
/// ```
@nonexhaustive public enum CachePolicy: Sendable, Hashable {
    /// Follows the rules of HTTP: a fresh response is used, a stale one is validated. The request's own `Cache-Control` is respected.
    case useProtocol
    /// Requests the server's response even if a stored one is fresh, and stores it. Other caches receive `Cache-Control: no-cache`, unless
    /// the request has its own `Cache-Control`.
    case reload
    /// Returns the stored response regardless of its age, without using the network. Without a stored response: 504.
    case cacheOnly
    /// Returns the stored response regardless of its age. Without a stored response, requests the server's.
    case cacheElseNetwork
    /// Returns the stored response regardless of its age, and requests the server's in the background. `values(_:options:)` returns both.
    case cacheAndNetwork
}
