internal import MartletSystem

/// A limit on retries as a share of the traffic, so that retries do not multiply the load of a failing server.
///
/// In each ``window``, the number of retries is at most ``share`` of the requests, plus ``minimum``, so that a client with little traffic
/// can retry at all. If the budget is exhausted, the call returns its outcome without a retry.
///
/// Share one budget among the clients of one service. By default each `RetryInterceptor` has its own.
public final class RetryBudget: Sendable {
    /// The number of permitted retries for each request, such as 0.2 for one retry for five requests. Default: 0.2.
    public let share: Double
    /// The period over which requests and retries are counted. Default: 10 seconds. It is divided into ten slots, and the oldest one may
    /// end early.
    public let window: Duration
    /// The number of retries that are permitted in each window in addition to the share. Default: 10.
    public let minimum: Int

    private let traffic: Locked<RecentTraffic>

    /// Creates a budget for one or more retry interceptors.
    ///
    /// - Parameters:
    ///   - share: The retries that each request allows: 0.2 allows one retry for five requests. Negative or infinite values count as 0.
    ///     Default: 0.2.
    ///   - window: The period in which requests and retries are counted, at least 10 ms. Default: 10 seconds.
    ///   - minimum: The number of additional retries in each window. Negative values count as 0. Default: 10.
    public init(share: Double = 0.2, window: Duration = .seconds(10), minimum: Int = 10) {
        self.share = share.isFinite ? max(0, share) : 0
        self.window = max(.milliseconds(10), window)
        self.minimum = max(0, minimum)
        traffic = Locked(RecentTraffic(window: self.window))
    }

    /// Counts a request, which adds to the permitted retries; call it for the first attempt only.
    public func addRequest(at instant: ContinuousClock.Instant) {
        traffic.withLock { $0.addRequest(at: instant) }
    }

    /// Counts a retry and returns true if the budget permits one, or returns false.
    public func takeRetry(at instant: ContinuousClock.Instant) -> Bool {
        traffic.withLock { [share, minimum] in $0.takeRetry(at: instant, share: share, minimum: minimum) }
    }
}

/// The requests and retries of the last window.
struct RecentTraffic: Sendable {
    private var window: RollingWindow<(requests: Int, retries: Int)>

    init(window: Duration) { self.window = RollingWindow(window, empty: (0, 0)) }

    mutating func addRequest(at instant: ContinuousClock.Instant) { window.change(at: instant) { $0.requests += 1 } }

    mutating func takeRetry(at instant: ContinuousClock.Instant, share: Double, minimum: Int) -> Bool {
        let (requests, retries) = window.recent(at: instant).reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.retries) }
        guard Double(retries + 1) <= Double(minimum) + share * Double(requests) else { return false }
        window.change(at: instant) { $0.retries += 1 }
        return true
    }
}
