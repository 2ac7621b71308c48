public import MartletEssentials

/// A subscription transport over WebSocket, for all operations of a client over one connection.
///
/// ```swift
/// let socket = WebSocketSubscriptionTransport(path: "graphql/ws", parameters: .token(from: tokens))
/// let graphQL = GraphQLClient(client, configuration: .init(subscriptions: .init(transport: socket)))
/// ```
///
/// The first operation opens the connection, with the client's base URL, header fields, cookies and interceptors. Later operations share
/// it while it is open, if they have the same header fields, parameters and user (``GraphQLClient/Configuration/scope``, or the session of
/// the credential). Without operations, it is closed after ``idleTimeout``. Copies of a transport share its connections.
///
/// ### Messages
/// Messages are read as the operations wait for them. A loop that reads slowly slows the server down if it is the only one that waits. If
/// its messages reach 1,024, or the maximum size of one message, while other loops wait, it throws `.http(.responseTooLarge)`.
///
/// ### Lost connections
/// When the connection is lost, each subscription on it opens its operation again, over one new connection, by the rules of
/// ``GraphQLSubscriptionOptions/reconnection``. If the server closes it with 4401, or in place of `connection_ack` with 4403, 1000 or 1008,
/// the credential is renewed once. The codes 4400, 4403, 4406, 4409, 4429 and 4500, and those of RFC 6455 for violations, end the
/// subscriptions with ``GraphQLError/closed(_:)``.
public struct WebSocketSubscriptionTransport: SubscriptionTransport {
    /// The protocols that the handshake offers, in the order of preference. If the server selects none, the first applies. Default: the
    /// current one, and then the older one.
    public var protocols: [GraphQLSocketProtocol] {
        get { settings.protocols }
        set { settings.protocols = newValue }
    }
    /// The maximum time from the handshake to `connection_ack`. Default: 10 seconds.
    public var acknowledgementTimeout: Duration {
        get { settings.acknowledgementTimeout }
        set { settings.acknowledgementTimeout = newValue }
    }
    /// How long a connection stays open after its last operation; zero closes it at once. Default: 10 seconds.
    public var idleTimeout: Duration {
        get { settings.idleTimeout }
        set { settings.idleTimeout = newValue }
    }
    /// How long nothing may arrive before the client sends a ping, or nil for no pings. A connection without a reply within 10 seconds is
    /// lost. The older protocol has no pings; those of WebSocket (RFC 6455 §5.5.2) notice the loss. Default: 30 seconds.
    public var keepAlive: Duration? {
        get { settings.keepAlive }
        set { settings.keepAlive = newValue }
    }

    private var settings = GraphQLSocketSettings()
    private let parameters: GraphQLConnectionParameters
    private let pool = GraphQLSocketPool()
    private let open: GraphQLSocketOpening

    /// Creates a transport for the endpoint of the client's other operations, or one at another path below the client's base URL.
    ///
    /// - Parameters:
    ///   - path: The path of the endpoint. Default: nil, that of the `GraphQLClient`.
    ///   - parameters: The payload of `connection_init`. Default: none.
    public init(path: Path? = nil, parameters: GraphQLConnectionParameters = .none) {
        self.init(target: path.map { GraphQLTarget(path: $0) }, parameters: parameters, open: ClientGraphQLSocket.open)
    }

    /// Creates a transport for an endpoint at an absolute URL, with the scheme `ws`, `wss`, `http` or `https`.
    ///
    /// - Parameters:
    ///   - url: The URL of the endpoint.
    ///   - parameters: The payload of `connection_init`. Default: none.
    public init(url: URL, parameters: GraphQLConnectionParameters = .none) {
        self.init(target: GraphQLTarget(url: url), parameters: parameters, open: ClientGraphQLSocket.open)
    }

    init(target: GraphQLTarget?, parameters: GraphQLConnectionParameters, open: @escaping GraphQLSocketOpening) {
        settings.target = target
        self.parameters = parameters
        self.open = open
    }

    /// Starts the operation over an open connection, or over a new one.
    @concurrent public func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        try await pool.start(GraphQLSocketPool.Opening(request: request, settings: settings, parameters: parameters, open: open))
    }
}

extension SubscriptionTransport where Self == WebSocketSubscriptionTransport {
    /// The transport over WebSocket with its default settings, for servers at the endpoint of the client's other operations.
    public static var webSocket: Self { .standard }
}

extension WebSocketSubscriptionTransport {
    /// Its connections are told apart by their clients.
    fileprivate static let standard = WebSocketSubscriptionTransport()
}

extension SubscriptionRequest {
    /// Returns the handshake of a connection for this request.
    func handshake(_ settings: GraphQLSocketSettings) -> GraphQLSocketHandshake {
        let target = settings.target ?? GraphQLTarget(path: post.path, url: post.url)
        // Other operations will share the connection.
        var endpoint = GraphQLEndpoint([], target: target, headers: post.headers, timeout: post.timeout, options: post.options)
        endpoint.method = .get
        return GraphQLSocketHandshake(
            client: client, endpoint: endpoint, settings: settings, maxMessageBytes: max(maxMessageBytes, maxSharedMessageBytes ?? 0))
    }
}
