/// The options for the call of one operation. An option that is nil comes from the client.
public struct GraphQLCallOptions: Sendable {
    /// Fields of the request. They tell answers apart in the document cache and among queries under way: what differs with each call, such as
    /// an id for a trace, is better put on by an interceptor.
    public var headers: HTTPFields
    /// The time limit for the whole call; for subscriptions and `updates(_:options:)`, up to the head of the response. It is the timeout of
    /// ``call``.
    public var timeout: Duration? {
        get { call.timeout }
        set { call.timeout = newValue }
    }
    /// What errors beside data mean. Default: `.standard`, as the client says.
    public var errorPolicy: ErrorPolicy
    /// Members of the request's `extensions`.
    public var extensions: [String: JSONValue]
    /// How a query is asked. Default: nil, as the client does. `.get` for a mutation is `.invalidOperation`. What flows is asked by POST.
    public var queryMethod: GraphQLQueryMethod?
    /// Where the response may come from, if the client has a document cache. Default: nil, the client's policy.
    public var cachePolicy: GraphQLCachePolicy?
    /// How long the response is fresh in the document cache. Default: nil, the cache's time to live.
    public var cacheTimeToLive: Duration?
    /// Names of types that the response depends on besides those in it; for a mutation, of types that it changes. Default: none.
    public var cacheTypes: Set<String>
    /// Called with the progress of the operation's uploads. Default: nil. Without uploads it is not called.
    ///
    /// A closure that is passed to the initializer on an actor, such as the main actor, is called there. When you set the property, write
    /// `{ @MainActor in … }`. The calls do not overlap. While one runs, progress is merged,
    /// and the operation returns after the last one. A retry starts at zero. The client's total timeout does not apply while the body makes
    /// progress, as with `EndpointClient.upload`.
    public var uploadProgress: (@Sendable @isolated(any) (TransferProgress) -> Void)?
    /// How a subscription is made and kept up. Default: nil, as the client does it.
    public var subscription: GraphQLSubscriptionOptions?
    /// The options for the HTTP call. Its validation is ignored, because the rules of GraphQL over HTTP decide which statuses are accepted.
    public var call: CallOptions

    /// Options that differ from the client's.
    public init(
        headers: HTTPFields = [:], timeout: Duration? = nil, errorPolicy: ErrorPolicy = .standard, extensions: [String: JSONValue] = [:],
        queryMethod: GraphQLQueryMethod? = nil, cachePolicy: GraphQLCachePolicy? = nil, cacheTimeToLive: Duration? = nil,
        cacheTypes: Set<String> = [],
        @_inheritActorContext uploadProgress: (@Sendable @isolated(any) (TransferProgress) -> Void)? = nil,
        subscription: GraphQLSubscriptionOptions? = nil, call: CallOptions = CallOptions()
    ) {
        self.headers = headers
        self.errorPolicy = errorPolicy
        self.extensions = extensions
        self.queryMethod = queryMethod
        self.cachePolicy = cachePolicy
        self.cacheTimeToLive = cacheTimeToLive
        self.cacheTypes = cacheTypes
        self.uploadProgress = uploadProgress
        self.subscription = subscription
        self.call = call
        if let timeout { self.call.timeout = timeout }
    }
}
