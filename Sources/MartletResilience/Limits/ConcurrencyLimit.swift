/// An interceptor that limits how many requests of a group run at the same time. The others wait in the order of their arrival.
///
/// ```swift
/// let limit = ConcurrencyLimit(8)
/// let adaptive = ConcurrencyLimit(.init(initial: 20))  // finds the server's capacity
/// ```
///
/// A request that finds the queue full, or that would wait longer than `maxWait` or its call's deadline, throws `HTTPError.limitExceeded`,
/// and nothing is sent. A request that is cancelled while it waits leaves the queue immediately.
///
/// A request holds its place until its response is complete, and a streamed one until its head has arrived, so that open event streams and
/// downloads do not fill the limit.
///
/// Place it inside the circuit breaker and the rate limit.
public final class ConcurrencyLimit: Interceptor, CredentialAddingInterceptor {
    /// The rules of a limit that follows the server's latency.
    ///
    /// The limit grows by one with each round of responses that are as fast as the fastest recent round, within ``tolerance``. Slower
    /// rounds, timeouts, and the statuses 429 and 503 multiply it by ``decrease``.
    public struct Adaptive: Sendable, Hashable {
        /// The first limit. Default: 20.
        public var initial: Int
        /// The lowest limit. Default: 1.
        public var minimum: Int
        /// The highest limit. Default: 1,000.
        public var maximum: Int
        /// The factor by which a round may be slower than the fastest recent one. Default: 1.1.
        public var tolerance: Double
        /// The factor that lowers the limit. Default: 0.9.
        public var decrease: Double
        /// The minimum number of responses in a round, which lasts for at least half of the limit. Default: 10.
        public var minimumSamples: Int
        /// How long the fastest round counts; it is forgotten after once to twice this time. Default: 60 seconds.
        public var memory: Duration

        /// Creates rules. Each parameter has the default of its property.
        public init(
            initial: Int = 20, minimum: Int = 1, maximum: Int = 1_000, tolerance: Double = 1.1, decrease: Double = 0.9,
            minimumSamples: Int = 10, memory: Duration = .seconds(60)
        ) {
            self.minimum = max(1, minimum)
            self.maximum = max(self.minimum, maximum)
            self.initial = min(max(initial, self.minimum), self.maximum)
            self.tolerance = tolerance.isNaN ? 1.1 : min(max(1, tolerance), 1_000)
            self.decrease = decrease.isNaN ? 0.9 : min(max(0.1, decrease), 0.99)
            self.minimumSamples = max(1, minimumSamples)
            self.memory = memory
        }
    }

    /// The use of a limit by one group of requests.
    public struct Usage: Sendable, Hashable {
        /// The current limit.
        public let limit: Int
        /// The number of running requests. It may exceed a limit that was lowered.
        public let running: Int
        /// The number of waiting requests.
        public let waiting: Int

        /// Creates a value to compare with ``ConcurrencyLimit/usage``.
        public init(limit: Int, running: Int, waiting: Int) {
            self.limit = limit
            self.running = running
            self.waiting = waiting
        }
    }

    private let scope: TrafficScope
    private let keeper: GateKeeper<PlaceGate>

