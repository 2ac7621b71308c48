/// When and how soon the connection of an event stream is made again.
///
/// ### Which requests
/// Those that are idempotent, by their method or an `Idempotency-Key`, unless ``rule`` says otherwise: to send a POST again would do its
/// work again. Without reconnection the end of the stream is the end of the sequence, and a connection that breaks is thrown.
///
/// ### After what
/// The end of the stream; a connection that could not be made or broke; a time-out, the idle one too; an open circuit breaker; and the
/// ``statuses``. The first connection is treated like the later ones. Everything else is thrown at once, as it would come again: another
/// status, another content type, a refused certificate, a redirect that may not be followed. A `RetryInterceptor` of the client has had
/// its attempts at each connection by then.
///
/// ### How long is waited
/// The server's reconnection time (`retry`), or ``delay`` when it has set none, doubled for each connection in a row that was no good,
/// up to ``maxDelay``, and up to half of it more by chance. A connection was good when it brought an event, or stayed open as long as
/// ``maxDelay``, and a second at least. A server's own time is kept also where it is longer than ``maxDelay``, and a `Retry-After` too.
public struct EventReconnection: Sendable, Hashable {
    /// Which requests are sent again.
    public enum Rule: Sendable, Hashable {
        /// Those that are idempotent, by method or by an `Idempotency-Key` of their own.
        case whenIdempotent
        /// All, also those whose effect may then come twice.
        case always
        /// None.
        case never
    }

    /// Which requests are sent again. Default: the idempotent ones.
    public var rule: Rule
    /// The reconnection time until the server sets one. Default: 3 seconds.
    public var delay: Duration
    /// The shortest wait, whatever the server sets. With zero, a server that sets `retry: 0` and ends each answer after an event is asked
    /// again without a pause, for as long as it likes. Default: 100 milliseconds.
    public var minDelay: Duration
    /// The longest wait that is of the client's own making. Default: 30 seconds.
    public var maxDelay: Duration
    /// The longest wait that a server may ask for: of `retry` it is the most that counts, and a `Retry-After` beyond it ends the sequence
    /// with the error. Default: one hour.
    public var maxServerDelay: Duration
    /// How many connections in a row may fail before the last failure is thrown; nil for any number. Those that bring an event, hold for
    /// long or end as they should do not count. Default: 10, which takes some four minutes.
    public var maxFailures: Int?
    /// The statuses after which another connection is tried, after their `Retry-After` if they have one. Default: none, as WHATWG HTML
    /// §9.2.3 wants it. A service behind a load balancer is better served with `RetryPolicy.transientStatuses`.
    public var statuses: Set<HTTPStatus>

    /// A way of reconnecting, each part with its default.
    public init(
        rule: Rule = .whenIdempotent, delay: Duration = .seconds(3), minDelay: Duration = .milliseconds(100),
        maxDelay: Duration = .seconds(30), maxServerDelay: Duration = .seconds(3600), maxFailures: Int? = 10,
        statuses: Set<HTTPStatus> = []
    ) {
        self.rule = rule
        self.delay = delay
        self.minDelay = minDelay
        self.maxDelay = maxDelay
        self.maxServerDelay = maxServerDelay
        self.maxFailures = maxFailures
        self.statuses = statuses
    }

    /// Every idempotent request, with every default.
    public static var standard: EventReconnection { EventReconnection() }

    /// One connection, and no other.
    public static var never: EventReconnection { EventReconnection(rule: .never) }
}
