/// One request through the cache: looks up stored responses, performs the ``CacheDecision``, and stores the response.
struct CacheExchange: Sendable {
    let request: HTTPRequest
    let cache: CacheState
    let next: Next
    /// The key of the request's own responses.
    let key: CacheKey
    /// Whether the response is only for the store, because it revalidates in the background.
    let isBackground: Bool
    /// The key of public responses, if it is another.
    private let sharedKey: CacheKey?
    private let anonymousKey: CacheKey?

    init(_ request: HTTPRequest, _ cache: CacheState, _ next: Next) async {
        self.request = request
        isBackground = false
        self.cache = cache
        self.next = next
        let uri = TargetURI.uri(of: request)
        let names = await cache.scope.names(for: request, cache.settings)
        key = CacheKey(uri: uri, scope: names.own)
        sharedKey = names.shared.map { CacheKey(uri: uri, scope: $0) }
        anonymousKey = names.anonymous.map { CacheKey(uri: uri, scope: $0) }
    }

    /// Creates an exchange that revalidates another exchange's response in the background.
    init(_ request: HTTPRequest, inBackgroundOf exchange: CacheExchange) {
        self.request = request
        isBackground = true
        (cache, next, key) = (exchange.cache, exchange.next, exchange.key)
        (sharedKey, anonymousKey) = (exchange.sharedKey, exchange.anonymousKey)
    }

    /// Returns the key under which a response with these fields is stored.
    func key(of headers: HTTPFields) -> CacheKey { sharedKey.flatMap { headers.areForAnyone ? $0 : nil } ?? key }

    /// Returns the stored responses that belong to the request: its own, and public ones.
    func entries() async -> [CacheEntry] {
        let own = await cache.entries(for: key)
        guard let sharedKey else { return own }
        return own + (await cache.entries(for: sharedKey)).filter(\.response.isForAnyone)
    }

    /// Replaces the head of a stored response, or removes it if it was stored as public and no longer is. Returns whether it is still
    /// stored.
    func update(_ response: StoredResponse) async -> Bool {
        guard response.key == key || response.isForAnyone else {
            await cache.remove(response)
            return false
        }
        await cache.update(response)
        return true
    }

    /// Returns the response to a GET or a HEAD.
    func answer() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let policy = request.context.cachePolicy
        let moment = cache.storedChanges.now
        let entries = await entries()
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

    /// Forwards a request that the cache cannot serve. Its response may invalidate stored ones (RFC 9111 §4.4).
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
        // If two requests change a target at the same time, their order on the server is unknown.
        guard let own, own.isOnlyOne, StorageRules.mayStorePost(response.map { _ in }, to: request, cache.settings) else { return response }
        let times = CacheTimes(request: requestTime, response: received, moment: own.moment)
        return await ResponseStorage(exchange: self, times: times, before: []).kept(response).response
    }

    func decision(on entries: [CacheEntry], _ policy: CachePolicy) -> CacheDecision {
        CacheDecision.decide(request, stored: entries.map(\.response), policy: policy, now: cache.time.now, settings: cache.settings)
    }

    /// Whether a stored response is valid for every request that the cache cannot distinguish from this one. It is not if inner
    /// interceptors added a field that may identify the user, a `Host`, or fields named by `Vary`.
    func isForRequestsLikeThis(_ stored: StoredResponse, _ sent: HTTPRequest?) -> Bool {
        guard let sent else { return true }
        return TargetURI.isSameAuthority(sent, request) && cache.scope.isTold(by: sent, cache.settings, as: stored)
            && VaryRules.variant(of: sent.headers, names: stored.variant.selectors.map(\.name)) == stored.variant
    }

    /// Uses a stored response and revalidates it: in the call itself if it takes both responses, otherwise in the background.
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

    /// Delivers a stale stored response to a call that takes both responses.
    private func offerEarly(_ forward: CacheDecision.Forward, _ entries: [CacheEntry]) {
        guard let early = request.context.earlyAnswer, forward.reason == .stale, let stored = forward.stored, stored.part == nil,
            stored.status.kind != .redirection, !StaleRules.isForbidden(stored, cache.settings), !Preconditions.arePresent(request.headers),
            let response = staleResponse(stored, entries, reason: "used during revalidation")
        else { return }
        early.offer(EarlyResponse(response: response, limits: request.context.limits))
    }

    /// Whether the request must not be forwarded (RFC 9111 §5.2.1.7).
    private var mayNotAsk: Bool { request.context.cachePolicy == .cacheOnly || CacheControl(request.headers).wantsOnlyStored }

    /// Returns a fresh response stored for requests that nothing identifies. One with `Set-Cookie` is left out, because the cookie may be
    /// another user's.
    private func anonymousAnswer() async -> HTTPResponse<HTTPBody>? {
        guard let anonymousKey else { return nil }
        let entries = await cache.entries(for: anonymousKey)
        guard case .reuse(let reuse) = decision(on: entries, .useProtocol), reuse.freshness.isFresh,
            !reuse.response.headers.contains(.setCookie), let made = response(for: reuse, entries)
        else { return nil }
        return await readable(made, of: reuse.response)
    }

    /// Returns the 504 for a request that must not be forwarded and has no usable stored response (RFC 9111 §5.2.1.7).
    private func unavailable() -> HTTPResponse<HTTPBody> {
        var response = HTTPResponse(
            status: .gatewayTimeout, headers: [.date: HTTPDate(cache.time.now).description, .contentLength: "0"], body: HTTPBody.empty)
        response.metadata.request = request
        response.metadata.cacheStatus = CacheStatus(
            isHit: false, detail: "no usable response is stored, and the request must not be forwarded")
        return response
    }
}

extension RequestContext {
    /// Receives the stored response before the server's. Nil if the call takes only one response.
    var earlyAnswer: EarlyAnswer? {
        get { self[only: EarlyAnswer.self] }
        set { self[only: EarlyAnswer.self] = newValue }
    }
}

/// A receiver for the stored response of a call that also gets the server's.
struct EarlyAnswer: Sendable {
    let offer: @Sendable (EarlyResponse) -> Void
}

/// The stored response, with the call's limits for reading it.
struct EarlyResponse: Sendable {
    let response: HTTPResponse<HTTPBody>
    let limits: ResponseLimits
}