    /// Creates a limit with a fixed number of places.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of running requests in each group. Less than 1 counts as 1.
    ///   - scope: The requests that share a limit. Default: those of one origin. At most 1,000 groups are kept.
    ///   - maxWait: The longest wait of a request. With zero, no request waits. Default: nil, until the call's deadline.
    ///   - maxWaiting: The maximum number of waiting requests in each group. Default: 1,000.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        _ limit: Int, scope: TrafficScope = .origin, maxWait: Duration? = nil, maxWaiting: Int = 1_000, time: (any TimeSource)? = nil
    ) {
        self.init(scope, maxWait, maxWaiting, time) { PlaceGate(.fixed(max(1, limit))) }
    }

    /// Creates a limit that follows the server's latency, for each group separately.
    ///
    /// - Parameters:
    ///   - rules: The rules by which the limit changes.
    ///   - scope: The requests that share a limit. Default: those of one origin. At most 1,000 groups are kept.
    ///   - maxWait: The longest wait of a request. With zero, no request waits. Default: nil, until the call's deadline.
    ///   - maxWaiting: The maximum number of waiting requests in each group. Default: 1,000.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        _ rules: Adaptive, scope: TrafficScope = .origin, maxWait: Duration? = nil, maxWaiting: Int = 1_000,
        time: (any TimeSource)? = nil
    ) {
        self.init(scope, maxWait, maxWaiting, time) { PlaceGate(.adaptive(AdaptiveLimit(rules))) }
    }

    private init(
        _ scope: TrafficScope, _ maxWait: Duration?, _ maxWaiting: Int, _ time: (any TimeSource)?,
        _ make: @escaping @Sendable () -> PlaceGate
    ) {
        self.scope = scope
        keeper = GateKeeper(maxWaiting: maxWaiting, maxWait: maxWait, time: time, make: make)
    }

    /// The current limits, and the numbers of running and waiting requests, by the names of their groups (``TrafficScope``).
    public var usage: [String: Usage] {
        keeper.all.mapValues { Usage(limit: $0.gate.limit, running: $0.gate.running, waiting: $0.waiting) }
    }

    /// Sends the request as soon as the limit has a place. Throws `.limitExceeded` if it may not wait that long.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let group = scope.name(for: request), time = keeper.time
        try await keeper.enter(group, request, as: "the concurrency limit")
        let began = time.instant
        let outcome: Result<HTTPResponse<HTTPBody>, HTTPError>
        do throws(HTTPError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
        let ended = time.instant
        let sample = ConcurrencyLimit.sample(outcome, hasExpired: request.context.hasExpired)
        keeper.leave(group) { $0.finish(sample, after: began.duration(to: ended), at: ended) }
        return try outcome.get()
    }

    /// Returns what an outcome shows about the server's load.
    private static func sample(_ outcome: Result<HTTPResponse<HTTPBody>, HTTPError>, hasExpired: Bool) -> PlaceGate.Sample {
        switch outcome {
        case .success(let response) where response.status == .tooManyRequests || response.status == .serviceUnavailable: .overload
        // Other failures are often faster than real responses.
        case .success(let response): response.status.kind == .serverError ? .none : .response
        case .failure(.timeout): .overload
        // The client cancels the attempt that is running at the deadline.
        case .failure(.cancelled) where hasExpired: .overload
        case .failure: .none
        }
    }
}

/// The places of a concurrency limit.
struct PlaceGate: Gate {
    enum Limit: Sendable {
        case fixed(Int)
        case adaptive(AdaptiveLimit)
    }

    /// What a request that has ended shows about the server's load.
    enum Sample: Sendable, Hashable {
        case response
        case overload
        case none
    }

    private var rule: Limit
    private(set) var running = 0

    init(_ rule: Limit) { self.rule = rule }

    var limit: Int {
        switch rule {
        case .fixed(let limit): limit
        case .adaptive(let limit): limit.whole
        }
    }

    func retention(at instant: ContinuousClock.Instant) -> StateRetention {
        if running > 0 { return .inUse }
        return if case .adaptive = rule { .decision } else { .none }
    }

    mutating func take(at instant: ContinuousClock.Instant) -> GateWait? {
        guard running < limit else { return .forOthers }
        running += 1
        return nil
    }

    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant? { nil }

    mutating func finish(_ sample: Sample, after duration: Duration, at instant: ContinuousClock.Instant) {
        let concurrent = running
        running = max(0, running - 1)
        guard case .adaptive(var limit) = rule, sample != .none else { return }
        limit.record(duration, isOverload: sample == .overload, concurrent: concurrent, at: instant)
        rule = .adaptive(limit)
    }
}
