/// The interceptors that keep an app working while a server fails, in the order in which they work together.
///
/// ```swift
/// var resilience = Resilience.standard
/// resilience.rateLimiter = RateLimiter(.perSecond(20))
/// resilience.connectivity = WaitForConnectivity()
/// var interceptors = StandardInterceptors()
/// interceptors.use(resilience)
/// let client = HTTPClient(baseURL: url, interceptors: interceptors.list)
/// ```
///
/// From the outermost to the innermost, with the reason for each position:
///
/// 1. ``coalescing``: Requests that share an exchange share its attempts.
/// 2. ``retry``: Each attempt passes the interceptors inside.
/// 3. ``connectivity``: A wait for a network does not use up attempts.
/// 4. ``hedging``: The second attempt passes the circuit breaker and the limits too.
/// 5. ``circuitBreaker``: A rejected request uses nothing of the limits.
/// 6. ``rateLimiter``: A request that waits for the rate holds no place of the concurrency limit.
/// 7. ``concurrencyLimit``
///
/// The circuit breaker and the limits have state. Use one value for all clients of a service, so that they share it.
public struct Resilience: Sendable {
    /// Shares one exchange among identical requests, or nil. Default: `Coalescing()`.
    public var coalescing: Coalescing?
    /// Sends failed requests again, or nil. Default: `RetryInterceptor()`.
    public var retry: RetryInterceptor?
    /// Waits for a network while the device is offline, or nil. Default: nil, so that calls fail immediately.
    public var connectivity: WaitForConnectivity?
    /// Sends slow requests a second time, or nil. Default: `Hedging()`.
    public var hedging: Hedging?
    /// Stops sending to servers that fail, or nil. Default: `CircuitBreaker()`.
    public var circuitBreaker: CircuitBreaker?
    /// Keeps requests below a rate and obeys the server's limits, or nil. Default: `RateLimiter()`, which only obeys the server.
    public var rateLimiter: RateLimiter?
    /// Limits the number of concurrent requests, or nil. Default: 256 for each origin, and 1,000 that wait.
    public var concurrencyLimit: ConcurrencyLimit?

    /// Creates a value with the given interceptors and none else.
    public init(
        coalescing: Coalescing? = nil, retry: RetryInterceptor? = nil, connectivity: WaitForConnectivity? = nil, hedging: Hedging? = nil,
        circuitBreaker: CircuitBreaker? = nil, rateLimiter: RateLimiter? = nil, concurrencyLimit: ConcurrencyLimit? = nil
    ) {
        self.coalescing = coalescing
        self.retry = retry
        self.connectivity = connectivity
        self.hedging = hedging
        self.circuitBreaker = circuitBreaker
        self.rateLimiter = rateLimiter
        self.concurrencyLimit = concurrencyLimit
    }

    /// New interceptors with their defaults: all but ``connectivity``.
    public static var standard: Resilience {
        Resilience(
            coalescing: Coalescing(), retry: RetryInterceptor(), hedging: Hedging(), circuitBreaker: CircuitBreaker(),
            rateLimiter: RateLimiter(), concurrencyLimit: ConcurrencyLimit(256))
    }

    /// The interceptors that are not nil, outermost first, for the `interceptors` parameter of a client.
    public var list: [any Interceptor] {
        let all: [(any Interceptor)?] = [coalescing, retry, connectivity, hedging, circuitBreaker, rateLimiter, concurrencyLimit]
        return all.compactMap(\.self)
    }
}
