/// An HTTP cache (RFC 9111): stores responses, and serves requests from them where HTTP allows it.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, interceptors: [CacheInterceptor(store: MemoryCacheStore())])
/// let response = try await client.response(for: endpoint)
/// response.metadata.cacheStatus?.isHit  // true if the response came from the cache
/// ```
///
/// It implements RFC 9111 with `stale-while-revalidate` and `stale-if-error` (RFC 5861) and `immutable` (RFC 8246). The response's
/// `metadata.cacheStatus` says which directive decided (RFC 9211). Identical concurrent requests are sent once if all of them may use the
/// response. Responses to requests with different credentials are kept separate: see ``CacheScope``.
///
/// A failure of the store or of a revalidation in the background is reported and never fails a buffered call. One store may serve many
/// clients. Each interceptor tracks for itself which requests wait for the same response and which targets have changed, so clients should
/// share the interceptor too. Clients with different client certificates need separate stores, because requests do not contain the
/// certificate.
///
/// Place it inside (after) authentication, so that it sees the credentials, and outside (before) retry, so that a stored response never
/// waits and can replace the failure of the last attempt. A stored `Set-Cookie` is part of every response made from it.
public struct CacheInterceptor: Interceptor, CredentialAddingInterceptor {
    let cache: CacheState

    /// Creates a cache over a store: by default a private cache, in which different credentials have separate responses.
    ///
    /// - Parameters:
    ///   - store: The store for responses.
    ///   - settings: Whether the cache is shared, its heuristics and its limits. Default: a private cache.
    ///   - scope: How responses of different users are kept apart. Default: by the request's credentials.
    ///   - time: The clock. The wall clock measures ages, because stored responses outlive the process. Default: nil, the client's.
    ///   - random: The random numbers for the names of stored responses, which must be unique. Default: the system's. The client's numbers
    ///     are not used, because tests may repeat them.
    ///   - report: Called for failures that do not fail a call, and for the store's notices. Default: does nothing.
    public init(
        store: any CacheStore, settings: CacheSettings = CacheSettings(), scope: CacheScope = .credentials,
        time: (any TimeSource)? = nil, random: any RandomSource = .system,
        report: @escaping @Sendable (CacheInterceptor.Event) -> Void = { _ in }
    ) {
        cache = CacheState(store: store, settings: settings, scope: scope, time: time, random: random, report: report)
    }

    /// Creates a cache for one user or for many, with defaults for all other settings.
    ///
    /// - Parameters:
    ///   - store: The store for responses.
    ///   - isShared: Whether the cache serves many users, and not one: see ``CacheSettings/isShared``.
    ///   - time: The clock. Default: nil, the client's.
    ///   - report: Called for failures that do not fail a call, and for the store's notices. Default: does nothing.
    public init(
        store: any CacheStore, isShared: Bool, time: (any TimeSource)? = nil,
        report: @escaping @Sendable (CacheInterceptor.Event) -> Void = { _ in }
    ) {
        self.init(store: store, settings: CacheSettings(isShared: isShared), time: time, report: report)
    }

    /// Returns a stored response if HTTP allows it, and otherwise sends the request and stores its response if that is allowed.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let response = try await response(to: request, next)
        if let status = response.metadata.cacheStatus { request.context.record?.add(.cache(status)) }
        return response
    }

    private func response(to request: HTTPRequest, _ next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        // A WebSocket has no response that could be stored.
        guard request.context.upgrade == nil else { return try await next(request) }
        cache.time.adopt(request.context)
        let exchange = await CacheExchange(request, cache, next)
        guard request.method == .get || request.method == .head else { return try await exchange.passOn(reason: .method) }
        // The key does not contain the body that the response may depend on.
        if let body = request.body, body.length != 0 { return try await exchange.passOn(reason: .bypass) }
        if CacheControl(request.headers).forbidsStoring { return try await exchange.passOn(reason: .request) }
        return try await exchange.answer()
    }

    /// Waits until no revalidation runs in the background, for example before a process ends or in tests.
    public func finishRevalidations() async {
        while let task = cache.revalidations.withLock({ $0.values.first }) { await task.value }
    }

    /// Removes all responses from the store, and keeps responses to running requests from being stored.
    public func removeAll() async throws(CacheStoreError) {
        cache.invalidations.addAll()
        try await cache.store.removeAll()
    }

    /// A problem in the cache that did not fail a call.
    @nonexhaustive public enum Event: Sendable {
        /// An operation of the store failed, and the call continued without the store. A store that cannot be opened or reached is reported
        /// once, and again when the failure changes.
        case storeFailed(CacheStoreError)
        /// A revalidation in the background failed. The stored response is unchanged.
        case revalidationFailed(HTTPError)
        /// A notice from the store as text, such as that it set a damaged file aside.
        case storeNotice(String)
    }
}
