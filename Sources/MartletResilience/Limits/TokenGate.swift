internal import MartletSystem

/// A token bucket for one group of requests, of this process or shared by a fleet, together with the quotas and waits that the server asks
/// for.
struct TokenGate: Gate {
    private struct Quota: Sendable {
        /// The lowest number of requests that was reported, and the instant until which it applies.
        let reported: Int
        let until: ContinuousClock.Instant
        /// The requests that may still be sent until then.
        var left: Int

        init(_ quota: ServerQuota, after previous: Quota?, running: Int, at instant: ContinuousClock.Instant) {
            // A higher number in the same period comes from a response that has arrived late.
            if let previous, previous.until > instant, previous.reported < quota.remaining {
                (reported, until) = (previous.reported, previous.until)
            } else {
                (reported, until) = (quota.remaining, instant + quota.reset)
            }
            // The server may not have counted the requests that are still running.
            left = max(0, reported - running)
        }
    }

    private var bucket: TokenBucket?
    /// The state of a rate that a fleet shares, instead of ``bucket``.
    var shared: SharedBucket?
    private var pausedUntil: ContinuousClock.Instant?
    /// At most 16, because a server may rename its quotas with each response. The ones reported longest ago are removed.
    private var quotas = BoundedMap<String, Quota>(limit: 16)
    /// The requests that were admitted and have not ended.
    private(set) var running = 0

    init(_ rate: RateLimiter.Rate?) { bucket = rate.map { TokenBucket(interval: $0.interval, burst: $0.burst) } }

    init(shared: SharedBucket) { self.shared = shared }

    func retention(at instant: ContinuousClock.Instant) -> StateRetention {
        if running > 0 || shared?.isAsking == true { return .inUse }
        let ends = [bucket?.full, pausedUntil, shared?.nextClaim] + quotas.values.map(\.until)
        return ends.contains { $0.map { $0 > instant } ?? false } ? .decision : .none
    }

    mutating func take(at instant: ContinuousClock.Instant) -> GateWait? {
        forgetPast(instant)
        if let next = earliest(after: 0, at: instant), next > instant { return .until(next) }
        if let wait = shared?.take(at: instant) { return wait }
        _ = bucket?.take(at: instant)
        quotas.updateAll { $0.left -= 1 }
        running += 1
        return nil
    }

    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var next = max(instant, pausedUntil ?? instant)
        if let bucket { next = max(next, bucket.earliest(after: count, at: instant)) }
        if let shared { next = max(next, shared.earliest(after: count, at: instant)) }
        for quota in quotas.values where quota.left <= count { next = max(next, quota.until) }
        return next
    }

    /// Begins a claim for a shared permission, unless a request could not use it now.
    mutating func claim(at instant: ContinuousClock.Instant) -> (number: Int, claim: SharedPermissionClaim)? {
        forgetPast(instant)
        if let next = earliest(after: 0, at: instant), next > instant { return nil }
        return shared?.claim(at: instant)
    }

    /// Records the end of a request and what its response says.
    ///
    /// - Parameters:
    ///   - pause: The wait that the server asks for, or nil.
    ///   - reported: The quotas that the response reports.
    mutating func finish(pause: Duration?, quotas reported: [ServerQuota], at instant: ContinuousClock.Instant) {
        running = max(0, running - 1)
        if let pause, pause > .zero { pausedUntil = max(pausedUntil ?? instant, instant + pause) }
        for quota in reported {
            quotas.insert(Quota(quota, after: quotas[quota.name], running: running, at: instant), for: quota.name) { entry in
                entry.value.until > instant ? .inOrder(0) : .atOnce
            }
        }
        forgetPast(instant)
    }

    private mutating func forgetPast(_ instant: ContinuousClock.Instant) {
        if let paused = pausedUntil, paused <= instant { pausedUntil = nil }
        if !quotas.isEmpty { quotas.removeAll { $0.value.until <= instant } }
    }
}

/// A quota that a response reports (draft-ietf-httpapi-ratelimit-headers-10): the requests that are left until it is renewed.
struct ServerQuota: Sendable, Hashable {
    /// The name of the quota's policy.
    let name: String
    /// The number of requests that are left.
    let remaining: Int
    /// The time until the quota is renewed.
    let reset: Duration

