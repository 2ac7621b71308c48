/// The maximum number of refreshes that a server can cause by rejecting tokens; beyond it, calls with a rejected token fail.
///
/// Without it, a server that rejects every token costs one refresh per call. A refresh is counted only if it followed a rejection of the
/// current token and returned a new token. Refreshes ahead of expiry, failed refreshes, and rejections of a replaced token are not counted.
/// When the limit is reached, calls with a rejected token fail immediately with `.authenticationFailed` until the oldest counted refresh is
/// older than `window`. A sign-in resets the count.
public struct RefreshLimit: Sendable, Hashable {
    /// The number of refreshes allowed within `window`. Default: 10.
    public var maxRefreshes: Int
    /// The period over which refreshes are counted. Default: 60 seconds.
    public var window: Duration

    /// Creates a limit on the refreshes that rejected tokens cause. A negative `maxRefreshes` counts as 0: rejected tokens are then never
    /// refreshed.
    public init(maxRefreshes: Int = 10, window: Duration = .seconds(60)) {
        self.maxRefreshes = maxRefreshes
        self.window = window
    }

    /// The default limit: ten refreshes after rejected tokens in 60 seconds.
    public static var standard: Self { Self() }
    /// No limit: a server that rejects every token causes a refresh for each call.
    public static var unlimited: Self { Self(maxRefreshes: .max, window: .zero) }
}

/// The recent refreshes that rejections caused. It depends only on its inputs.
struct RefreshLog: Sendable, Hashable {
    private let limit: RefreshLimit
    /// The times of the counted refreshes, oldest first; at most as many as the limit allows.
    private var refreshes: [ContinuousClock.Instant] = []

    init(_ limit: RefreshLimit) { self.limit = limit }

    /// Returns how long to wait before the next refresh, or nil if it is allowed now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard limit.maxRefreshes > 0 else { return max(.zero, limit.window) }
        guard limit.window > .zero else { return nil }
        guard refreshes.count >= limit.maxRefreshes, let oldest = refreshes.first, now < oldest + limit.window else { return nil }
        return oldest + limit.window - now
    }

    /// Records a refresh that a rejection caused.
    mutating func note(at now: ContinuousClock.Instant) {
        guard limit.window > .zero else { return }
        refreshes.removeAll { $0 + limit.window <= now }
        refreshes.append(now)
        if refreshes.count > max(0, limit.maxRefreshes) { refreshes.removeFirst() }
    }

    /// Returns a description of why a token is not refreshed.
    func explanation(wait: Duration) -> String {
        guard limit.maxRefreshes > 0 else { return "the server rejected the token, and maxRefreshes is 0: it is not refreshed" }
        return "the server rejected \(limit.maxRefreshes) refreshed tokens within \(limit.window): not refreshed again for \(wait)"
    }
}
