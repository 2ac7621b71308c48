/// The options for a subscription: its transport, when it reconnects, and limits. Every setting has a default.
public struct GraphQLSubscriptionOptions: Sendable {
    /// The protocol over which the results arrive. Default: server-sent events.
    public var transport: any SubscriptionTransport
    /// The rules by which a lost connection is replaced by a new one. They apply to connections that break, or that end before the
    /// subscription is complete. The HTTP client's clock and random numbers are used.
    ///
    /// Default: as for event streams. A subscription has no side effects, so `.whenIdempotent` has the effect of `.always`. With `.never`
    /// the loss is thrown.
    public var reconnection: EventReconnection
    /// The maximum time without bytes, from the request on, before a connection counts as lost, or nil for no limit. Heartbeats reset the
    /// time. An idle timeout of the call has precedence. Default: 5 minutes.
    public var idleTimeout: Duration?
    /// The maximum size of a message in bytes; a larger one throws `.http(.responseTooLarge)`. Default: 16 MiB.
    public var maxMessageBytes: Int
    /// The ID of the last event that an earlier subscription received, to resume after it. The server must support event IDs. Default:
    /// empty, which starts with new events.
    public var lastEventID: String

    /// Creates the options for a subscription. Each parameter has the default of its property.
    public init(
        transport: any SubscriptionTransport = .serverSentEvents, reconnection: EventReconnection = EventReconnection(rule: .always),
        idleTimeout: Duration? = .seconds(300), maxMessageBytes: Int = 16 << 20, lastEventID: String = ""
    ) {
        self.transport = transport
        self.reconnection = reconnection
        self.idleTimeout = idleTimeout
        self.maxMessageBytes = maxMessageBytes
        self.lastEventID = lastEventID
    }
}
