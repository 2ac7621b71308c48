/// The interceptors that most apps want, in the order in which they work together.
///
/// ```swift
/// var standard = StandardInterceptors(authentication: AuthInterceptor(tokens))
/// standard.retry = RetryInterceptor(RetryPolicy(maxAttempts: 5))
/// standard.logging = nil
/// let client = HTTPClient(baseURL: url, interceptors: standard.list)
/// ```
///
/// From the outermost to the innermost, with what each is by default and why it stands there:
///
/// 1. ``logging``: to the platform's log in debug builds, silent in release builds. Outermost, it tells once of each call what the caller
///    has asked for and has got, and the attempts in between with it.
/// 2. ``headers``: which app is asking. Before authentication, so that a signature covers the fields; before the cache, which tells
///    answers apart by them.
/// 3. ``idempotencyKeys``: none. Outside of authentication and retry, so that the key is the same whenever the call is sent again.
/// 4. ``authentication``: none, since nobody else knows where the tokens come from. Outside of the cache, so that it sees the
///    credentials and keeps users apart; outside of retry, so that each attempt is sent with the same token, and a refused one is renewed
///    without being counted as an attempt that failed.
/// 5. ``cookies``: none. Inside of authentication, so that a call that is sent again with a new token gets the cookies of that moment.
/// 6. ``cache``: none, since only the app knows where answers may rest: ``CacheInterceptor``. Outside of retry, so that a hit never waits, and
///    an old answer can stand in for the failure of the last attempt.
/// 7. ``coalescing``: none. Inside of the cache, which needs no network; outside of retry, so that calls that share an exchange share its
///    attempts.
/// 8. ``retry``: ``RetryPolicy/standard`` within a budget of its own.
/// 9. ``attemptObservers``: none. Innermost, they see every attempt as the transport gets it: metrics, tracing, or a second
///    `LoggingInterceptor`.
///
/// Each part can be any interceptor, and nil leaves it out. Redirects are followed outside of them all: each hop goes through the list
/// as a request of its own.
public struct StandardInterceptors: Sendable {
    /// Tells what is asked and what is answered. Default: `LoggingInterceptor()`, which is silent in release builds.
    public var logging: (any Interceptor)?
    /// Adds fields that are the same for all requests. Default: which app is asking, ``HeadersInterceptor/app(_:prefix:)``.
    public var headers: (any Interceptor)?
    /// Marks calls that may be sent again. Default: nil, since only a server that knows the field makes that safe.
    public var idempotencyKeys: (any Interceptor)?
    /// Adds credentials, and renews them. Default: nil.
    public var authentication: (any Interceptor)?
    /// Keeps and sends cookies. Default: nil.
    public var cookies: (any Interceptor)?
    /// Answers without asking, such as a ``CacheInterceptor``. Default: nil.
    public var cache: (any Interceptor)?
    /// Lets calls that ask for the same at the same time share one answer. Default: nil.
    public var coalescing: (any Interceptor)?
    /// Sends a request again that has failed. Default: `RetryInterceptor()`.
    public var retry: (any Interceptor)?
    /// What looks at each attempt. Default: none.
    public var attemptObservers: [any Interceptor] = []

    /// The standard parts. Set the others, or nil for one that is to be left out, as properties.
    public init(
        logging: (any Interceptor)? = LoggingInterceptor(), headers: (any Interceptor)? = HeadersInterceptor.app(),
        authentication: (any Interceptor)? = nil, retry: (any Interceptor)? = RetryInterceptor()
    ) {
        self.logging = logging
        self.headers = headers
        self.authentication = authentication
        self.retry = retry
    }

    /// The parts there are, outermost first: what a client's `interceptors` take.
    public var list: [any Interceptor] {
        [logging, headers, idempotencyKeys, authentication, cookies, cache, coalescing, retry].compactMap(\.self) + attemptObservers
    }
}
