/// A token bucket: a generic cell rate algorithm, which stores only the instant at which the bucket will be full again.
struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    private(set) var full: ContinuousClock.Instant?

    /// Creates a full bucket.
    init(interval: Duration, burst: Int) {
        self.interval = interval
        self.burst = burst
    }

    /// Creates a bucket that is empty at an instant.
    init(interval: Duration, burst: Int, emptyAt instant: ContinuousClock.Instant) {
        self.init(interval: interval, burst: burst)
        full = instant + interval * burst
    }

    /// Takes a token and returns nil, or returns the instant of the next one.
    mutating func take(at instant: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let next = earliest(after: 0, at: instant)
        if next > instant { return next }
        full = max(full ?? instant, instant) + interval
        return nil
    }

    /// Returns the instant from which a token can be taken after `count` others. It may be in the past.
    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        (full ?? instant) + interval * (count + 1 - burst)
    }
}
