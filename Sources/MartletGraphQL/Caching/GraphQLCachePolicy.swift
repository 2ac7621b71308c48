/// Where the response to a query may come from: the document cache, the server, or both.
public enum GraphQLCachePolicy: Sendable, Hashable, CaseIterable {
    /// Uses a fresh cached response, or else requests the server's and stores it.
    case cacheFirst
    /// Requests the server's response even if a fresh one is cached, and stores it.
    case networkOnly
    /// Uses the cached response, whatever its age, and also requests the server's and stores it. `values(_:options:)` returns both. A call
    /// with a single response returns the cached one and updates the cache in the background.
    case cacheAndNetwork
    /// Uses a fresh cached response, or throws ``GraphQLError/notCached`` without sending a request. In the options of a call it also
    /// throws if the client has no cache.
    case cacheOnly
    /// Requests the server's response, and neither uses nor stores a cached one.
    case noStore
}
