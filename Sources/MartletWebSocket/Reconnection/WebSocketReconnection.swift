public import MartletHTTP
internal import MartletTransfers
public import MartletWebSocketProtocol

/// The rules that decide whether and when a WebSocket connection is opened again.
///
/// ```swift
/// var rules = WebSocketReconnection()
/// rules.maxDelay = .seconds(10)
/// rules.maxAge = .seconds(3600)
/// ```
///
/// The wait before the next connection is doubled for each consecutive unsuccessful one, from ``delay`` up to ``maxDelay``, and a random
/// part of up to half is added. A connection is successful if a message arrived on it, or it was open for ``maxDelay`` and at least one
/// second.
public struct WebSocketReconnection: Sendable, Hashable {
    /// The wait after a successful connection. Default: 1 second.
    public var delay: Duration
    /// The longest wait after repeated failures. Default: 30 seconds.
    public var maxDelay: Duration
    /// The number of consecutive failures after which the last one is thrown, or nil for no limit. Default: 10.
    public var maxFailures: Int?
    /// The codes of the server's Close frames after which another connection is opened. The sequence ends after the others. Default: 1001,
    /// 1011, 1012, 1013 and 1014.
    ///
    /// A connection that breaks without a Close frame is always opened again.
    public var closeCodes: Set<WebSocketCloseCode>
    /// The statuses of a refused handshake after which it is tried again, after their `Retry-After` if they have one. Default: 429, 502,
    /// 503 and 504.
    public var statuses: Set<HTTPStatus>
    /// The age at which a connection is closed and replaced by a new one, or nil for none. Default: nil.
    ///
    /// It balances the load of servers that were added later, and renews credentials that a server checks only in the handshake. An age
    /// below ``delay``, also a negative one, counts as that, and at least as 100 milliseconds.
    public var maxAge: Duration?

    /// Creates rules. One that is left out has its default.
    public init(
        delay: Duration = .seconds(1), maxDelay: Duration = .seconds(30), maxFailures: Int? = 10,
        closeCodes: Set<WebSocketCloseCode> = [.goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway],
        statuses: Set<HTTPStatus> = [429, 502, 503, 504], maxAge: Duration? = nil
    ) {
        self.delay = delay
        self.maxDelay = maxDelay
        self.maxFailures = maxFailures
        self.closeCodes = closeCodes
        self.statuses = statuses
        self.maxAge = maxAge
    }

    /// The age at which a connection is replaced. No wait follows, so a short one would open connections without a pause.
    var effectiveAge: Duration? { maxAge.map { max($0, delay, loop.minDelay) } }

    /// The rules for the loop that all reconnecting sequences use.
    var loop: EventReconnection {
        EventReconnection(reconnects: true, delay: delay, maxDelay: maxDelay, maxFailures: maxFailures, statuses: statuses)
    }
}
