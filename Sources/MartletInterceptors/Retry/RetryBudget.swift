internal import MartletSystem

/// Keeps retries to a share of the traffic, so that a server in trouble is not given several times its load.
///
/// Of the requests of the last ``window``, at most ``share`` may have been sent again, and ``minimum`` besides, so that a client with
/// little traffic can retry at all. Attempts beyond that are not made: the outcome is the caller's at once.
///
/// Share one budget among the clients of one service. Each `RetryInterceptor` has one of its own unless it is given another.
public final class RetryBudget: Sendable {
    /// How many retries there may be for each request. Default: 0.2.
    public let share: Double
    /// How far back is looked. Default: 10 seconds. It is counted in tenths: what is older than nine of them may be forgotten.
    public let window: Duration
    /// How many retries there may be in a window besides. Default: 10.
    public let minimum: Int

    private let traffic: Locked<RecentTraffic>

    /// A budget, each part with its default. What makes no sense counts as none: a negative or endless share, a negative minimum.
    public init(share: Double = 0.2, window: Duration = .seconds(10), minimum: Int = 10) {
        self.share = share.isFinite ? max(0, share) : 0
        self.window = max(.milliseconds(10), window)
        self.minimum = max(0, minimum)
        traffic = Locked(RecentTraffic(window: self.window))
    }

    /// Counts a request that is sent for the first time.
    public func addRequest(at instant: ContinuousClock.Instant) {
        traffic.withLock { $0.addRequest(at: instant) }
    }

    /// Counts a retry, when the budget has room for one more; false when it has none.
    public func takeRetry(at instant: ContinuousClock.Instant) -> Bool {
        traffic.withLock { [share, minimum] in $0.takeRetry(at: instant, share: share, minimum: minimum) }
    }
}

/// Requests and retries of the last while, counted in ten slots.
struct RecentTraffic: Sendable {
    private struct Slot: Sendable {
        var number: Int64 = .min
        var requests = 0
        var retries = 0
    }

    private static let count = 10
    private let slotLength: Duration
    private var start: ContinuousClock.Instant?
    private var slots = [Slot](repeating: Slot(), count: RecentTraffic.count)
    private var latest: Int64 = 0

    init(window: Duration) { slotLength = window / RecentTraffic.count }

    mutating func addRequest(at instant: ContinuousClock.Instant) { slots[open(at: instant)].requests += 1 }

    mutating func takeRetry(at instant: ContinuousClock.Instant, share: Double, minimum: Int) -> Bool {
        let index = open(at: instant)
        let recent = slots.filter { $0.number > latest - Int64(RecentTraffic.count) }
        let requests = recent.reduce(0) { $0 + $1.requests }
        let retries = recent.reduce(0) { $0 + $1.retries }
        guard Double(retries + 1) <= Double(minimum) + share * Double(requests) else { return false }
        slots[index].retries += 1
        return true
    }

    /// The slot of a moment, emptied when it was that of an older one. A moment before the latest counts as the latest.
    private mutating func open(at instant: ContinuousClock.Instant) -> Int {
        let start = start ?? instant
        self.start = start
        let passed = start.duration(to: instant)
        latest = max(latest, passed > .zero ? Int64(min(passed / slotLength, 0x1p62)) : 0)
        let index = Int(latest % Int64(RecentTraffic.count))
        if slots[index].number != latest { slots[index] = Slot(number: latest) }
        return index
    }
}
