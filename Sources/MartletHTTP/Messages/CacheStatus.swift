/// How a cache has handled a request: what `Cache-Status` says (RFC 9211), as a value.
///
/// ```swift
/// let response = try await client.response(for: endpoint)
/// if response.metadata.cacheStatus?.isStale == true { showThatItMayBeOld() }
/// ```
public struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
    /// Why a request was sent on (RFC 9211 §2.2).
    @nonexhaustive public enum ForwardReason: String, Sendable, Hashable {
        /// The cache was told to stand aside.
        case bypass
        /// The method is not one that is answered from a cache.
        case method
        /// Nothing is stored for the target.
        case uriMiss = "uri-miss"
        /// What is stored for the target was chosen by other fields (`Vary`).
        case varyMiss = "vary-miss"
        /// What is stored can't be used for another reason.
        case miss
        /// What is stored would do, but the request wants it validated or anew.
        case request
        /// What is stored is stale, or must be validated before each use.
        case stale
        /// Only a part is stored.
        case partial
    }

    /// Whether the answer came from the cache without the server's having been asked for it (RFC 9211 §2.1).
    public var isHit: Bool
    /// Why the request was sent on; nil when it was not.
    public var forwardReason: ForwardReason?
    /// What the server answered to the request that was sent on, when that is not the status of the answer: 304, when it was validated.
    public var forwardStatus: HTTPStatus?
    /// For how much longer the answer is fresh, in whole seconds; below zero for how long it has been stale; nil when that is not known.
    public var timeToLive: Int?
    /// Whether the answer is from the cache and no longer fresh.
    public var isStale = false
    /// Whether the answer to the request that was sent on is being kept (RFC 9211 §2.5).
    public var isStored = false
    /// Whether it waited for somebody else's request for the same, in place of one of its own (RFC 9211 §2.6).
    public var isCollapsed = false
    /// More of it, in the cache's own words (RFC 9211 §2.8).
    public var detail: String?

    /// A status.
    public init(isHit: Bool, forwardReason: ForwardReason? = nil, timeToLive: Int? = nil, detail: String? = nil) {
        self.isHit = isHit
        self.forwardReason = forwardReason
        self.timeToLive = timeToLive
        self.detail = detail
    }

    /// Whether the body is what was stored: a hit, validated, old in place of a failure, or stored for another's request a moment ago.
    public var isFromCache: Bool { isHit || wasValidated || isStale || isCollapsed }

    /// Whether the server has said that what is stored is still so.
    public var wasValidated: Bool { !isHit && forwardStatus == .notModified }

    /// A member of the field `Cache-Status` (RFC 9211 §2), with `Martlet` for the cache's name. What can't stand in a structured field is
    /// escaped, as in a URL where there is no other way, and a number too long is the longest there is.
    public var description: String {
        var parts = ["Martlet"]
        if isHit { parts.append("hit") }
        // A hit has not been sent on.
        if !isHit, let forwardReason { parts.append("fwd=\(forwardReason.rawValue)") }
        if !isHit, let forwardStatus { parts.append("fwd-status=\(CacheStatus.integer(forwardStatus.rawValue))") }
        if let timeToLive { parts.append("ttl=\(CacheStatus.integer(timeToLive))") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        // A string holds printable ASCII only (RFC 8941 §3.3.3).
        if let detail { parts.append("detail=" + PercentEncoding.escape(detail) { (0x20...0x7E).contains($0) }.asQuotedString) }
        return parts.joined(separator: "; ")
    }

    /// At most fifteen digits (RFC 8941 §3.3.1).
    private static func integer(_ number: Int) -> Int { min(max(number, -999_999_999_999_999), 999_999_999_999_999) }
}
