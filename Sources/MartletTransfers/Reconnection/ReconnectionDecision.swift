/// What follows the end of a connection.
enum ReconnectionDecision: Sendable, Hashable {
    /// Another connection follows after this wait.
    case reconnect(after: Duration)
    /// No connection follows: the failure is thrown, or the sequence ends.
    case end
    /// No connection follows, because the reader or the call was cancelled.
    case cancel
    /// No connection follows, because the task's deadline would pass before it.
    case outOfTime
}

/// The end of a connection, as far as the decision about another one depends on it.
package struct ConnectionEnd: Sendable {
    /// Why a connection ended.
    package enum Cause: Sendable {
        /// The server ended the stream normally.
        case ended
        /// The connection could not be opened, or it broke.
        case failed(HTTPError)
        /// The server refused the request in a way that would repeat.
        case refused
    }

    let cause: Cause
    /// Whether sending the request twice has the same effect as sending it once.
    var isIdempotent = true
    /// Whether the reader's task or the call was cancelled.
    var isCancelled = false
    /// The wait that the response asked for.
    var requestedWait: Duration?
    /// The time until the task's deadline, or nil without one.
    var timeLeft: Duration?
}

/// The history of a stream's connections, which decides about the next one. It depends only on its inputs.
package struct ReconnectionHistory: Sendable {
    private let settings: EventReconnection
    /// The reconnection time that the server has set with `retry`.
    private var serverDelay: Duration?
    private var openedAt: ContinuousClock.Instant?
    private var hasBroughtEvent = false
    /// Whether any part of the current connection's body was parsed.
    private var hasReceived = false
    /// The number of consecutive unsuccessful connections.
    private var fruitless = 0
    /// The number of consecutive failures.
    private var failures = 0

    init(_ settings: EventReconnection) { self.settings = settings }

    mutating func opened(at instant: ContinuousClock.Instant) {
        openedAt = instant
        (hasBroughtEvent, hasReceived) = (false, false)
    }

    /// Records that the connection has delivered an event, a result or a sign of life.
    package mutating func received() { hasReceived = true }

    package mutating func broughtEvent() { (hasBroughtEvent, hasReceived) = (true, true) }

    package mutating func set(serverDelay: Duration) { self.serverDelay = serverDelay }

    /// Decides what follows the end of a connection.
    ///
    /// - Parameters:
    ///   - end: The end of the connection.
    ///   - instant: The current time.
    ///   - random: The random numbers for the jitter.
    mutating func decision(
        after end: ConnectionEnd, at instant: ContinuousClock.Instant, random: any RandomSource
    ) -> ReconnectionDecision {
        let hasFailed = if case .ended = end.cause { false } else { true }
        let isRepeated = settings.reconnects ?? end.isIdempotent
        // A cancelled connection may fail in any way.
        if end.isCancelled, hasFailed || isRepeated { return .cancel }
        guard isRepeated, isPassing(end.cause) else { return .end }
        let wasGood = hasBroughtEvent || openedAt.map { $0.duration(to: instant) >= max(settings.maxDelay, .seconds(1)) } ?? false
        (openedAt, hasBroughtEvent, hasReceived) = (nil, false, false)
        fruitless = wasGood ? 0 : fruitless + 1
        failures = wasGood || !hasFailed ? 0 : failures + 1
        if let most = settings.maxFailures, failures > 0, failures >= most { return .end }
        if let wait = end.requestedWait, wait > settings.maxServerDelay { return .end }
        let wait = max(delay(random), end.requestedWait ?? .zero)
        if let left = end.timeLeft, wait >= left { return .outOfTime }
        return .reconnect(after: wait)
    }

    /// Returns the wait, which is never shorter than the reconnection time (WHATWG HTML §9.2.3).
    private func delay(_ random: any RandomSource) -> Duration {
        let base = max(settings.minDelay, .zero, serverDelay.map { min($0, settings.maxServerDelay) } ?? settings.delay)
        let growth = Backoff.exponential(base: base, factor: 2, jitter: .none, cap: max(base, settings.maxDelay))
        let delay = growth.delay(afterAttempt: fruitless, random: random)
        return delay + delay * (0.5 * random.fraction())
    }

    /// Whether a new connection may succeed.
    private func isPassing(_ cause: ConnectionEnd.Cause) -> Bool {
        let error: HTTPError
        switch cause {
        case .ended: return true
        case .refused: return false
        case .failed(let failure): error = failure
        }
        return switch error {
        case .networkError, .timeout: true
        // A stream that was well formed at first may be well formed next time. A stream that is malformed from its start (wrong boundary,
        // content coding or HTTP) will stay malformed.
        case .invalidResponse: error.stage == .body && hasReceived
        case .statusCode(let response): settings.statuses.contains(response.status)
        default: error.isRejection
        }
    }
}
