package import MartletEssentials

/// Reads the wait that a server asks for.
package enum ServerWait {
    /// Returns the wait in `Retry-After` (RFC 9110 §10.2.3); for a 429 without it, that in `RateLimit-Reset` or `X-RateLimit-Reset`.
    /// Returns nil if the field is missing or malformed.
    ///
    /// Other responses also report their quota, but it does not say when the failure passes.
    package static func asked(by response: HTTPResponse<Void>, now: Date) -> Duration? {
        // A date is relative to the server's own clock if the response has a `Date`.
        let clock = response.headers[.date].flatMap { HTTPDate($0, now: now)?.date } ?? now
        if let wait = response.headers.retryAfter(now: clock) { return wait }
        guard response.status == .tooManyRequests else { return nil }
        return ["RateLimit-Reset", "X-RateLimit-Reset"].lazy
            .compactMap { name in response.headers.values(for: name).compactMap { reset($0, clock) }.max() }.first
    }

    /// Numbers from this one on are seconds since 1970. As a time span it would be 31 years.
    private static let firstMoment: Int64 = 1_000_000_000

    /// Reads seconds from now (draft-ietf-httpapi-ratelimit-headers-07 §5.3), or seconds since 1970, which some servers send.
    private static func reset(_ field: String, _ now: Date) -> Duration? {
        guard let seconds = HTTPFields.seconds(field) else { return nil }
        guard seconds < Int64(Int32.max) * 2 else { return .seconds(Int32.max) }
        guard seconds >= firstMoment else { return .seconds(seconds) }
        let rest = Double(seconds) - now.timeIntervalSince1970
        return .milliseconds(Int64((min(max(0, rest), Double(Int32.max)) * 1000).rounded(.up)))
    }
}
