/// An interceptor that keeps requests below a rate, and obeys the quotas and waits that the server asks for.
///
/// ```swift
/// let limiter = RateLimiter(.perSecond(10))  // evenly spaced, at most ten in a second
/// let client = HTTPClient(baseURL: url, interceptors: [RetryInterceptor(), limiter])
/// ```
///
/// Requests that exceed the rate wait in the order of their arrival. A request that would have to wait longer than `maxWait` or its call's
/// deadline, or that finds the queue full, throws `HTTPError.limitExceeded`, and nothing is sent. `HTTPError.retryAfter` is the time until
/// the limit has room, if it is known. A request that is cancelled while it waits leaves the queue immediately and uses nothing of the
/// rate.
///
/// Without a rate of its own, the limiter only obeys the server:
///
/// - A 429 or 503 with `Retry-After`, or a 429 with `RateLimit-Reset` or `X-RateLimit-Reset`, pauses all requests of the group for that
///   time.
/// - `RateLimit` in other responses reports how many requests are left, and the time until more are allowed
///   (draft-ietf-httpapi-ratelimit-headers-10). Requests that are still running count as not yet reported.
/// - `RateLimit-Remaining` and `X-RateLimit-Remaining` are ignored, because they do not say which requests they count.
///
/// A server usually limits each user. A client that sends requests for several users needs a group for each user
/// (``TrafficScope/named(_:)``). Otherwise a 429 for one user pauses the requests of all.
///
/// A ``SharedTrafficState`` lets the processes of a fleet share one rate.
///
/// Place it inside retry and the circuit breaker, so that each attempt is counted. Share one limiter among the clients of one service.
public final class RateLimiter: Interceptor, CredentialAddingInterceptor {
    /// A number of requests in a period.
    public struct Rate: Sendable, Hashable {
        /// The number of requests in each period, at least 1.
        public let requests: Int
        /// The period.
        public let period: Duration
        /// The number of requests that may follow each other without a wait after a pause, at least 1.
        public let burst: Int
        /// The time between two requests, rounded up to whole nanoseconds.
        let interval: Duration

        /// Creates a rate. In any time T, at most `burst` + `requests` · T / `period` requests are sent.
        ///
        /// - Parameters:
        ///   - requests: The number of requests in each period. Less than 1 counts as 1.
        ///   - period: The period, at least 1 µs and at most a year.
        ///   - burst: The number of requests that may follow each other without a wait after a pause. Default: 1, so that requests are
        ///     evenly spaced.
        public init(_ requests: Int, per period: Duration, burst: Int = 1) {
            self.requests = max(1, requests)
            self.period = min(max(period, .microseconds(1)), .seconds(31_536_000))
            self.burst = min(max(1, burst), 1_000_000)
            let (seconds, attoseconds) = (self.period / self.requests).components
            interval = max(.nanoseconds(1), .seconds(seconds) + .nanoseconds((attoseconds + 999_999_999) / 1_000_000_000))
        }

        /// Returns a rate of requests in each second.
        public static func perSecond(_ requests: Int, burst: Int = 1) -> Rate { Rate(requests, per: .seconds(1), burst: burst) }

        /// Returns a rate of requests in each minute.
        public static func perMinute(_ requests: Int, burst: Int = 1) -> Rate { Rate(requests, per: .seconds(60), burst: burst) }
    }

    /// The rate, or nil if only the server's limits apply.
    public let rate: Rate?
    private let scope: TrafficScope
    private let obeysServer: Bool
    private let maxServerWait: Duration
    private let shared: SharedRate?
    private let keeper: GateKeeper<TokenGate>

