internal import MartletSystem

/// An interceptor that sends a slow request a second time, and returns the first good response.
///
/// ```swift
/// let hedging = Hedging(percentile: 0.95)
/// let client = HTTPClient(baseURL: url, interceptors: [RetryInterceptor(), hedging])
/// ```
///
/// Only requests that can be repeated at the same time are: their method is safe (GET, HEAD, OPTIONS, TRACE, QUERY), or
/// `CallOptions.isIdempotent` is true, and their body can be replayed. An `Idempotency-Key` is not enough, because servers may reject a
/// second request while the first one runs. The opening of a WebSocket is not repeated.
///
/// The second attempt begins after the delay, unless the first one has ended or the budget is exhausted. The first response with a status
/// other than 408, 429 and 500 to 599 wins, and the other attempt is cancelled. If one attempt fails, the outcome of the other one counts.
/// If both fail, the first failure is returned, or that of the attempt that was sent if a limit or an open circuit rejected the other one.
/// An attempt that fails before the delay is returned to the interceptor outside, which may retry it.
///
/// Both attempts are in the `trace`. Place it inside retry, and outside the circuit breaker and the limits, which each attempt passes.
public final class Hedging: Interceptor, CredentialAddingInterceptor {
    private enum Delay {
        case fixed(Duration)
        case percentile(Double, minimum: Duration, minimumSamples: Int)
    }

    private let delay: Delay
    private let scope: TrafficScope
    private let budget: RetryBudget?
    private let time: (any TimeSource)?
    private let latencies: Locked<ScopedStates<LatencyRecord>>

    /// Creates an interceptor whose second attempt begins after a delay that follows the durations of the last 100 successful requests of
    /// the group.
    ///
    /// - Parameters:
    ///   - percentile: The share of the requests that are faster than the delay. Default: 0.95.
    ///   - minimum: The shortest delay. Default: 50 ms.
    ///   - minimumSamples: The number of durations from which requests are hedged, at most 100. Default: 20.
    ///   - scope: The requests whose durations are recorded together. Default: those of one route.
    ///   - budget: The limit on second attempts, or nil for no limit. Default: 5 % of the requests of the last 10 seconds plus 1.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        percentile: Double = 0.95, minimum: Duration = .milliseconds(50), minimumSamples: Int = 20, scope: TrafficScope = .route,
        budget: RetryBudget? = RetryBudget(share: 0.05, minimum: 1), time: (any TimeSource)? = nil
    ) {
        let samples = min(max(1, minimumSamples), LatencyRecord.size)
        self.init(.percentile(percentile, minimum: minimum, minimumSamples: samples), scope, budget, time)
    }

    /// Creates an interceptor whose second attempt begins after a fixed delay.
    ///
    /// - Parameters:
    ///   - delay: The time before the second attempt.
    ///   - budget: The limit on second attempts, or nil for no limit. Default: 5 % of the requests of the last 10 seconds plus 1.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        after delay: Duration, budget: RetryBudget? = RetryBudget(share: 0.05, minimum: 1), time: (any TimeSource)? = nil
    ) {
        self.init(.fixed(max(.zero, delay)), .route, budget, time)
    }

    private init(_ delay: Delay, _ scope: TrafficScope, _ budget: RetryBudget?, _ time: (any TimeSource)?) {
        self.delay = delay
        self.scope = scope
        self.budget = budget
        self.time = time
        latencies = Locked(ScopedStates { LatencyRecord() })
    }

    /// Sends the request, and sends it again if it is slow.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard Hedging.mayRepeat(request) else { return try await next(request) }
        let time = time ?? request.context.time, group = scope.name(for: request)
        budget?.addRequest(at: time.instant)
        let wait = delay(for: group, at: time.instant)
        let record = { @Sendable [self] (duration: Duration) in latencies.withLock { _ = $0.withKnown(group) { $0.add(duration) } } }
        guard let wait else {
            let began = time.instant
            let response = try await next(request)
            if HedgedRace.isGood(.success(response)) { record(began.duration(to: time.instant)) }
            return response
        }
        let budget = budget
        let race = HedgedRace(request, next, time, record: record) { budget?.takeRetry(at: $0) ?? true }
        return try await race.run(after: wait)
    }

    /// Whether two requests at the same time have the effect of one.
    static func mayRepeat(_ request: HTTPRequest) -> Bool {
        request.context.upgrade == nil && request.isReplayable && (request.context.isIdempotent ?? request.method.isSafe)
    }

    private func delay(for group: String, at instant: ContinuousClock.Instant) -> Duration? {
        switch delay {
        case .fixed(let delay): delay
        case .percentile(let share, let minimum, let minimumSamples):
            latencies.withLock { states in
                states.with(group, at: instant) { $0.count < minimumSamples ? nil : $0.percentile(share) }.map { max(minimum, $0) }
            }
        }
    }
}

/// The durations of the last requests of a group, for percentiles. It depends only on its inputs.
struct LatencyRecord: Sendable {
    /// The number of durations that are kept.
    static var size: Int { 100 }

    private var durations: [Duration] = []
    private var position = 0

    /// The number of durations.
    var count: Int { durations.count }

    /// Adds a duration in place of the oldest one.
    mutating func add(_ duration: Duration) {
        if durations.count < LatencyRecord.size {
            durations.append(duration)
        } else {
            durations[position] = duration
            position = (position + 1) % LatencyRecord.size
        }
    }

    /// Returns the duration below which a share of the requests ended, or nil if there are none.
    func percentile(_ share: Double) -> Duration? {
        guard !durations.isEmpty else { return nil }
        let rank = Int((Double(durations.count) * (share.isNaN ? 1 : min(max(0, share), 1))).rounded(.up)) - 1
        return durations.sorted()[max(0, rank)]
    }
}
