/// Where the answer to a query may come from.
public enum GraphQLCachePolicy: Sendable, Hashable, CaseIterable {
    /// From the cache while it is fresh there, else from the server.
    case cacheFirst
    /// From the server; what it answers is kept.
    case networkOnly
    /// From the cache, whatever its age, and then from the server: a sequence of values gives both, a call that has one answer gives the
    /// first and asks the server behind it.
    case cacheAndNetwork
    /// From the cache while it is fresh there; else ``GraphQLError/notCached``, also where there is no cache. The server is not asked.
    case cacheOnly
    /// From the server, and nothing is kept.
    case noStore
}
