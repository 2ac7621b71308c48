/// One request on its way through a cache: looks up what is stored, does what ``CacheDecision`` says, and keeps what comes.
struct CacheExchange: Sendable {
    let request: HTTPRequest
    let cache: CacheState
    let next: Next
    let key: CacheKey
    /// Whether nobody reads the answer but to have it stored.
    let isBackground: Bool
    private let anonymousKey: CacheKey?

    init(_ request: HTTPRequest, _ cache: CacheState, _ next: Next) async {
        self.request = request
        isBackground = false
        self.cache = cache
        self.next = next
        let uri = TargetURI.uri(of: request)
        let names = await cache.scope.names(for: request)
        let mode = cache.settings.mode.scopePrefix
        key = CacheKey(uri: uri, scope: mode + names.scope)
        anonymousKey = names.mayBeAnonymous ? CacheKey(uri: uri, scope: mode) : nil
    }

    /// Creates the exchange that revalidates in the background what another exchange has returned.
    init(_ request: HTTPRequest, inBackgroundOf exchange: CacheExchange) {
        self.request = request
        isBackground = true
        (cache, next, key, anonymousKey) = (exchange.cache, exchange.next, exchange.key, exchange.anonymousKey)
    }

    /// The answer to a GET or a HEAD.
    func answer() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let policy = request.context.cachePolicy
        let moment = cache.storedFlights.now
        let entries = await cache.entries(for: key)
        switch decision(on: entries, policy) {
        case .reuse(let reuse):
            guard let made = response(for: reuse, entries) else {
                if mayNotAsk { return unavailable() }
                let forward = CacheDecision.Forward(reason: .partial, manner: .asIs, stored: reuse.response)
                return try await send(forward, entries, since: moment)
            }
            guard let response = await readable(made, of: reuse.response) else {
                if mayNotAsk { return unavailable() }
                return try await send(CacheDecision.Forward(reason: .miss, manner: .asIs, stored: nil), [], since: moment)
            }
            guard reuse.revalidates else { return response }
            return try await revalidating(reuse, response, entries, since: moment)
        case .unavailable: return await anonymousAnswer() ?? unavailable()
        case .forward(let forward):
            if forward.stored == nil, policy == .useProtocol, let response = await anonymousAnswer() { return response }
            offerEarly(forward, entries)
            return try await send(forward, entries, since: moment)
        }
    }

    /// Sends a request on that is not answered from the store; what its answer makes worthless is removed (RFC 9111 §4.4).
    func passOn(reason: CacheStatus.ForwardReason) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        if mayNotAsk { return unavailable() }
        let (start, requestTime) = (cache.invalidations.now, cache.time.now)
        var response = try await next(request)
        let received = cache.time.now
        var own: (moment: Int, isOnlyOne: Bool)?
        for uri in Invalidation.targets(of: request, response.map { _ in }) {
            let noted = await cache.invalidate(uri, since: start)
            if uri == key.uri { own = noted }
        }
        let status = CacheStatus(isHit: false, forwardReason: reason)
        response.metadata.cacheStatus = status
        // Of two that change a target at the same time nobody knows which was last.
        guard let own, own.isOnlyOne, StorageRules.mayStorePost(response.map { _ in }, to: request, cache.settings) else { return response }
        let times = CacheTimes(request: requestTime, response: received, moment: own.moment)
        return await ResponseStorage(exchange: self, times: times, before: []).kept(response).response
    }

    func decision(on entries: [CacheEntry], _ policy: CachePolicy) -> CacheDecision {
        CacheDecision.decide(request, stored: entries.map(\.response), policy: policy, now: cache.time.now, settings: cache.settings)
    }

    /// Whether a request that the cache sees as it sees this one would have what was sent in the end answered so: not when interceptors
    /// inside have added what the answer depends on, and what another user's may not have.
    func isForRequestsLikeThis(_ stored: StoredResponse, _ sent: HTTPRequest?) -> Bool {
        guard let sent else { return true }
        return TargetURI.isSameAuthority(sent, request) && cache.scope.isTold(by: sent, cache.settings.mode, asIn: stored.key.scope)
            && VaryRules.variant(of: sent.headers, names: stored.variant.selectors.map(\.name)) == stored.variant
    }

    /// What is stored is used now, and the server is asked besides: by the call itself for one that takes both answers.
    private func revalidating(
        _ reuse: CacheDecision.Reuse, _ response: HTTPResponse<HTTPBody>, _ entries: [CacheEntry], since moment: Int
    ) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let canValidate = reuse.response.part == nil && Preconditions.canValidate(reuse.response) && request.method == .get
        let forward = CacheDecision.Forward(reason: .stale, manner: canValidate ? .validating : .asIs, stored: reuse.response)
        if let early = request.context.earlyAnswer, response.status.kind != .redirection {
            early.offer(EarlyResponse(response: response, limits: request.context.limits))
            return try await send(forward, entries, since: moment)
        }
        revalidateInBackground(forward, entries)
        return response
    }

    /// Hands out what is stored, though it is stale, to a call that takes both answers.
    private func offerEarly(_ forward: CacheDecision.Forward, _ entries: [CacheEntry]) {
        guard let early = request.context.earlyAnswer, forward.reason == .stale, let stored = forward.stored, stored.part == nil,
            stored.status.kind != .redirection, !StaleRules.isForbidden(stored, cache.settings), !Preconditions.arePresent(request.headers),
            let response = staleResponse(stored, entries, reason: "while the server is asked")
        else { return }
        early.offer(EarlyResponse(response: response, limits: request.context.limits))
    }

    /// Whether the server may not be asked (RFC 9111 §5.2.1.7).
    private var mayNotAsk: Bool { request.context.cachePolicy == .cacheOnly || CacheControl(request.headers).wantsOnlyStored }

    /// What is stored for requests without credentials, if it is fresh, and sets no cookie: that would be another's.
    private func anonymousAnswer() async -> HTTPResponse<HTTPBody>? {
        guard let anonymousKey else { return nil }
        let entries = await cache.entries(for: anonymousKey)
        guard case .reuse(let reuse) = decision(on: entries, .useProtocol), reuse.freshness.isFresh,
            !reuse.response.headers.contains(.setCookie), let made = response(for: reuse, entries)
        else { return nil }
        return await readable(made, of: reuse.response)
    }

    /// Nothing may be used, and the server may not be asked (RFC 9111 §5.2.1.7).
    private func unavailable() -> HTTPResponse<HTTPBody> {
        var response = HTTPResponse(
            status: .gatewayTimeout, headers: [.date: HTTPDate(cache.time.now).description, .contentLength: "0"], body: HTTPBody.empty)
        response.metadata.request = request
        response.metadata.cacheStatus = CacheStatus(isHit: false, detail: "nothing that may be used is stored")
        return response
    }
}
