/// How subscriptions are opened and kept alive. Every setting has a default.
public struct GraphQLSubscriptionOptions: Sendable {
    /// The protocol that carries the results. Default: server-sent events.
    public var transport: any SubscriptionTransport
    /// When and how soon a lost connection is replaced. It applies to connections that break, or that end before the subscription is
    /// complete. The HTTP client's clock and random numbers are used.
    ///
    /// Default: as for event streams. A subscription has no side effects, so `.whenIdempotent` has the effect of `.always`. With `.never`
    /// the loss is thrown.
    public var reconnection: EventReconnection
    /// How long a connection may be silent, from its request on, before it counts as lost. Heartbeats reset the time. An idle timeout of
    /// the call has precedence. Nil for no limit. Default: 5 minutes.
    public var idleTimeout: Duration?
    /// The maximum size of a message, in bytes. A larger message throws `.http(.responseTooLarge)`. Default: 16 MiB.
    public var maxMessageBytes: Int
    /// The ID of the last event received earlier, to resume after it. The server must support event IDs. Default: empty, which starts with
    /// new events.
    public var lastEventID: String

    /// Creates options. Each parameter has the default of its property.
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
