/// How subscriptions are made and kept up, each part with its default.
public struct GraphQLSubscriptionOptions: Sendable {
    /// How results come from the server. Default: server-sent events.
    public var transport: any SubscriptionTransport
    /// When and how soon a connection is made again that broke or ended before its subscription was complete, by the HTTP client's clock and
    /// random numbers. Default: as for event streams, for all: a
    /// subscription has no effects, so that `.whenIdempotent` is `.always` here. With `.never` the end is thrown.
    public var reconnection: EventReconnection
    /// How long a connection may be silent, its head included, before it is taken for dead and made again. Heartbeats count as a sign of life. An idle
    /// timeout of the call itself goes before this one. Nil for no limit. Default: 5 minutes.
    public var idleTimeout: Duration?
    /// How many bytes a message may have; past it `.http(.responseTooLarge)`. Default: 16 MiB.
    public var maxMessageBytes: Int
    /// Where to go on, for servers that give their messages ids. Default: empty, from now on.
    public var lastEventID: String

    /// Options, each with its default.
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
