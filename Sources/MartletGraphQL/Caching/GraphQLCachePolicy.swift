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

/// What is particular to one query's use of the cache.
public struct GraphQLCacheOptions: Sendable {
    /// Where the answer may come from. Default: nil, the client's. As this is Optional, `.none` is nil: write `GraphQLCachePolicy.none`.
    public var policy: GraphQLCachePolicy?
    /// For how long the answer is fresh. Default: nil, the cache's.
    public var timeToLive: Duration?
    /// Names of types that the answer depends on besides those that are in it: an empty list names none. Default: none.
    public var types: Set<String>

    /// Options that differ from the client's.
    public init(policy: GraphQLCachePolicy? = nil, timeToLive: Duration? = nil, types: Set<String> = []) {
        self.policy = policy
        self.timeToLive = timeToLive
        self.types = types
    }
}
