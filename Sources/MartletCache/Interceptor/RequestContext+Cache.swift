extension RequestContext {
    /// How this call uses the cache. Default: `.useProtocol`.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] }
        set { self[CachePolicyKey.self] = newValue }
    }

    /// Who gets what is stored while the server is asked; nil for nobody.
    var earlyAnswer: EarlyAnswer? {
        get { self[only: EarlyAnswer.self] }
        set { self[only: EarlyAnswer.self] = newValue }
    }
}

extension CallOptions {
    /// How this call uses the cache, where there is one. Default: `.useProtocol`.
    public var cachePolicy: CachePolicy {
        get { context.cachePolicy }
        set { context.cachePolicy = newValue }
    }
}

private enum CachePolicyKey: RequestContextKey {
    static let defaultValue = CachePolicy.useProtocol
}

/// Takes what is stored while the server is asked.
struct EarlyAnswer: Sendable {
    let offer: @Sendable (EarlyResponse) -> Void
}

/// What is stored, and how much of it the call takes.
struct EarlyResponse: Sendable {
    let response: HTTPResponse<HTTPBody>
    let limits: ResponseLimits
}
