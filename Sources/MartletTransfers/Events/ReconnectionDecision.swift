/// Records the history of an event stream's connections, and decides about the next one. It depends only on its inputs.
package struct ReconnectionDecision: Sendable {
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

    package init(_ settings: EventReconnection) { self.settings = settings }

    package mutating func opened(at instant: ContinuousClock.Instant) {
        openedAt = instant
        (hasBroughtEvent, hasReceived) = (false, false)
    }

    /// Records that the connection has delivered an event, a result or a sign of life.
    package mutating func received() { hasReceived = true }

    package mutating func broughtEvent() { (hasBroughtEvent, hasReceived) = (true, true) }

    package mutating func set(serverDelay: Duration) { self.serverDelay = serverDelay }

    /// Returns the wait before the next connection, or nil if no connection follows.
    ///
    /// - Parameters:
    ///   - error: The failure of the connection, or nil if it ended normally.
    ///   - asked: The wait that the response asked for.
    ///   - instant: The current time.
    ///   - random: The random numbers for the jitter.
    package mutating func wait(
        after error: HTTPError?, asked: Duration? = nil, at instant: ContinuousClock.Instant, random: any RandomSource
    ) -> Duration? {
        if let error, !isPassing(error) { return nil }
        let wasGood = hasBroughtEvent || openedAt.map { $0.duration(to: instant) >= max(settings.maxDelay, .seconds(1)) } ?? false
        (openedAt, hasBroughtEvent, hasReceived) = (nil, false, false)
        fruitless = wasGood ? 0 : fruitless + 1
        failures = wasGood || error == nil ? 0 : failures + 1
        if let most = settings.maxFailures, failures > 0, failures >= most { return nil }
        if let asked, asked > settings.maxServerDelay { return nil }
        return max(delay(random), asked ?? .zero)
    }

    /// Returns the wait, which is never shorter than the reconnection time (WHATWG HTML §9.2.3).
    private func delay(_ random: any RandomSource) -> Duration {
        let base = max(settings.minDelay, .zero, serverDelay.map { min($0, settings.maxServerDelay) } ?? settings.delay)
        let growth = Backoff.exponential(base: base, factor: 2, jitter: .none, cap: max(base, settings.maxDelay))
        let delay = growth.delay(afterAttempt: fruitless, random: random)
        return delay + delay * (0.5 * random.fraction())
    }

    /// Whether a new connection may succeed after this failure.
    private func isPassing(_ error: HTTPError) -> Bool {
        switch error {
        case .networkError, .timeout, .circuitOpen, .limitExceeded: true
        // A stream that was well formed at first may be well formed next time. A stream that is malformed from its start (wrong boundary,
        // content coding or HTTP) will stay malformed.
        case .invalidResponse: error.stage == .body && hasReceived
        case .statusCode(let response): settings.statuses.contains(response.status)
        default: false
        }
    }
}
