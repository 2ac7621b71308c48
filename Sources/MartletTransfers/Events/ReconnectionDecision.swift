/// How an event stream's connections have fared, and what follows when one is gone: values alone.
package struct ReconnectionDecision: Sendable {
    private let settings: EventReconnection
    /// What the server has set by `retry`.
    private var serverDelay: Duration?
    private var openedAt: ContinuousClock.Instant?
    private var hasBroughtEvent = false
    /// Whether any part of the current connection's body was parsed.
    private var hasReceived = false
    /// Connections in a row that were no good.
    private var fruitless = 0
    /// Those in a row that failed.
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

    /// How long to wait for the next connection after one has ended, or failed with `error`; nil when there is to be none.
    ///
    /// - Parameters:
    ///   - error: how it failed, if it did.
    ///   - asked: the wait that the answer asked for.
    ///   - instant: now.
    ///   - random: spreads the waits.
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

    /// Never shorter than the reconnection time (WHATWG HTML §9.2.3).
    private func delay(_ random: any RandomSource) -> Duration {
        let base = max(settings.minDelay, .zero, serverDelay.map { min($0, settings.maxServerDelay) } ?? settings.delay)
        let growth = Backoff.exponential(base: base, factor: 2, jitter: .none, cap: max(base, settings.maxDelay))
        let delay = growth.delay(afterAttempt: fruitless, random: random)
        return delay + delay * (0.5 * random.fraction())
    }

    /// Whether it may be otherwise in a moment.
    private func isPassing(_ error: HTTPError) -> Bool {
        switch error {
        case .networkError, .timeout, .circuitOpen: true
        // A stream that was well formed at first may be well formed next time. A stream that is malformed from its start (wrong boundary,
        // content coding or HTTP) will stay malformed.
        case .invalidResponse: error.stage == .body && hasReceived
        case .statusCode(let response): settings.statuses.contains(response.status)
        default: false
        }
    }
}