    /// Creates a limiter for this process.
    ///
    /// - Parameters:
    ///   - rate: The rate for each group of requests. Default: nil, only the server's limits apply.
    ///   - scope: The requests that share a limit. Default: those of one origin. At most 1,000 groups are kept.
    ///   - maxWait: The longest wait of a request. With zero, no request waits. Default: nil, until the call's deadline.
    ///   - maxWaiting: The maximum number of waiting requests in each group. Default: 1,000.
    ///   - obeysServer: Whether the server's limits apply too. Default: true.
    ///   - maxServerWait: The longest wait that the server can impose. Longer ones are shortened to it. Default: 5 minutes.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        _ rate: Rate? = nil, scope: TrafficScope = .origin, maxWait: Duration? = nil, maxWaiting: Int = 1_000, obeysServer: Bool = true,
        maxServerWait: Duration = .seconds(300), time: (any TimeSource)? = nil
    ) {
        let keeper = GateKeeper(maxWaiting: maxWaiting, maxWait: maxWait, time: time) { TokenGate(rate) }
        self.init(rate, scope, obeysServer, maxServerWait, shared: nil, keeper)
    }

    /// Creates a limiter whose rate the processes of a fleet share in a store.
    ///
    /// - Parameters:
    ///   - rate: The rate of the whole fleet for each group of requests.
    ///   - name: The name of the limit in the store. All processes use the same name and the same rate; limits with different rates need
    ///     different names.
    ///   - state: The store.
    ///   - localShare: The share of the rate that this process sends while the store does not reply. Default: nil, requests wait for the
    ///     store.
    ///   - scope: The requests that share a limit. Default: those of one origin. At most 1,000 groups are kept.
    ///   - maxWait: The longest wait of a request, at least ``SharedTrafficState/maxDelay``. Default: nil, until the call's deadline.
    ///   - maxWaiting: The maximum number of waiting requests in each group. Default: 1,000.
    ///   - obeysServer: Whether the server's limits apply too. Default: true.
    ///   - maxServerWait: The longest wait that the server can impose. Longer ones are shortened to it. Default: 5 minutes.
    ///   - time: The clock. Default: nil, the client's.
    public convenience init(
        _ rate: Rate, sharedAs name: String, in state: any SharedTrafficState, localShare: Double? = nil, scope: TrafficScope = .origin,
        maxWait: Duration? = nil, maxWaiting: Int = 1_000, obeysServer: Bool = true, maxServerWait: Duration = .seconds(300),
        time: (any TimeSource)? = nil
    ) {
        let shared = SharedRate(name: name, state: state)
        // Even a request that may not wait needs the time of a claim.
        let maxWait = maxWait.map { max($0, state.maxDelay) }
        let keeper = GateKeeper(maxWaiting: maxWaiting, maxWait: maxWait, time: time, afterUpdate: shared.ask) {
            TokenGate(shared: SharedBucket(rate, localShare: localShare, maxDelay: state.maxDelay))
        }
        self.init(rate, scope, obeysServer, maxServerWait, shared: shared, keeper)
    }

    private init(
        _ rate: Rate?, _ scope: TrafficScope, _ obeysServer: Bool, _ maxServerWait: Duration, shared: SharedRate?,
        _ keeper: GateKeeper<TokenGate>
    ) {
        self.rate = rate
        self.scope = scope
        self.obeysServer = obeysServer
        self.maxServerWait = maxServerWait
        self.shared = shared
        self.keeper = keeper
    }

    /// The numbers of waiting requests, by the names of their groups (``TrafficScope``).
    public var waitingCounts: [String: Int] { keeper.all.mapValues(\.waiting) }

    /// Sends the request as soon as the limits admit it. Throws `.limitExceeded` if it may not wait that long.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let group = scope.name(for: request)
        try await keeper.enter(group, request, as: "the rate limit")
        do throws(HTTPError) {
            let response = try await next(request)
            leave(group, response)
            return response
        } catch {
            leave(group, nil)
            throw error
        }
    }

    private func leave(_ group: String, _ response: HTTPResponse<HTTPBody>?) {
        var pause: Duration?
        var quotas: [ServerQuota] = []
        if obeysServer, let response {
            if response.status == .tooManyRequests || response.status == .serviceUnavailable {
                pause = ServerWait.asked(by: response.map { _ in }, now: keeper.time.now).map { min($0, maxServerWait) }
            }
            // Retry-After takes precedence over RateLimit, by the draft.
            quotas =
                pause != nil
                ? []
                : ServerQuota.read(from: response.headers).map {
                    ServerQuota(name: $0.name, remaining: $0.remaining, reset: min($0.reset, maxServerWait))
                }
        }
        if let pause, pause > .zero { shared?.pause(group, for: pause) }
        let now = keeper.time.instant
        keeper.leave(group) { $0.finish(pause: pause, quotas: quotas, at: now) }
    }
}

/// The limit of a fleet in its store.
struct SharedRate: Sendable {
    let name: String
    let state: any SharedTrafficState

    /// Claims a permission for the first waiting request of a group, unless one is claimed already.
    func ask(_ keeper: GateKeeper<TokenGate>, _ group: String) {
        let now = keeper.time.instant
        guard let (number, claim) = keeper.withGate(group, { $1 > 0 ? $0.claim(at: now) : nil }) ?? nil else { return }
        // Detached, because the permission is for whichever request is the first one when it arrives.
        Task.detached {
            let reply = await state.take(claim, of: SharedGroup.text(name, group))
            let now = keeper.time.instant
            keeper.leave(group) { $0.shared?.receive(reply, at: now) }
            keeper.leave(group) { $0.shared?.drop(number) }
        }
    }

    /// Pauses the group in all processes, without waiting.
    func pause(_ group: String, for duration: Duration) {
        Task.detached { await state.pause(SharedGroup.text(name, group), for: duration) }
    }
}
