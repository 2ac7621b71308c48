/// The limit on refreshes that servers cause by rejecting tokens.
///
/// A server that rejects every token, however fresh, would otherwise cost one refresh for each call. Only refreshes that followed a
/// rejection of the current token and brought another are counted: a refresh ahead of expiry, one that failed, and rejections of a token
/// that has already been replaced are not. When the limit is reached, calls whose token is rejected fail at once with
/// `.authenticationFailed` until the oldest counted refresh is older than `window`. A sign-in begins the count again.
public struct RefreshLimit: Sendable, Hashable {
    /// The number of refreshes allowed within `window`. Default: 10.
    public var maxRefreshes: Int
    /// The duration that refreshes are counted over. Default: 60 seconds.
    public var window: Duration

    /// Creates a limit. A negative `maxRefreshes` counts as 0: a rejected token is never refreshed.
    public init(maxRefreshes: Int = 10, window: Duration = .seconds(60)) {
        self.maxRefreshes = maxRefreshes
        self.window = window
    }

    /// Ten refreshes in 60 seconds.
    public static var standard: Self { Self() }
    /// No limit.
    public static var unlimited: Self { Self(maxRefreshes: .max, window: .zero) }
}

/// The refreshes that rejections caused lately, and whether there may be another: a value.
struct RefreshLog: Sendable, Hashable {
    private let limit: RefreshLimit
    /// When the counted refreshes were, oldest first; at most as many as the limit allows.
    private var refreshes: [ContinuousClock.Instant] = []

    init(_ limit: RefreshLimit) { self.limit = limit }

    /// Returns how long to wait before another refresh, or nil if it may be done now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard limit.maxRefreshes > 0 else { return max(.zero, limit.window) }
        guard limit.window > .zero else { return nil }
        guard refreshes.count >= limit.maxRefreshes, let oldest = refreshes.first, now < oldest + limit.window else { return nil }
        return oldest + limit.window - now
    }

    /// Notes a refresh that a rejection caused.
    mutating func note(at now: ContinuousClock.Instant) {
        guard limit.window > .zero else { return }
        refreshes.removeAll { $0 + limit.window <= now }
        refreshes.append(now)
        if refreshes.count > max(0, limit.maxRefreshes) { refreshes.removeFirst() }
    }

    /// Why a token is not refreshed, in words.
    func explanation(wait: Duration) -> String {
        guard limit.maxRefreshes > 0 else { return "the server rejected the token, and maxRefreshes is 0: it is not refreshed" }
        return "the server rejected \(limit.maxRefreshes) refreshed tokens within \(limit.window): not refreshed again for \(wait)"
    }
}
