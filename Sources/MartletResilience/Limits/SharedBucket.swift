/// The part of a shared rate limit that is in one process: the permissions that it claims, and its own bucket while the store does not
/// reply. It depends only on its inputs.
struct SharedBucket: Sendable {
    private enum Phase: Sendable, Hashable {
        case idle
        case asking
        /// A permission has arrived. It can only be used now.
        case granted
    }

    private let rate: RateLimiter.Rate
    private let maxDelay: Duration
    /// The interval and the burst of the process's own bucket, or nil if it has none.
    private let own: (interval: Duration, burst: Int)?
    private var phase = Phase.idle
    /// The number of the latest claim.
    private var number = 0
    /// The instant before which the store is not asked.
    private(set) var nextClaim: ContinuousClock.Instant?
    /// The bucket that is used until ``nextClaim``, if the store did not reply.
    private var bucket: TokenBucket?
    /// The permissions of the process's own bucket since the last reply.
    private var spent = 0

    /// - Parameter localShare: The share of the rate for the process's own bucket, or nil for none.
    init(_ rate: RateLimiter.Rate, localShare: Double?, maxDelay: Duration) {
        self.rate = rate
        self.maxDelay = max(.milliseconds(1), maxDelay)
        own = localShare.map { share in
            let share = share > 1e-6 ? min(share, 1) : 1e-6
            return (rate.interval / share + .nanoseconds(1), max(1, Int(Double(rate.burst) * share)))
        }
    }

    /// Whether a reply is missing.
    var isAsking: Bool { phase == .asking }

    /// Admits one more request at an instant, and returns nil. Otherwise returns when to try again: `.forOthers` if the store must be
    /// asked.
    mutating func take(at instant: ContinuousClock.Instant) -> GateWait? {
        switch phase {
        case .granted:
            phase = .idle
            return nil
        case .asking: return .forOthers
        case .idle:
            // An own permission needs a recent failure, so that a process returns to the store soon after the store has returned.
            guard let nextClaim, instant < nextClaim else { return .forOthers }
            guard bucket != nil else { return .until(nextClaim) }
            if let next = bucket?.take(at: instant) { return .until(min(next, nextClaim)) }
            spent += 1
            return nil
        }
    }

    /// Returns the earliest instant at which a request may be admitted after `count` others, as far as known.
    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard phase == .idle, let nextClaim, instant < nextClaim else { return instant }
        let shared = nextClaim + rate.interval * count
        return bucket.map { max(instant, min(shared, $0.earliest(after: count, at: instant))) } ?? shared
    }

    /// Begins a claim if the store must be asked. ``receive(_:at:)`` and ``drop(_:)`` must follow.
    mutating func claim(at instant: ContinuousClock.Instant) -> (number: Int, claim: SharedPermissionClaim)? {
        guard phase == .idle, nextClaim.map({ $0 <= instant }) ?? true else { return nil }
        phase = .asking
        number += 1
        // A failure is known at most one delay after the store has returned, and the own bucket is used for one more.
        let hold = own == nil ? .zero : maxDelay * 2
        return (number, SharedPermissionClaim(interval: rate.interval, burst: rate.burst, hold: hold, spent: spent))
    }

    /// Records the reply to a claim.
    mutating func receive(_ reply: SharedPermission, at instant: ContinuousClock.Instant) {
        switch reply {
        case .taken:
            (bucket, spent) = (nil, 0)
            (phase, nextClaim) = (.granted, nil)
        case .wait(let wait):
            (bucket, spent) = (nil, 0)
            (phase, nextClaim) = (.idle, instant + max(.microseconds(100), wait))
        case .unavailable:
            phase = .idle
            nextClaim = instant + maxDelay
            if bucket == nil, let own { bucket = TokenBucket(interval: own.interval, burst: own.burst, emptyAt: instant) }
        }
    }

    /// Drops the permission of a claim that no request has used immediately. Later, the fleet may have used its place in the rate.
    mutating func drop(_ claimed: Int) {
        if phase == .granted, claimed == number { phase = .idle }
    }
}
