public import MartletEssentials
internal import MartletSystem

/// A GraphQL client: sends operations through an HTTP client and returns typed data.
///
/// ```swift
/// let http = HTTPClient(baseURL: URL(string: "https://api.example"), interceptors: [AuthInterceptor(tokens)])
/// let graphQL = GraphQLClient(http, path: "graphql")
/// let data = try await graphQL.execute(HeroQuery(id: "1000"))
/// ```
///
/// The interceptors, limits and deadlines of the HTTP client apply to every operation. In tests, pass a client over a mock transport. All
/// methods throw only `GraphQLError`.
public struct GraphQLClient: GraphQLClientProtocol {
    /// The HTTP client that sends the requests.
    public let client: any HTTPClientProtocol
    /// The client's configuration: how operations are sent and responses are read. To change it, make a copy with ``with(_:)``.
    public private(set) var configuration: Configuration
    let target: GraphQLTarget
    let shared = Shared()

    /// The state that copies of a client share.
    final class Shared: Sendable {
        /// The number of mutations that have ended.
        let mutationCount = Locked(0)
        let persistedQueries = PersistedQueryMemory()
        /// Whether a response was obtained with a credential that is not part of the keys.
        let hasUnseenCredentials = Locked(false)
        let flights = SingleFlight<QueryKey, HTTPResponse<Data>>(cancelsAbandoned: true)
    }

    /// Creates a client for a GraphQL endpoint at a path below the HTTP client's base URL.
    ///
    /// - Parameters:
    ///   - client: The HTTP client that sends the requests.
    ///   - path: The path of the endpoint. Default: `graphql`.
    ///   - configuration: How operations are sent and responses are read.
    public init(_ client: any HTTPClientProtocol, path: Path = "graphql", configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(path: path)
    }

    /// Creates a client for a GraphQL endpoint at an absolute URL.
    public init(_ client: any HTTPClientProtocol, url: URL, configuration: Configuration = Configuration()) {
        self.client = client
        self.configuration = configuration
        target = GraphQLTarget(url: url)
    }

    /// Returns a copy of the client with the changes that a closure makes to its configuration. Both clients share queries in flight and
    /// what they know about the server's support for persisted queries.
    ///
    /// ```swift
    /// let uncached = graphQL.with { $0.cache = nil }
    /// ```
    public func with(_ change: (inout Configuration) -> Void) -> GraphQLClient {
        var client = self
        change(&client.configuration)
        return client
    }

    /// The configuration of a GraphQL client: how operations are sent and responses are read. Every setting has a default.
    public struct Configuration: Sendable {
        /// The encoder for variables. It must write JSON and keep the keys unchanged; an encoder that converts keys throws
        /// `.invalidOperation`. The HTTP client's encoder is not used. Default: `.json`, which writes dates as ISO 8601 in whole seconds.
        public var encoder: any BodyEncoder
        /// The decoder for the data of responses. Default: nil, the HTTP client's decoder.
        public var decoder: (any BodyDecoder)?
        /// Header fields that are added to every request. Default: none.
        public var headers: HTTPFields
        /// How errors in a response that also has data are treated. Default: `.standard`, `execute` throws them and `result(of:)` returns
        /// both.
        public var errorPolicy: ErrorPolicy
        /// Whether queries are sent by GET; mutations use POST. Default: false, POST with the parameters as a JSON body.
        ///
        /// GET puts the parameters in the URL, so that HTTP caches can store the response (GraphQL over HTTP §5.3). Servers and proxies log
        /// URLs, so variables must not contain secrets. A query whose URL is too long, or that has uploads, uses POST.
        public var sendsQueriesByGET: Bool
        /// The maximum length of a URL in bytes up to which a query is sent by GET; with a longer one it uses POST. Default: 8,000.
        public var maxGETBytes: Int
        /// How requests identify their documents: by text, hash or ID. Default: `.off`, by text.
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
        /// The document cache for responses to queries, or nil for no cache. Default: nil. See ``GraphQLDocumentCache``.
        public var cache: GraphQLDocumentCache?
        /// How queries use the cache if the call's options do not set a policy. Default: `.cacheFirst`. Without a ``cache`` it has no
        /// effect.
        public var cachePolicy: GraphQLCachePolicy
        /// A closure that returns the name of the user to whom responses belong, so that users never share them. Called for each call.
        /// Stored responses and running queries of one user are not used for another. Default: nil; responses are then not stored if an
        /// interceptor may add a credential, and not shared if one did: see ``GraphQLDocumentCache``.
        public var scope: (@Sendable () async -> String)?
        /// The maximum number of operations in a batch; more throw `.invalidOperation`. Default: 50.
        public var maxBatchSize: Int
        /// How subscriptions are opened and kept alive.
        public var subscriptions: GraphQLSubscriptionOptions
        /// The WebSocket over which queries and mutations are sent. Default: nil, they are sent over HTTP.
        ///
        /// Operations with uploads, batches and `updates` always use HTTP. An operation is sent once: no interceptor sees or retries it. If
        /// the connection is lost, it throws `.http(.networkError)` or `.closed`. Set the transport of ``subscriptions`` to the same value,
        /// so that both share a connection.
        public var webSocket: WebSocketSubscriptionTransport?

        /// Creates the configuration of a client. Each parameter has the default of its property.
        public init(
            encoder: any BodyEncoder = .json, decoder: (any BodyDecoder)? = nil, headers: HTTPFields = [:],
            errorPolicy: ErrorPolicy = .standard,
            sendsQueriesByGET: Bool = false, maxGETBytes: Int = 8_000, persistedQueries: PersistedQueries = .off,
            deduplicatesQueries: Bool? = nil, cache: GraphQLDocumentCache? = nil, cachePolicy: GraphQLCachePolicy = .cacheFirst,
            scope: (@Sendable () async -> String)? = nil, maxBatchSize: Int = 50,
            subscriptions: GraphQLSubscriptionOptions = GraphQLSubscriptionOptions(), webSocket: WebSocketSubscriptionTransport? = nil
        ) {
            self.encoder = encoder
            self.decoder = decoder
            self.headers = headers
            self.errorPolicy = errorPolicy
            self.sendsQueriesByGET = sendsQueriesByGET
            self.maxGETBytes = maxGETBytes
            self.persistedQueries = persistedQueries
            self.deduplicatesQueries = deduplicatesQueries
            self.cache = cache
            self.cachePolicy = cachePolicy
            self.scope = scope
            self.maxBatchSize = maxBatchSize
            self.subscriptions = subscriptions
            self.webSocket = webSocket
        }
    }

    /// The error policy for calls that do not set one.
    public var errorPolicy: ErrorPolicy { configuration.errorPolicy }

    /// The group of running calls of the underlying HTTP client, including calls that are not GraphQL, or nil if the client has none.
    public var calls: CallGroup? { client.calls }

    /// The time source of the underlying HTTP client.
    public var time: any TimeSource { client.time }

    var decoder: any BodyDecoder { configuration.decoder ?? client.decoder }
}
