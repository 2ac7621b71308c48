package import MartletEssentials

/// The wait that a server asks for.
package enum ServerWait {
    /// By `Retry-After` (RFC 9110 §10.2.3); for a 429 without one, by `RateLimit-Reset` or `X-RateLimit-Reset`. Nil when it asks for none,
    /// or in words that can't be read. Other answers tell of their quota too, which says nothing about when they get better.
    package static func asked(by response: HTTPResponse<Void>, now: Date) -> Duration? {
        // The server's own clock, when it tells it: a date is meant against that one.
        let clock = response.headers[.date].flatMap { HTTPDate($0, now: now)?.date } ?? now
        if let wait = response.headers.retryAfter(now: clock) { return wait }
        guard response.status == .tooManyRequests else { return nil }
        return ["RateLimit-Reset", "X-RateLimit-Reset"].lazy
            .compactMap { name in response.headers.values(for: name).compactMap { reset($0, clock) }.max() }.first
    }

    /// Numbers from here on are moments since 1970 and no spans: as a span this one would be 31 years.
    private static let firstMoment: Int64 = 1_000_000_000

    /// Seconds from now (draft-ietf-httpapi-ratelimit-headers-07 §5.3), or, as some servers write, since 1970.
    private static func reset(_ field: String, _ now: Date) -> Duration? {
        guard let seconds = HTTPFields.seconds(field) else { return nil }
        guard seconds < Int64(Int32.max) * 2 else { return .seconds(Int32.max) }
        guard seconds >= firstMoment else { return .seconds(seconds) }
        let rest = Double(seconds) - now.timeIntervalSince1970
        return .milliseconds(Int64((min(max(0, rest), Double(Int32.max)) * 1000).rounded(.up)))
    }
}
