/// The interceptors that most apps need, in the order in which they work together.
///
/// ```swift
/// var standard = StandardInterceptors(authentication: AuthInterceptor(tokens))
/// standard.retry = RetryInterceptor(RetryPolicy(maxAttempts: 5))
/// let client = HTTPClient(baseURL: url, interceptors: standard.list, observers: [LoggingObserver()])
/// ```
///
/// From the outermost to the innermost, with the default of each and the reason for its position:
///
/// 1. ``logging``: None. A `LoggingObserver` of the client logs more: it also sees that a response is rejected or can't be decoded, and how
///    a stream ends. Outermost, so that a `LoggingInterceptor` logs each call once.
/// 2. ``headers``: `User-Agent` with the app's name and platform, and `Accept-Language`. Before authentication, so that a signature covers
///    the fields, and before the cache, which distinguishes responses by them.
/// 3. ``idempotencyKeys``: None. Outside authentication and retry, so that the key stays the same when the call is sent again.
/// 4. ``authentication``: None, because only the app knows the source of its tokens. Outside the cache, so that the cache sees the
///    credentials and keeps users apart. Outside retry, so that each attempt has the same token, and the renewal of a rejected token does
///    not count as a failed attempt.
/// 5. ``strictTransport``: None; `StrictTransportInterceptor()` replaces `http` by `https` for hosts that require it. Inside
///    authentication, which sees the URL of the app. Outside cookies, which depend on the scheme.
/// 6. ``cookies``: None; `CookieInterceptor()` stores and sends cookies. Inside authentication, so that a call that is sent again with a
///    new token gets the current cookies.
/// 7. ``cache``: None, because only the app knows where responses may be stored: `CacheInterceptor`. Outside retry, so that a hit never
///    waits, and a stale response can replace a failure of the last attempt.
/// 8. ``coalescing``: None. Inside the cache, which needs no network. Outside retry, so that calls that share an exchange share its
///    attempts.
/// 9. ``retry``: `RetryPolicy.standard` with its own budget.
/// 10. ``connectivity``, ``hedging``, ``circuitBreaker``, ``rateLimiter`` and ``concurrencyLimit``: None. ``use(_:)`` sets them,
///    ``coalescing`` and ``retry`` together. `Resilience` gives the reasons for their positions.
/// 11. ``attemptObservers``: None. Innermost, so that they see every attempt as the transport gets it, such as a
///    `LoggingInterceptor`.
///
/// Each part can be any interceptor, and nil omits it. Redirects are followed outside all of them: each hop passes through the list as a
/// separate request.
public struct StandardInterceptors: Sendable {
    /// An interceptor that logs requests and responses, or nil for none. Default: nil. To log calls with their outcomes, pass a
    /// `LoggingObserver` to the client.
    public var logging: (any Interceptor)?
    /// The interceptor that adds fixed header fields to requests, or nil for none. Default: `User-Agent` and `Accept-Language` of
    /// `AppMetadata.current`. `HeadersInterceptor.app()` also sends `X-App-Name`, `X-App-Version`, `X-App-Build` and `X-App-Platform` to
    /// the client's own server.
    public var headers: (any Interceptor)?
    /// The interceptor that adds an `Idempotency-Key`, so that calls can be sent again, or nil for none. Default: nil, because this is safe
    /// only if the server supports the key.
    public var idempotencyKeys: (any Interceptor)?
    /// The interceptor that adds credentials and renews them, or nil for none. Default: nil.
    public var authentication: (any Interceptor)?
    /// The interceptor that sends requests to hosts that require it over `https`, such as a `StrictTransportInterceptor`, or nil for none.
    /// Default: nil.
    public var strictTransport: (any Interceptor)?
    /// The interceptor that stores and sends cookies, such as a `CookieInterceptor`, or nil for none. Default: nil.
    public var cookies: (any Interceptor)?
    /// The interceptor that returns stored responses, such as a `CacheInterceptor`, or nil for none. Default: nil.
    public var cache: (any Interceptor)?
    /// The interceptor that shares one response among identical concurrent calls, such as `Coalescing`, or nil for none. Default: nil.
    public var coalescing: (any Interceptor)?
    /// The interceptor that sends failed requests again, or nil for none. Default: `RetryInterceptor()`.
    public var retry: (any Interceptor)?
    /// The interceptor that sends a call when the device is online again, such as `WaitForConnectivity`, or nil for none. Default: nil, so
    /// that calls fail with `.networkError` of the kind `.offline`.
    public var connectivity: (any Interceptor)?
    /// The interceptor that sends slow, safe requests a second time, such as `Hedging`, or nil for none. Default: nil.
    public var hedging: (any Interceptor)?
    /// The interceptor that stops sending to servers that fail, such as a `CircuitBreaker`, or nil for none. Default: nil. It rejects calls
    /// with `.circuitOpen`. Share one among the clients of a service.
    public var circuitBreaker: (any Interceptor)?
    /// The interceptor that keeps requests below a rate and obeys the server's quotas, such as a `RateLimiter`, or nil for none. Default:
    /// nil. It rejects calls that may not wait with `.limitExceeded`. Share one among the clients of a service.
    public var rateLimiter: (any Interceptor)?
    /// The interceptor that limits the number of concurrent requests, such as a `ConcurrencyLimit`, or nil for none. Default: nil. It
    /// rejects calls that may not wait with `.limitExceeded`. Share one among the clients of a service.
    public var concurrencyLimit: (any Interceptor)?
    /// The innermost interceptors, which see every attempt as the transport gets it. Default: none.
    public var attemptObservers: [any Interceptor] = []

    /// Creates the standard interceptors, by default those for header fields and retries. Set the others as properties. Pass nil to omit
    /// one.
    public init(
        logging: (any Interceptor)? = nil, headers: (any Interceptor)? = StandardInterceptors.commonFields,
        authentication: (any Interceptor)? = nil, retry: (any Interceptor)? = RetryInterceptor()
    ) {
        self.logging = logging
        self.headers = headers
        self.authentication = authentication
        self.retry = retry
    }

    /// The fields of the app that every server knows. Servers get fields of the app's own only if the app asks for them.
    @usableFromInline static let commonFields: HeadersInterceptor = {
        let all = AppMetadata.current.fields()
        var fields: HTTPFields = [:]
        for name in [HTTPFieldName.userAgent, .acceptLanguage] { if let value = all[name] { fields[name] = value } }
        return HeadersInterceptor(fields)
    }()

    /// Replaces the interceptors that handle failing servers, including ``coalescing`` and ``retry``, with those of a `Resilience`.
    ///
    /// ```swift
    /// var interceptors = StandardInterceptors()
    /// interceptors.use(.standard)
    /// let client = HTTPClient(baseURL: url, interceptors: interceptors.list)
    /// ```
    public mutating func use(_ resilience: Resilience) {
        coalescing = resilience.coalescing
        retry = resilience.retry
        connectivity = resilience.connectivity
        hedging = resilience.hedging
        circuitBreaker = resilience.circuitBreaker
        rateLimiter = resilience.rateLimiter
        concurrencyLimit = resilience.concurrencyLimit
    }

    /// The interceptors that are not nil, outermost first, for the `interceptors` parameter of a client.
    public var list: [any Interceptor] {
        let slots = [
            logging, headers, idempotencyKeys, authentication, strictTransport, cookies, cache, coalescing, retry, connectivity, hedging,
            circuitBreaker,
            rateLimiter, concurrencyLimit,
        ]
        return slots.compactMap(\.self) + attemptObservers
    }
}
