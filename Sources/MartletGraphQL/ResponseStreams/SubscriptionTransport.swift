public import MartletEssentials

/// How the results of a subscription come from the server: one connection of one operation at a time.
///
/// ``SubscriptionTransport/serverSentEvents`` and ``SubscriptionTransport/multipart`` are there; another one makes a connection of its own
/// protocol. It only carries messages. When a connection is made again and after what wait, what a message means, when one has been silent for
/// too long, and what is done about an error, is the same for all, and none of its business.
public protocol SubscriptionTransport: Sendable {
    /// Opens a connection for an operation, and gives it when the server has taken the operation on.
    ///
    /// Throws `.response` when the server refuses it with errors, and `.http` for everything else. It is called again for each connection, after
    /// the last one was closed. It must end early when its task is cancelled; a connection that nobody takes any more must close itself.
    @concurrent func connect(_ request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection
}

/// One connection of one operation, which is open.
public protocol SubscriptionConnection: AnyObject, Sendable {
    /// The head of the answer, for those that look for it; nil when there is none.
    var response: HTTPResponse<Void>? { get }

    /// The next message; nil when the connection has ended. Called by one at a time.
    ///
    /// Nothing must be read ahead of it without bound: so a slow reader stops the server. Throws `.http`.
    func next() async throws(GraphQLError) -> SubscriptionMessage?

    /// Closes the connection at once, also while ``next()`` waits, which then throws or gives nil. Called once or more when the connection is of no
    /// use any more, from any thread.
    func close()
}

/// What comes over a connection of a subscription.
@nonexhaustive public enum SubscriptionMessage: Sendable, Equatable {
    /// A result: a GraphQL response as JSON, with data, errors, or both.
    case next(Data)
    /// The operation has failed, and there is nothing more.
    case error([GraphQLResponseError])
    /// There is nothing more.
    case complete
    /// How long to wait before the next connection, for those whose protocol has such a thing.
    case retry(Duration)
    /// Where to go on: what the next connection is told as ``SubscriptionRequest/lastEventID``.
    case id(String)
    /// A sign of life.
    case heartbeat
}

/// What a connection is asked for.
public struct SubscriptionRequest: Sendable {
    /// The operation.
    public let operation: AnyGraphQLOperation
    /// The parameters of the request as JSON (GraphQL over HTTP §5.1): `query`, `operationName`, `variables`, `extensions`.
    public let payload: Data
    /// How many bytes a message may have; past it `.http(.responseTooLarge)`.
    public let maxMessageBytes: Int
    /// The client whose connections, interceptors and limits are used.
    public let client: any HTTPClientProtocol
    /// Where the last connection ended; nil when that is not known.
    public internal(set) var lastEventID: String?

    /// The POST request, without the header fields of a particular connection.
    let post: GraphQLEndpoint

    /// How many bytes an answer may have that is no stream.
    var maxAnswerBytes: Int { (post.options.limits ?? client.responseLimits).bodyBytes }

    /// The request as a POST, whose answer is to be one of these media types, and may be silent for as long as it likes.
    public func endpoint(accept: String) -> GraphQLEndpoint {
        var endpoint = post
        endpoint.headers.addMissing([.accept: accept, .cacheControl: "no-cache"])
        if let lastEventID, !lastEventID.isEmpty { endpoint.headers["Last-Event-ID"] = lastEventID }
        // The subscription has an idle timeout of its own.
        endpoint.options.idleTimeout = .unlimited
        // It only reads: to ask again does nothing twice.
        endpoint.options.context.isIdempotent = true
        return endpoint
    }
}

extension SubscriptionRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The operation; nothing of the variables and the fields.
    public var description: String { "\(operation)" }
}
