/// The options for one call of a GraphQL operation.
///
/// An option that is nil is taken from the client's configuration.
public struct GraphQLCallOptions: Sendable {
    /// Header fields for the request, which take precedence over those of the client's configuration. They are part of the key by which the
    /// document cache and the deduplication of queries tell calls apart. A field that differs with each call, such as a trace ID, belongs
    /// in an interceptor.
    public var headers: HTTPFields
    /// The time limit for the whole call; for subscriptions and `updates(_:options:)`, up to the head of the response. It is stored as the
    /// timeout of ``call``.
    public var timeout: Duration? {
        get { call.timeout }
        set { call.timeout = newValue }
    }
    /// How errors in a response that also has data are treated. Default: `.standard`, the client's policy.
    public var errorPolicy: ErrorPolicy
    /// Members for the `extensions` of the GraphQL request, by name.
    public var extensions: [String: JSONValue]
    /// Whether queries are sent by GET. Default: nil, as the client is configured. With true, a mutation or a batch throws
    /// `.invalidOperation`. Subscriptions and `updates(_:options:)` always use POST.
    public var sendsQueriesByGET: Bool?
    /// Whether the response may come from the client's document cache. Without a cache, `.cacheOnly` throws `.notCached`.
    ///
    /// Default: nil, the client's policy; for `values(_:options:)`, `.cacheAndNetwork`.
    public var cachePolicy: GraphQLCachePolicy?
    /// How long the response is fresh in the document cache. Default: nil, the cache's time to live.
    public var cacheTimeToLive: Duration?
    /// The names of types that a query depends on or a mutation changes, for the document cache, besides those in its response. Default:
    /// none.
    public var cacheTypes: Set<String>
    /// A closure that is called with the progress of the operation's uploads. Default: nil. Without uploads it is not called.
    ///
    /// A closure that is passed to the initializer on an actor, such as the main actor, is called there. When you set the property, write
    /// `{ @MainActor in … }`. The calls do not overlap. While one runs, progress is merged, and the operation returns after the last one. A
    /// retry starts at zero. The client's total timeout does not apply while the body makes progress, as with `EndpointClient.upload`.
    public var uploadProgress: (@Sendable @isolated(any) (TransferProgress) -> Void)?
    /// How a subscription is opened and kept alive. Default: nil, the client's options.
    public var subscription: GraphQLSubscriptionOptions?
    /// The options for the HTTP call, except its validation, which is ignored: the rules of GraphQL over HTTP decide which statuses are
    /// accepted.
    public var call: CallOptions
    /// What the caller receives, which tells observers whether errors beside data are its outcome. The methods of clients set it.
    var reception = Reception.response

    /// Creates options that override only the given settings of the client.
    public init(
        headers: HTTPFields = [:], timeout: Duration? = nil, errorPolicy: ErrorPolicy = .standard, extensions: [String: JSONValue] = [:],
        sendsQueriesByGET: Bool? = nil, cachePolicy: GraphQLCachePolicy? = nil, cacheTimeToLive: Duration? = nil,
        cacheTypes: Set<String> = [],
        @_inheritActorContext uploadProgress: (@Sendable @isolated(any) (TransferProgress) -> Void)? = nil,
        subscription: GraphQLSubscriptionOptions? = nil, call: CallOptions = CallOptions()
    ) {
        self.headers = headers
        self.errorPolicy = errorPolicy
        self.extensions = extensions
        self.sendsQueriesByGET = sendsQueriesByGET
        self.cachePolicy = cachePolicy
        self.cacheTimeToLive = cacheTimeToLive
        self.cacheTypes = cacheTypes
        self.uploadProgress = uploadProgress
        self.subscription = subscription
        self.call = call
        if let timeout { self.call.timeout = timeout }
    }
}

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
