public import MartletEssentials
internal import MartletSystem

/// Sends GraphQL operations through an HTTP client, and gives typed data.
///
/// ```swift
/// let http = HTTPClient(baseURL: URL(string: "https://api.example"), interceptors: [AuthInterceptor(tokens)])
/// let graphQL = GraphQLClient(http, path: "graphql")
/// let data = try await graphQL.execute(HeroQuery(id: "1000"))
/// ```
///
/// Interceptors, limits, deadlines and doubles are those of the HTTP client. Its methods throw `GraphQLError`, and only that.
public struct GraphQLClient: GraphQLClientProtocol {
    /// The client that sends.
    public let client: any HTTPClientProtocol
    /// How operations are sent and read.
    public private(set) var configuration: Configuration
    let target: GraphQLTarget
    let shared = Shared()

    /// What the copies of a client have in common.
    final class Shared: Sendable {
        /// How many mutations have come to their end.
        let mutationCount = Locked(0)
        let persistedQueries = PersistedQueryMemory()
        /// Whether a response was obtained with a credential that is not part of the keys.
        let hasUnseenCredentials = Locked(false)
        let flights = SingleFlight<QueryKey, HTTPResponse<Data>>(cancelsAbandoned: true)
    }

    /// A client whose server's GraphQL is at a path below the HTTP client's base URL.
    public init(_ client: any HTTPClientProtocol, path: Path = "graphql", configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(path: path)
    }

    /// A client whose server's GraphQL is at a full URL.
    public init(_ client: any HTTPClientProtocol, url: URL, configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(url: url)
    }

    /// The same client with another configuration. What it has learned of the server, and what is under way, it has in common with this one.
    ///
    /// ```swift
    /// let uncached = graphQL.with { $0.cache = nil }
    /// ```
    public func with(_ change: (inout Configuration) -> Void) -> GraphQLClient {
        var client = self
        change(&client.configuration)
        return client
    }

    /// How operations are sent and read, each part with its default.
    public struct Configuration: Sendable {
        /// The encoder of variables. It must write JSON with keys as they are; an encoder that converts keys is `.invalidOperation`.
        /// The HTTP client's encoder is not used. Default: `.json`, which writes dates as ISO 8601 in whole seconds.
        public var encoder: any BodyEncoder
        /// What reads the data. Default: nil, the HTTP client's decoder.
        public var decoder: (any BodyDecoder)?
        /// Fields of every request.
        public var headers: HTTPFields
        /// What errors beside data mean. Default: `.standard`, `execute` throws them and `result(of:)` gives both.
        public var errorPolicy: ErrorPolicy
        /// How queries are asked: see ``GraphQLQueryMethod``. Mutations go by POST. Default: POST.
        public var queryMethod: GraphQLQueryMethod
        /// How many bytes the URL of a query by GET may have; a longer one is asked by POST. Default: 8,000.
        public var maxGETBytes: Int
        /// Whether documents are sent by their text, or by a hash or id. Default: by their text.
        public var persistedQueries: PersistedQueries
        /// Whether identical concurrent queries are sent once and share the response. Default: nil, which shares queries if ``scope`` is
        /// set.
        ///
        /// Queries are identical if their document, operation name, variables, extensions, fields, timeouts and limits are equal. A query
        /// with uploads, a redirect policy or context values of its own is never shared. A cancelled caller stops waiting; the request is
        /// cancelled when all callers are. Users that share a client are separated by ``scope`` and by fields of the call's own. With
        /// `true` and no scope, a call whose shared response turns out to have used an interceptor's credential is sent by itself, and
        /// later calls are not shared.
        public var deduplicatesQueries: Bool?
        /// Where answers to queries are kept; see ``GraphQLDocumentCache``. Default: nil, nowhere.
        public var cache: GraphQLDocumentCache?
        /// Where answers may come from when there is a cache and the call does not say it. Default: from the cache first.
        public var cachePolicy: GraphQLCachePolicy
        /// Returns the name of the user to whom responses belong. Called for each call. Stored responses and running queries of one user
        /// are not used for another. Default: nil; responses are then not stored if an interceptor may add a credential, and not shared
        /// if one did: see ``GraphQLDocumentCache``.
        public var scope: (@Sendable () async -> String)?
        /// The maximum number of operations in a batch. More throw `.invalidOperation`. Default: 50.
        public var maxBatchSize: Int
        /// How subscriptions are made and kept up.
        public var subscriptions: GraphQLSubscriptionOptions

        /// A configuration.
        public init(
            encoder: any BodyEncoder = .json, decoder: (any BodyDecoder)? = nil, headers: HTTPFields = [:],
            errorPolicy: ErrorPolicy = .standard,
            queryMethod: GraphQLQueryMethod = .post, maxGETBytes: Int = 8_000, persistedQueries: PersistedQueries = .off,
            deduplicatesQueries: Bool? = nil, cache: GraphQLDocumentCache? = nil, cachePolicy: GraphQLCachePolicy = .cacheFirst,
            scope: (@Sendable () async -> String)? = nil, maxBatchSize: Int = 50,
            subscriptions: GraphQLSubscriptionOptions = GraphQLSubscriptionOptions()
        ) {
            self.encoder = encoder
            self.decoder = decoder
            self.headers = headers
            self.errorPolicy = errorPolicy
            self.queryMethod = queryMethod
            self.maxGETBytes = maxGETBytes
            self.persistedQueries = persistedQueries
            self.deduplicatesQueries = deduplicatesQueries
            self.cache = cache
            self.cachePolicy = cachePolicy
            self.scope = scope
            self.maxBatchSize = maxBatchSize
            self.subscriptions = subscriptions
        }
    }

    /// What errors beside data mean.
    public var errorPolicy: ErrorPolicy { configuration.errorPolicy }

    /// The running calls of the underlying HTTP client, including calls that are not GraphQL.
    public var calls: CallGroup? { client.calls }

    /// The time source of the underlying HTTP client.
    public var time: any TimeSource { client.time }

    var decoder: any BodyDecoder { configuration.decoder ?? client.decoder }
}
