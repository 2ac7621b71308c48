import MartletEssentials

/// The decision of a cache for a request and its stored responses (RFC 9111 §4). A pure function.
enum CacheDecision: Sendable, Equatable {
    /// The use of a stored response.
    struct Reuse: Sendable, Equatable {
        /// The stored response to return.
        let response: StoredResponse
        /// Its freshness.
        let freshness: Freshness
        /// Whether to revalidate it in the background, so that the next response is fresh (RFC 5861 §3).
        let revalidates: Bool
        /// Why a stale response may be used. Nil for a fresh one.
        let reason: String?
    }

    /// A request to the server.
    struct Forward: Sendable, Equatable {
        /// How the request is sent.
        enum Manner: Sendable, Equatable {
            /// Unchanged.
            case asIs
            /// With the validators of the stored response (RFC 9111 §4.3.1).
            case validating
            /// With a range for the bytes after the stored part (RFC 9111 §3.4).
            case completing
        }

        /// Why no stored response was used.
        let reason: CacheStatus.ForwardReason
        /// How the request is sent.
        let manner: Manner
        /// The stored response that matches the request, if any.
        let stored: StoredResponse?
    }

    /// Return a stored response.
    case reuse(Reuse)
    /// Forward the request to the server.
    case forward(Forward)
    /// Return 504: no stored response may be used, and the request must not be forwarded (RFC 9111 §5.2.1.7).
    case unavailable

    /// Decides about a GET or HEAD.
    ///
    /// - Parameters:
    ///   - stored: All stored responses for the target and the user.
    ///   - policy: The cache policy of the call.
    static func decide(
        _ request: HTTPRequest, stored: [StoredResponse], policy: CachePolicy = .useProtocol, now: Date,
        settings: CacheSettings = CacheSettings()
    ) -> CacheDecision {
        let control = CacheControl(request.headers)
        let ownControl = Wish(request, control, policy)
        guard let response = select(for: request, stored) else {
            if ownControl.wantsOnlyStored { return .unavailable }
            return .forward(Forward(reason: stored.isEmpty ? .uriMiss : .varyMiss, manner: .asIs, stored: nil))
        }
        let freshness = Freshness(of: response, at: now, settings: settings)
        let use = use(of: response, freshness, ownControl, settings)
        if case .reuse(let reason, let revalidates) = use, !Preconditions.areForTheServer(request.headers),
            covers(response, request) != false
        {
            return .reuse(Reuse(response: response, freshness: freshness, revalidates: revalidates, reason: reason))
        }
        if ownControl.wantsOnlyStored { return .unavailable }
        return .forward(forward(request, response, freshness, use, policy))
    }

    /// Whether a stored response may be used.
    private enum Use: Equatable {
        case reuse(reason: String?, revalidates: Bool)
        case ask(CacheStatus.ForwardReason)
    }

    /// Returns the newest matching response. Responses with all requested bytes have precedence.
    private static func select(for request: HTTPRequest, _ stored: [StoredResponse]) -> StoredResponse? {
        stored.filter { VaryRules.fits($0, request.headers) }.max { left, right in
            let (leftCovers, rightCovers) = (covers(left, request) != false, covers(right, request) != false)
            return leftCovers == rightCovers ? left.responseTime < right.responseTime : !leftCovers
        }
    }

    /// Whether a stored response has the requested bytes. Nil if that depends on its body.
    private static func covers(_ response: StoredResponse, _ request: HTTPRequest) -> Bool? {
        guard request.method == .get, let text = request.headers[.range] else { return response.part == nil || request.method == .head }
        if response.status != .ok { return response.part == nil }
        guard ByteRange(text) != nil, !response.wasContentCoded else { return false }
        if let condition = request.headers[.ifRange] {
            let holds = Validator(of: response.headers)?.matches(condition) == true
            // The caller has a different representation, so it needs the whole.
            if !holds { return response.part == nil ? true : false }
        }
        return nil
    }

    private static func use(of response: StoredResponse, _ freshness: Freshness, _ wish: Wish, _ settings: CacheSettings) -> Use {
        let facts = response.facts
        switch wish.policy {
        case .cacheOnly, .cacheElseNetwork, .cacheAndNetwork:
            let revalidates = wish.policy == .cacheAndNetwork && !wish.wantsOnlyStored
            return .reuse(reason: freshness.isFresh ? nil : "the cache policy accepts any age", revalidates: revalidates)
        case .reload: return .ask(.request)
        case .useProtocol: break
        }
        if response.isInvalidated || facts.requiresValidation { return .ask(.stale) }
        if wish.requiresValidation { return .ask(.request) }
        let isImmutable = facts.control.isImmutable && freshness.isFresh
        if let limit = wish.maxAge, !isImmutable, limit == 0 || freshness.age > limit { return .ask(.request) }
        if let least = wish.minFresh, freshness.remaining < least { return .ask(.request) }
        if freshness.isFresh { return .reuse(reason: nil, revalidates: false) }
        guard !StaleRules.isForbidden(response, settings) else { return .ask(.stale) }
        if let most = wish.maxStale {
            return -freshness.remaining <= most ? .reuse(reason: "max-stale", revalidates: false) : .ask(.stale)
        }
        // A request with a maximum age but no max-stale does not accept stale responses (RFC 9111 §5.2.1.1).
        if wish.maxAge == nil, StaleRules.mayRevalidateLater(response, freshness) {
            return .reuse(reason: "stale-while-revalidate", revalidates: !wish.wantsOnlyStored)
        }
        return .ask(.stale)
    }

    private static func forward(
        _ request: HTTPRequest, _ response: StoredResponse, _ freshness: Freshness, _ use: Use, _ policy: CachePolicy
    ) -> Forward {
        let reason: CacheStatus.ForwardReason = if case .ask(let reason) = use { reason } else { .partial }
        let hasRange = request.headers.contains(.range)
        // Conditions that only the server can evaluate count as the request's own reason (RFC 9211 §2.2).
        if Preconditions.areForTheServer(request.headers) { return Forward(reason: .request, manner: .asIs, stored: response) }
        guard request.method == .get, policy != .reload, !hasRange else {
            return Forward(reason: hasRange && reason != .request ? .partial : reason, manner: .asIs, stored: response)
        }
        if response.part != nil {
            let canComplete =
                PartialContent.canBeCompleted(response) && !Preconditions.arePresent(request.headers)
                && (freshness.isFresh || Validator(of: response.headers) != nil)
            return Forward(reason: .partial, manner: canComplete ? .completing : .asIs, stored: response)
        }
        return Forward(reason: reason, manner: Preconditions.canValidate(response) ? .validating : .asIs, stored: response)
    }

    /// The request's directives for the use of stored responses (RFC 9111 §5.2.1, §5.4).
    private struct Wish {
        let policy: CachePolicy
        let requiresValidation: Bool
        let wantsOnlyStored: Bool
        let maxAge: Double?
        let minFresh: Double?
        let maxStale: Double?

        init(_ request: HTTPRequest, _ control: CacheControl, _ policy: CachePolicy) {
            self.policy = policy
            requiresValidation = control.contains("no-cache") || StaleRules.saysPragma(request.headers, control)
            wantsOnlyStored = control.wantsOnlyStored || policy == .cacheOnly
            maxAge = control.seconds("max-age").orZero.map(Double.init)
            minFresh = control.minFresh.map { Double($0.components.seconds) }
            maxStale = control.maxStale.map { Double($0.components.seconds) }
        }
    }
}
