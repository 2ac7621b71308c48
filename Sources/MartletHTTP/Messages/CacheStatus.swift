/// How a cache handled a request, as the `Cache-Status` field describes it (RFC 9211).
///
/// ```swift
/// let response = try await client.response(for: endpoint)
/// if response.metadata.cacheStatus?.isStale == true { showStaleNotice() }
/// ```
public struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
    /// The reason why a cache forwarded a request to the server (RFC 9211 §2.2).
    @nonexhaustive public enum ForwardReason: String, Sendable, Hashable {
        /// The cache does not handle such a request, for example one with a body.
        case bypass
        /// Responses to the request's method are not served from the cache.
        case method
        /// No response is stored for the target URI.
        case uriMiss = "uri-miss"
        /// Responses are stored for the target URI, but none for this request's values of the fields that `Vary` names.
        case varyMiss = "vary-miss"
        /// No stored response can be used, for another reason.
        case miss
        /// The request asks for validation or a new response, although a stored one could be used, or forbids storing.
        case request
        /// The stored response is stale, or requires validation before each use.
        case stale
        /// Only a part of the response is stored.
        case partial
    }

    /// Whether the response came from the cache without a request to the server (RFC 9211 §2.1).
    public var isHit: Bool
    /// The reason why the request, or the identical one that it waited for, was forwarded to the server, or nil if none was.
    public var forwardReason: ForwardReason?
    /// The status of the server's response to the forwarded request if it differs from the status of this response, such as 304 after a
    /// validation, or nil (RFC 9211 §2.3).
    public var forwardStatus: HTTPStatus?
    /// The remaining freshness lifetime in whole seconds, negative if the response is stale, or nil if it is not known (RFC 9211 §2.4).
    public var timeToLive: Int?
    /// Whether the response came from the cache and is stale.
    public var isStale = false
    /// Whether the cache stores the response to the forwarded request (RFC 9211 §2.5).
    public var isStored = false
    /// Whether the request waited for an identical request of another caller and shares its response (RFC 9211 §2.6).
    public var isCollapsed = false
    /// Additional information for developers in the cache's own words, or nil (RFC 9211 §2.8).
    public var detail: String?
    /// Whether the stored response replaces the failure of the forwarded request. It may still be fresh.
    package var replacesFailure = false

    /// Creates a cache status. The remaining properties can be set afterwards.
    public init(isHit: Bool, forwardReason: ForwardReason? = nil, timeToLive: Int? = nil, detail: String? = nil) {
        self.isHit = isHit
        self.forwardReason = forwardReason
        self.timeToLive = timeToLive
        self.detail = detail
    }

    /// Whether the body came from the cache or from another call's response, and not from the server for this call. True after a hit or a
    /// validation, for a stored response after a failure, and for a response shared with another call, which may never have been stored.
    public var isFromCache: Bool { isHit || wasValidated || isStale || isCollapsed || replacesFailure }

    /// Whether the server confirmed with a 304 that the stored response is still valid.
    public var wasValidated: Bool { !isHit && forwardStatus == .notModified }

    /// The status as a member of the `Cache-Status` field (RFC 9211 §2), with `Martlet` as the name of the cache.
    ///
    /// Characters that a structured field can't hold are percent-encoded, and numbers are limited to 15 digits.
    public var description: String {
        var parts = ["Martlet"]
        if isHit { parts.append("hit") }
        // RFC 9211 §2.2: a hit is never forwarded.
        if !isHit, let forwardReason { parts.append("fwd=\(forwardReason.rawValue)") }
        if !isHit, let forwardStatus { parts.append("fwd-status=\(CacheStatus.integer(forwardStatus.rawValue))") }
        if let timeToLive { parts.append("ttl=\(CacheStatus.integer(timeToLive))") }
        if isStored { parts.append("stored") }
        if isCollapsed { parts.append("collapsed") }
        // A string holds printable ASCII only (RFC 8941 §3.3.3).
        if let detail { parts.append("detail=" + PercentEncoding.escape(detail) { (0x20...0x7E).contains($0) }.asQuotedString) }
        return parts.joined(separator: "; ")
    }

    /// Limits a number to 15 digits (RFC 8941 §3.3.1).
    private static func integer(_ number: Int) -> Int { min(max(number, -999_999_999_999_999), 999_999_999_999_999) }

    /// What the cache decided and why, in sentences.
    package var words: String {
        var sentences = [decision]
        if isCollapsed { sentences.append("The response of an identical request is shared.") }
        if isStored { sentences.append("The response was stored.") }
        return sentences.joined(separator: " ") + (detail?.inParentheses ?? "")
    }

    private var decision: String {
        if replacesFailure { return "A stored response replaced the failure of the request." }
        if isStale { return "A stale response was used." }
        if wasValidated { return "The server confirmed the stored response with 304." }
        if isHit { return "A stored response was used" + (timeToLive.map { $0 > 0 ? ", fresh for another \($0) s." : "." } ?? ".") }
        switch forwardReason {
        case .bypass: return "The cache does not handle such a request."
        case .method: return "Responses to this method are not served from a cache."
        case .uriMiss: return "No response is stored for this URL."
        case .varyMiss: return "No response is stored for this request's values of the fields that Vary names."
        case .request: return "The request asks for a new response."
        case .stale:
            return "The stored response is stale"
                + (forwardStatus.map { "; the server sent a new one with \($0)." } ?? " and is validated.")
        case .partial: return "Only a part of the response is stored."
        default: return "No stored response can be used."
        }
    }
}
