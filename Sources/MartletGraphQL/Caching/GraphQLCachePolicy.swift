/// Where the response to a query may come from: the document cache, the server, or both.
public enum GraphQLCachePolicy: Sendable, Hashable, CaseIterable {
    /// Uses a fresh cached response, or asks the server.
    case cacheFirst
    /// Asks the server and stores the response.
    case networkOnly
    /// Uses the cached response, whatever its age, and also asks the server. `values(_:options:)` returns both. A call with a single
    /// response returns the cached one and updates the cache in the background.
    case cacheAndNetwork
    /// Uses a fresh cached response, or throws ``GraphQLError/notCached``. No request is sent. In the options of a call it also throws if
    /// the client has no cache.
    case cacheOnly
    /// Sends the request to the server and stores nothing.
    case noStore
}
