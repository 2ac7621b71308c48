/// When a stale response may be used (RFC 9111 §4.2.4, RFC 5861).
enum StaleRules {
    /// Whether the server forbids it in all circumstances.
    static func areForbidden(_ response: StoredResponse, _ terms: CacheTerms) -> Bool {
        let facts = response.facts
        if facts.requiresValidation || facts.control.requiresRevalidation || response.isInvalidated { return true }
        return terms.mode == .shared && (facts.control.requiresSharedRevalidation || facts.sharedMaxAge != nil)
    }

    /// Whether it may be used while the server is asked (RFC 5861 §3).
    static func mayRevalidateLater(_ response: StoredResponse, _ freshness: Freshness) -> Bool {
        guard let window = response.facts.control.seconds("stale-while-revalidate").orZero else { return false }
        return -freshness.remaining <= Double(window)
    }

    /// Whether it may stand in for a failure (RFC 5861 §4): by its own word, the request's, or the terms.
    static func mayReplaceFailure(_ response: StoredResponse, _ freshness: Freshness, _ request: HTTPFields, _ terms: CacheTerms) -> Bool {
        guard !areForbidden(response, terms), response.part == nil else { return false }
        let control = CacheControl(request)
        guard !control.contains("no-cache") else { return false }
        let windows = [
            response.facts.control.seconds("stale-if-error").orZero, control.seconds("stale-if-error").orZero,
            terms.staleIfError.map { Int($0.components.seconds) },
        ].compactMap(\.self)
        return windows.contains { -freshness.remaining <= Double($0) }
    }

    /// Whether an answer is a failure that a stale response may stand in for.
    static func isFailure(_ status: HTTPStatus) -> Bool {
        [.internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout].contains(status)
    }

    /// Whether an error is one: the server could not be reached, or did not answer in time.
    static func isFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .networkError, .timeout, .circuitOpen: true
        default: false
        }
    }
}
