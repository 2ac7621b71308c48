/// The interceptors that most apps need, in the order in which they work together.
///
/// ```swift
/// var standard = StandardInterceptors(authentication: AuthInterceptor(tokens))
/// standard.retry = RetryInterceptor(RetryPolicy(maxAttempts: 5))
/// standard.logging = nil
/// let client = HTTPClient(baseURL: url, interceptors: standard.list)
/// ```
///
/// From the outermost to the innermost, with the default of each and the reason for its position:
///
/// 1. ``logging``: Writes to the platform's log in debug builds and is silent in release builds. Outermost, so that it logs each call once,
///    with the caller's request, the final response and the attempts in between.
/// 2. ``headers``: Identifies the app. Before authentication, so that a signature covers the fields, and before the cache, which
///    distinguishes responses by them.
/// 3. ``idempotencyKeys``: None. Outside authentication and retry, so that the key stays the same when the call is sent again.
/// 4. ``authentication``: None, because only the app knows the source of its tokens. Outside the cache, so that the cache sees the
///    credentials and keeps users apart. Outside retry, so that each attempt has the same token, and the renewal of a rejected token does
///    not count as a failed attempt.
/// 5. ``cookies``: None. Inside authentication, so that a call that is sent again with a new token gets the current cookies.
/// 6. ``cache``: None, because only the app knows where responses may be stored: `CacheInterceptor`. Outside retry, so that a hit never
///    waits, and a stale response can replace a failure of the last attempt.
/// 7. ``coalescing``: None. Inside the cache, which needs no network. Outside retry, so that calls that share an exchange share its
///    attempts.
/// 8. ``retry``: `RetryPolicy.standard` with its own budget.
/// 9. ``attemptObservers``: None. Innermost, so that they see every attempt as the transport gets it: metrics, tracing, or a second
///    `LoggingInterceptor`.
///
/// Each part can be any interceptor, and nil omits it. Redirects are followed outside all of them: each hop passes through the list as a
/// separate request.
public struct StandardInterceptors: Sendable {
    /// Logs requests and responses. Default: `LoggingInterceptor()`, which is silent in release builds.
    public var logging: (any Interceptor)?
    /// Adds header fields that are the same for all requests. Default: the app's name and version, `HeadersInterceptor.app(_:prefix:)`.
    public var headers: (any Interceptor)?
    /// Adds an idempotency key, so that calls can be sent again. Default: nil, because this is safe only if the server supports the key.
    public var idempotencyKeys: (any Interceptor)?
    /// Adds credentials and renews them. Default: nil.
    public var authentication: (any Interceptor)?
    /// Stores and sends cookies. Default: nil.
    public var cookies: (any Interceptor)?
    /// Returns stored responses, such as a `CacheInterceptor`. Default: nil.
    public var cache: (any Interceptor)?
    /// Shares one response among identical concurrent calls. Default: nil.
    public var coalescing: (any Interceptor)?
    /// Sends failed requests again. Default: `RetryInterceptor()`.
    public var retry: (any Interceptor)?
    /// The interceptors that observe each attempt. Default: none.
    public var attemptObservers: [any Interceptor] = []

    /// Creates the standard list. Set the other parts as properties. Pass nil to omit a part.
    public init(
        logging: (any Interceptor)? = LoggingInterceptor(), headers: (any Interceptor)? = HeadersInterceptor.app(),
        authentication: (any Interceptor)? = nil, retry: (any Interceptor)? = RetryInterceptor()
    ) {
        self.logging = logging
        self.headers = headers
        self.authentication = authentication
        self.retry = retry
    }

    /// The parts that are not nil, outermost first, for the `interceptors` of a client.
    public var list: [any Interceptor] {
        [logging, headers, idempotencyKeys, authentication, cookies, cache, coalescing, retry].compactMap(\.self) + attemptObservers
    }
}