    /// The maximum number of quotas that are read from one response.
    private static let limit = 8
    /// The unit of requests. The singular is that of earlier drafts.
    private static let units: Set<String> = ["requests", "request"]

    /// Reads `RateLimit`, and `RateLimit-Policy` for quotas without a time (`t`) and for their units. Quotas of other units than requests,
    /// malformed ones and those without any time are ignored, as is a line that is not a structured field. The partition key (`pk`) is not
    /// read: the scope of the limiter divides requests.
    ///
    /// Fields of the earlier drafts, such as `RateLimit-Remaining`, are not read. They have no name, so that the limit of one route would
    /// hold back all requests of the group.
    static func read(from headers: HTTPFields) -> [ServerQuota] {
        let quotas = members(of: headers.values(for: "RateLimit"))
        guard !quotas.isEmpty else { return [] }
        var windows: [String: Int64] = [:]
        var others: Set<String> = []
        for policy in members(of: headers.values(for: "RateLimit-Policy")).compactMap(item) {
            windows[policy.name] = policy.values["w"].flatMap(number)
            if let unit = policy.values["qu"], !units.contains(unit) { others.insert(policy.name) }
        }
        return quotas.compactMap(item).compactMap { quota in
            guard !others.contains(quota.name), let remaining = quota.values["r"].flatMap(number),
                let reset = quota.values["t"].flatMap(number) ?? windows[quota.name]
            else { return nil }
            return ServerQuota(name: quota.name, remaining: Int(clamping: remaining), reset: .seconds(Int32(clamping: reset)))
        }
    }

    private static func members(of lines: [String]) -> ArraySlice<String> {
        lines.filter(isStructured).flatMap(\.listMembers).prefix(limit)
    }

    /// Whether a line has only the characters, strings and escapes that a structured field may have (RFC 9651 §3.3).
    private static func isStructured(_ line: String) -> Bool {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        var isInString = false, isEscaped = false
        for byte in line.utf8 {
            switch byte {
            case quote, backslash:
                if isEscaped {
                    isEscaped = false
                } else if byte == quote {
                    isInString.toggle()
                } else if isInString {
                    isEscaped = true
                } else {
                    return false
                }
            case 0x20...0x7E: if isEscaped { return false }
            case UInt8(ascii: "\t"): if isInString { return false }
            default: return false
            }
        }
        return !isInString
    }

    /// Reads a string or token with its parameters (RFC 9651 §3.3).
    private static func item(_ text: String) -> (name: String, values: [String: String])? {
        var reader = FieldReader(text)
        reader.skip(while: Token.isWhitespace)
        guard let name = reader.quoted(or: { $0.token() }) else { return nil }
        reader.skip(while: Token.isWhitespace)
        let parameters = reader.parameters { _, reader in
            reader.quoted { $0.text { $0 != FieldReader.semicolon } }
        }
        return (name, Dictionary(parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }

    private static func number(_ text: String) -> Int64? { text.isDecimal ? Int64(text) ?? .max : nil }
}

/// A token bucket: a generic cell rate algorithm, which stores only the instant at which the bucket will be full again.
struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    private(set) var full: ContinuousClock.Instant?

    /// Creates a full bucket.
    init(interval: Duration, burst: Int) {
        self.interval = interval
        self.burst = burst
    }

    /// Creates a bucket that is empty at an instant.
    init(interval: Duration, burst: Int, emptyAt instant: ContinuousClock.Instant) {
        self.init(interval: interval, burst: burst)
        full = instant + interval * burst
    }

    /// Takes a token and returns nil, or returns the instant of the next one.
    mutating func take(at instant: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let next = earliest(after: 0, at: instant)
        if next > instant { return next }
        full = max(full ?? instant, instant) + interval
        return nil
    }

    /// Returns the instant from which a token can be taken after `count` others. It may be in the past.
    func earliest(after count: Int, at instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        (full ?? instant) + interval * (count + 1 - burst)
    }
}
