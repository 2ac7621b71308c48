/// A token bucket for one group of requests, of this process or shared by a fleet, together with the quotas and waits that the server asks
/// for.
struct TokenGate: Gate {
    private struct Quota: Sendable {
        var left: Int
        let until: ContinuousClock.Instant
    }

    private var bucket: TokenBucket?
    /// The state of a rate that a fleet shares, instead of ``bucket``.
    var shared: SharedBucket?
    private var pausedUntil: ContinuousClock.Instant?
    private var quotas: [String: Quota] = [:]
    /// The requests that were admitted and have not ended.
    private(set) var running = 0

    init(_ rate: RateLimiter.Rate?) { bucket = rate.map { TokenBucket(interval: $0.interval, burst: $0.burst) } }

    init(shared: SharedBucket) { self.shared = shared }

    var isIdle: Bool { running == 0 && shared?.isAsking != true }

    mutating func take(at instant: ContinuousClock.Instant) -> GateWait? {
        forgetPast(instant)
        if let next = earliest(after: 0, at: instant), next > instant { return .until(next) }
        if let wait = shared?.take(at: instant) { return wait }
        _ = bucket?.take(at: instant)
        for name in quotas.keys { quotas[name]?.left -= 1 }
        running += 1
        return nil
    }

    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var next = max(instant, pausedUntil ?? instant)
        if let bucket { next = max(next, bucket.earliest(after: count, at: instant)) }
        if let shared { next = max(next, shared.earliest(after: count, at: instant)) }
        for quota in quotas.values where quota.left <= count { next = max(next, quota.until) }
        return next
    }

    /// Begins a claim for a shared permission, unless a request could not use it now.
    mutating func claim(at instant: ContinuousClock.Instant) -> (number: Int, claim: SharedPermissionClaim)? {
        forgetPast(instant)
        if let next = earliest(after: 0, at: instant), next > instant { return nil }
        return shared?.claim(at: instant)
    }

    /// Records the end of a request and what its response says.
    ///
    /// - Parameters:
    ///   - pause: The wait that the server asks for, or nil.
    ///   - reported: The quotas that the response reports.
    mutating func finish(pause: Duration?, quotas reported: [ServerQuota], at instant: ContinuousClock.Instant) {
        running = max(0, running - 1)
        if let pause, pause > .zero { pausedUntil = max(pausedUntil ?? instant, instant + pause) }
        for quota in reported {
            // The server may not have counted the requests that are still running.
            quotas[quota.name] = Quota(left: max(0, quota.remaining - running), until: instant + quota.reset)
        }
        forgetPast(instant)
        // A server that renames its quotas with each response must not fill the memory.
        if quotas.count > 16 { quotas = [:] }
    }

    private mutating func forgetPast(_ instant: ContinuousClock.Instant) {
        if let paused = pausedUntil, paused <= instant { pausedUntil = nil }
        if quotas.isEmpty { return }
        quotas = quotas.filter { $0.value.until > instant }
    }
}
