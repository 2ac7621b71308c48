/// How one call uses the cache, if the client has a `CacheInterceptor`.
///
/// ```swift
/// var request = Request<News>.get("news")
/// request.options.cachePolicy = .cacheElseNetwork
/// ```
@nonexhaustive public enum CachePolicy: Sendable, Hashable {
    /// Follows the rules of HTTP, which use a fresh stored response and validate a stale one. The request's own `Cache-Control` is
    /// respected.
    case useProtocol
    /// Requests the server's response even if a stored one is fresh, and stores the new one. Other caches receive `Cache-Control:
    /// no-cache`, unless the request has its own `Cache-Control`.
    case reload
    /// Returns the stored response regardless of its age, or a response with status 504 if none is stored, without using the network.
    case cacheOnly
    /// Returns the stored response regardless of its age, or the server's if none is stored.
    case cacheElseNetwork
    /// Returns the stored response regardless of its age and requests the server's in the background, or returns the server's if none is
    /// stored. `values(_:options:)` returns both.
    case cacheAndNetwork
}
