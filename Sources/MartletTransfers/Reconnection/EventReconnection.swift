/// The rules that decide whether and when an event stream reconnects.
///
/// ### Which requests are sent again
/// Idempotent requests, by their method or an `Idempotency-Key`, unless ``reconnects`` says otherwise. Sending a POST again would repeat
/// its effect. If the request is not sent again, the sequence ends with the stream, and throws when the connection breaks.
///
/// ### After which events
/// The client reconnects after the end of the stream, a connection that failed or broke, a timeout (including the idle timeout), an open
/// circuit breaker, and the ``statuses``. The first connection is treated like later ones. Every other failure is thrown immediately
/// because it would repeat: another status, another content type, a refused certificate, a refused redirect. A `RetryInterceptor` of the
/// client makes its attempts at each connection first.
///
/// ### How long the wait is
/// The wait is the server's reconnection time (`retry`), or ``delay`` if it has set none. It is doubled for each consecutive unsuccessful
/// connection, up to ``maxDelay``, and a random part of up to half is added. A connection is successful if it delivered an event, or stayed
/// open for ``maxDelay`` and at least one second. A server's reconnection time or `Retry-After` that is longer than ``maxDelay`` is
/// respected, up to ``maxServerDelay``.
public struct EventReconnection: Sendable, Hashable {
    /// Whether the request is sent again when its stream ends or breaks. Default: nil, if it is idempotent, by its method or its own
    /// `Idempotency-Key`.
    ///
    /// With true, its effect may be repeated. With false, the stream ends with its first connection, unless ``EventControl/restart()`` is
    /// called.
    public var reconnects: Bool?
    /// The wait before reconnecting until the server sets a reconnection time. Default: 3 seconds.
    public var delay: Duration
    /// The shortest wait before reconnecting, whatever the server's reconnection time. Default: 100 milliseconds.
    ///
    /// With zero, a server that sets `retry: 0` and ends each response after an event makes the client reconnect without a pause.
    public var minDelay: Duration
    /// The longest wait before reconnecting that the client chooses itself after repeated failures. Default: 30 seconds.
    public var maxDelay: Duration
    /// The longest wait before reconnecting that a server may ask for. Default: one hour.
    ///
    /// A longer `retry` is reduced to it. A longer `Retry-After` ends the sequence with the error.
    public var maxServerDelay: Duration
    /// The number of consecutive failures after which the last one is thrown, or nil for no limit. Default: 10, which takes about four
    /// minutes.
    ///
    /// A connection that delivers an event, stays open for ``maxDelay`` or ends normally resets the count.
    public var maxFailures: Int?
    /// The error statuses after which the client reconnects instead of throwing, after their `Retry-After` if they have one. Default: none,
    /// as in WHATWG HTML §9.2.3.
    ///
    /// For a service behind a load balancer, use `RetryPolicy.transientStatuses`.
    public var statuses: Set<HTTPStatus>

    /// Creates rules for reconnecting. A rule that is left out has its default.
    public init(
        reconnects: Bool? = nil, delay: Duration = .seconds(3), minDelay: Duration = .milliseconds(100),
        maxDelay: Duration = .seconds(30), maxServerDelay: Duration = .seconds(3600), maxFailures: Int? = 10,
        statuses: Set<HTTPStatus> = []
    ) {
        self.reconnects = reconnects
        self.delay = delay
        self.minDelay = minDelay
        self.maxDelay = maxDelay
        self.maxServerDelay = maxServerDelay
        self.maxFailures = maxFailures
        self.statuses = statuses
    }

    /// The default rules, by which only idempotent requests are sent again.
    public static var standard: EventReconnection { EventReconnection() }

    /// The rules by which no request is sent again, unless ``EventControl/restart()`` is called.
    public static var never: EventReconnection { EventReconnection(reconnects: false) }
}
