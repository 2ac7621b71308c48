/// The conditions under which a stale response may be used (RFC 9111 §4.2.4, RFC 5861).
enum StaleRules {
    /// Whether the server forbids any use of the stale response.
    static func isForbidden(_ response: StoredResponse, _ settings: CacheSettings) -> Bool {
        let facts = response.facts
        if facts.requiresValidation || facts.control.requiresRevalidation || response.isInvalidated { return true }
        return settings.mode == .shared && (facts.control.requiresSharedRevalidation || facts.sharedMaxAge != nil)
    }

    /// Whether it may be used while it is revalidated (RFC 5861 §3).
    static func mayRevalidateLater(_ response: StoredResponse, _ freshness: Freshness) -> Bool {
        guard let window = response.facts.control.seconds("stale-while-revalidate").orZero else { return false }
        return window > 0 && -freshness.remaining <= Double(window)
    }

    /// Whether it may replace a failure (RFC 5861 §4), by the response's directive, the request's, or the settings.
    static func mayReplaceFailure(_ response: StoredResponse, _ freshness: Freshness, _ request: HTTPFields, _ settings: CacheSettings)
        -> Bool
    {
        guard !isForbidden(response, settings), !Preconditions.areForTheServer(request), response.part == nil else { return false }
        let control = CacheControl(request)
        guard !control.contains("no-cache"), !saysPragma(request, control) else { return false }
        // The settings apply only if the server sends no directive.
        let window = response.facts.control.staleIfError ?? settings.staleIfError
        return [window, control.staleIfError].compactMap(\.self).contains { $0 > .zero && -freshness.remaining <= $0 / .seconds(1) }
    }

    /// Whether a request without `Cache-Control` has the HTTP/1.0 form of `no-cache` (RFC 9111 §5.4).
    static func saysPragma(_ request: HTTPFields, _ control: CacheControl) -> Bool {
        control.isEmpty && request[.pragma].map { CacheControl($0).contains("no-cache") } == true
    }

    /// Whether a status is a failure that a stale response may replace.
    static func isFailure(_ status: HTTPStatus) -> Bool {
        [.internalServerError, .badGateway, .serviceUnavailable, .gatewayTimeout].contains(status)
    }

    /// Whether an error is such a failure: the server was unreachable, or too slow.
    static func isFailure(_ error: HTTPError) -> Bool {
        switch error {
        case .networkError, .timeout, .circuitOpen, .limitExceeded: true
        default: false
        }
    }
}
