/// Answers from stored responses where HTTP allows it, and keeps responses for that (RFC 9111).
///
/// ```swift
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: MemoryCacheStore())])
/// let response = try await client.response(for: endpoint)
/// response.metadata.cacheStatus?.isHit  // whether the server was not asked
/// ```
///
/// It stores and uses responses as RFC 9111 says, with `stale-while-revalidate` and `stale-if-error` (RFC 5861) and `immutable` (RFC 8246);
/// which directive decided is in the answer's `metadata.cacheStatus` (RFC 9211). Requests for the same that come at the same time are one
/// request to the server, as long as its answer may be used for all of them. Responses to requests with different credentials are never
/// mixed: see ``CacheScope``.
///
/// A failure of the store, or of asking in the background, never fails a buffered call: it is reported. One store may serve many clients. What waits
/// for the same answer, and which targets were changed while an answer was on its way, is known to one interceptor: let clients share it too.
/// Clients with different client certificates need a store each, since no request shows them.
///
/// Place it inside (after) authentication, so that it sees the credentials, and outside (before) retry, so that a stored answer never waits,
/// and can stand in for the last attempt's failure. `Set-Cookie` of a stored response comes again with each answer from it.
public struct CacheInterceptor: Interceptor, CredentialAddingInterceptor {
    let cache: CacheState

    /// A cache.
    ///
    /// - Parameters:
    ///   - store: where responses are kept.
    ///   - settings: what the cache may decide for itself, and whether it serves one user or many. Default: the cache of one user.
    ///   - scope: whose answers are whose. Default: by the request's credentials.
    ///   - limits: the cache's own limits.
    ///   - time: the clock. The age of stored responses is measured by the wall clock, which outlives the process. Default: nil, the client's.
    ///   - random: the random numbers for the names of stored responses, which must be unique. Default: the system's, and not the client's, because a
    ///     test may give the client the same numbers again.
    ///   - report: called for failures that do not fail a call, and for the store's notices. Default: does nothing.
    public init(
        store: any CacheStore, settings: CacheSettings = CacheSettings(), scope: CacheScope = .credentials, limits: Limits = Limits(),
        time: (any TimeSource)? = nil, random: any RandomSource = .system,
        report: @escaping @Sendable (CacheInterceptor.Event) -> Void = { _ in }
    ) {
        cache = CacheState(store: store, settings: settings, scope: scope, limits: limits, time: time, random: random, report: report)
    }

    /// Creates a cache for one user or for many, with defaults for all other settings.
    ///
    /// - Parameters:
    ///   - store: where responses are stored.
    ///   - mode: whether the cache serves one user or many.
    ///   - time: the clock. Default: nil, the client's.
    ///   - report: called for failures that do not fail a call, and for the store's notices. Default: does nothing.
    public init(
        store: any CacheStore, mode: CacheSettings.Mode, time: (any TimeSource)? = nil,
        report: @escaping @Sendable (CacheInterceptor.Event) -> Void = { _ in }
    ) {
        self.init(store: store, settings: CacheSettings(mode: mode), time: time, report: report)
    }

    /// A cache's own limits.
    public struct Limits: Sendable, Hashable {
        /// How many responses are kept for one target, chosen by different fields (`Vary`); past it the oldest goes. Default: 32.
        public var variants: Int
        /// How many bytes two parts of a response may have to be put together, in memory (RFC 9111 §3.4). Default: 8 MiB.
        public var combinedBytes: Int
        /// How long asking in the background may take, the body included. Default: 60 seconds.
        public var revalidationTimeout: Duration
        /// How many targets may be asked for in the background at the same time; past it none is. Default: 16.
        public var revalidations: Int
        /// How long a streamed body that others wait for may be for them to share it, in memory. Default: 1 MiB.
        public var sharedStreamBytes: Int

        /// The limits, each with its default.
        public init(
            variants: Int = 32, combinedBytes: Int = 8 << 20, revalidationTimeout: Duration = .seconds(60), revalidations: Int = 16,
            sharedStreamBytes: Int = 1 << 20
        ) {
            self.variants = max(1, variants)
            self.combinedBytes = combinedBytes
            self.revalidationTimeout = revalidationTimeout
            self.revalidations = revalidations
            self.sharedStreamBytes = sharedStreamBytes
        }
    }

    /// Answers from the store, or sends the request on and keeps the answer.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        cache.time.adopt(request.context)
        let exchange = await CacheExchange(request, cache, next)
        guard request.method == .get || request.method == .head else { return try await exchange.passOn(reason: .method) }
        // What the answer depends on would not be in the key.
        if let body = request.body, body.length != 0 { return try await exchange.passOn(reason: .bypass) }
        if CacheControl(request.headers).forbidsStoring { return try await exchange.passOn(reason: .request) }
        return try await exchange.answer()
    }

    /// Waits until nobody is asked in the background any more: before a process ends, and in tests.
    public func finishRevalidations() async {
        while let task = cache.revalidations.withLock({ $0.values.first }) { await task.value }
    }

    /// Removes everything from the store. What is under way is not kept.
    public func removeAll() async throws(CacheStoreError) {
        cache.invalidations.addAll()
        try await cache.store.removeAll()
    }
}
