public import MartletEssentials

/// A type that implements the protocol over which the results of a subscription arrive.
///
/// ``SubscriptionTransport/serverSentEvents``, ``SubscriptionTransport/multipart`` and ``SubscriptionTransport/webSocket`` are built in.
/// Implement this protocol for another protocol. A transport only carries messages. The subscription itself decodes them, detects silent
/// connections, and decides when to reconnect, in the same way for every transport.
public protocol SubscriptionTransport: Sendable {
    /// Opens a connection for an operation, and returns it when the server has accepted the operation.
    ///
    /// It is called for each connection, after the previous one was closed. It must return or throw early when its task is cancelled. A
    /// connection must close itself when it is released.
    ///
    /// - Throws: `.response` if the server rejects the operation with errors, otherwise `.http`.
    @concurrent func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection
}

/// An open connection that receives the messages of one subscription.
public protocol SubscriptionConnection: AnyObject, Sendable {
    /// The status and header fields of the response that opened the connection, or nil if the protocol has none.
    var response: HTTPResponse<Void>? { get }

    /// Returns the next message, or nil when the connection has ended. Only one task calls it at a time.
    ///
    /// It must not read ahead without a limit, so that a slow reader slows down the server. Throws `.http`.
    func next() async throws(GraphQLError) -> SubscriptionMessage?

    /// Closes the connection immediately. A waiting ``next()`` then throws or returns nil. It may be called several times and from any
    /// thread.
    func close()
}

/// A message that a transport receives over a subscription's connection.
@nonexhaustive public enum SubscriptionMessage: Sendable, Equatable {
    /// A result of the subscription, which is a GraphQL response as JSON with data, errors, or both.
    case next(Data)
    /// The operation failed with these errors, and no message follows.
    case error([GraphQLResponseError])
    /// The subscription is complete, and no message follows.
    case complete
    /// The server sets the time to wait before the next connection.
    case retry(Duration)
    /// The server sent this ID of the latest event. The next connection receives it as ``SubscriptionRequest/lastEventID``.
    case id(String)
    /// A message without content that shows that the connection is alive.
    case heartbeat
}

/// The request that a transport sends for a connection of a subscription.
public struct SubscriptionRequest: Sendable {
    /// The subscription to open.
    public let operation: AnyGraphQLOperation
    /// The parameters of the request as a JSON object with `query`, `operationName`, `variables` and `extensions` (GraphQL over HTTP §5.1).
    public let payload: Data
    /// The maximum size of a message in bytes; a transport throws `.http(.responseTooLarge)` for a larger one.
    public let maxMessageBytes: Int
    /// The HTTP client whose connections, interceptors and limits the transport uses.
    public let client: any HTTPClientProtocol
    /// The ID of the last event of the previous connection, or nil if it is unknown.
    public internal(set) var lastEventID: String?

    /// The POST request, without the header fields of a particular connection.
    let post: GraphQLEndpoint
    /// What copies of the GraphQL client have in common.
    let owner: any AnyObject & Sendable
    /// Returns the name of the user, as configured.
    let scope: (@Sendable () async -> String)?
    /// The call that observers see, or nil without observers.
    var observed: ObservedCall?
    /// The maximum size of a message of all operations that may share a WebSocket with this one; nil for that of this operation.
    var maxSharedMessageBytes: Int?
    /// The idle timeout of the subscription, which also covers the wait for the head.
    var idleTimeout: Duration?

    /// The maximum size of a response that is not a stream, in bytes.
    var maxAnswerBytes: Int { (post.options.limits ?? client.configuration.limits).bodyBytes }

    /// Returns an endpoint that sends the request by POST, accepts these media types and has no idle timeout.
    ///
    /// - Parameter accept: The value of the `Accept` header field.
    public func endpoint(accept: String) -> GraphQLEndpoint {
        var endpoint = post
        endpoint.headers.addMissing([.accept: accept, .cacheControl: "no-cache"])
        if let lastEventID, !lastEventID.isEmpty { endpoint.headers["Last-Event-ID"] = lastEventID }
        // The subscription applies its own idle timeout.
        endpoint.options.idleTimeout = .unlimited
        endpoint.options.context.headTimeout = idleTimeout
        // A subscription only reads, so it can be sent again.
        endpoint.options.context.isIdempotent = true
        endpoint.options = endpoint.options.observed(by: observed)
        return endpoint
    }
}

extension SubscriptionRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The kind and the name of the operation. Variables and header fields are left out because they may be secret.
    public var description: String { "\(operation)" }
}
