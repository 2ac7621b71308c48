extension CacheStatus {
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
