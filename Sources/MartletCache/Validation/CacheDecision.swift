package import MartletEssentials

/// What a cache does with a request for which it has stored some responses (RFC 9111 §4): a function of values.
package enum CacheDecision: Sendable, Equatable {
    /// The use of a stored response.
    package struct Reuse: Sendable, Equatable {
        /// What is answered with.
        package let response: StoredResponse
        /// How fresh it is.
        package let freshness: Freshness
        /// Whether the server is to be asked in the background, so that the next answer is fresh (RFC 5861 §3).
        package let revalidates: Bool
        /// Why a stale one may be used; nil for a fresh one.
        package let reason: String?
    }

    /// A request to the server.
    package struct Forward: Sendable, Equatable {
        /// What it is sent with.
        package enum Manner: Sendable, Equatable {
            /// As it is.
            case asIs
            /// With the validators of what is stored (RFC 9111 §4.3.1).
            case validating
            /// For the bytes that are missing behind the stored part (RFC 9111 §3.4).
            case completing
        }

        /// Why nothing that is stored was used.
        package let reason: CacheStatus.ForwardReason
        /// What it is sent with.
        package let manner: Manner
        /// What is stored and fits the request, if anything.
        package let stored: StoredResponse?
    }

    /// Return a stored response.
    case reuse(Reuse)
    /// Ask the server.
    case forward(Forward)
    /// Nothing that is stored may be used, and the server may not be asked: 504 (RFC 9111 §5.2.1.7).
    case unavailable

    /// Decides on a GET or HEAD.
    ///
    /// - Parameters:
    ///   - stored: everything that is stored for its target and its user.
    ///   - policy: how the call wants the cache used.
    package static func decide(
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

    /// How a stored response may be used.
    private enum Use: Equatable {
        case reuse(reason: String?, revalidates: Bool)
        case ask(CacheStatus.ForwardReason)
    }

    /// The newest of those that fit; one that has all, or what the request asks for, before one that has not.
    private static func select(for request: HTTPRequest, _ stored: [StoredResponse]) -> StoredResponse? {
        stored.filter { VaryRules.fits($0, request.headers) }.max { left, right in
            let (leftCovers, rightCovers) = (covers(left, request) != false, covers(right, request) != false)
            return leftCovers == rightCovers ? left.responseTime < right.responseTime : !leftCovers
        }
    }

    /// Whether a stored response has what the request asks for: false when it has not, nil when only its bytes will tell.
    private static func covers(_ response: StoredResponse, _ request: HTTPRequest) -> Bool? {
        guard request.method == .get, let text = request.headers[.range] else { return response.part == nil || request.method == .head }
        if response.status != .ok { return response.part == nil }
        guard ByteRange(text) != nil, !response.wasContentCoded else { return false }
        if let condition = request.headers[.ifRange] {
            let holds = Validator(of: response.headers)?.text == String(condition.trimmingWhitespace)
            // What the author has is another state: the whole is wanted.
            if !holds { return response.part == nil ? true : false }
        }
        return nil
    }

    private static func use(of response: StoredResponse, _ freshness: Freshness, _ wish: Wish, _ settings: CacheSettings) -> Use {
        let facts = response.facts
        switch wish.policy {
        case .cacheOnly, .cacheElseNetwork, .cacheAndNetwork:
            let revalidates = wish.policy == .cacheAndNetwork && !wish.wantsOnlyStored
            return .reuse(reason: freshness.isFresh ? nil : "wanted however old", revalidates: revalidates)
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
        // Who says how old it may be and not how stale wants nothing stale (RFC 9111 §5.2.1.1).
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
        // What only the server may judge is a wish of the request, whatever is stored (RFC 9211 §2.2).
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
}

extension CacheDecision {
    /// What a request says of the use of stored responses (RFC 9111 §5.2.1, §5.4).
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
