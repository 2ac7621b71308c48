/// The options for one call. An option that is not set comes from the request, the endpoint or the client.
///
/// ```swift
/// // Pull to refresh: ignore the cache for this call.
/// let birds = try await client.send(ListBirds(), options: CallOptions(cachePolicy: .reload))
/// ```
///
/// Every method that sends takes options, and requests and endpoints have options of their own. The precedence is: the options of the
/// call, the properties of the request or endpoint (such as `timeout`), its ``Endpoint/options``, the client's configuration.
public struct CallOptions: Sendable {
    /// The time limit for the whole call. `.unlimited` removes the limit. Default: nil, the client's total timeout.
    public var timeout: Duration?
    /// The time limit for the response to one attempt. `.unlimited` removes the limit. Default: nil, the client's attempt timeout.
    public var attemptTimeout: Duration?
    /// How long a streamed body may be silent. `.unlimited` removes the limit. Default: nil, the client's idle timeout.
    public var idleTimeout: Duration?
    /// How long the body waits for the server's `100 Continue` (RFC 9110 §10.1.1). Default: nil, the body is sent immediately.
    ///
    /// A server that rejects the request (401, 413, 417) then does not receive the body. Many servers never send `100 Continue`, and the
    /// body is sent when the time is over; one second is usual.
    ///
    /// Over libcurl with HTTP/1.1, the request has `Expect: 100-continue`, no byte of a stream is read during the wait, and a response that
    /// rejects the request is returned as it is. With HTTP/2, libcurl sends the body immediately. URLSession ignores this option.
    public var expectContinue: Duration?
    /// The maximum sizes of the response. Default: nil, the client's limits.
    public var limits: ResponseLimits?
    /// The redirects that are followed. Default: `.clientDefault`.
    public var redirects: RedirectPolicy
    /// The statuses that the call accepts. Default: `.clientDefault`, those of the request or endpoint.
    public var validation: StatusValidation
    /// Labels for interceptors and logs, added to those of the request or endpoint. Default: none.
    public var tags: Set<String>

    /// The other options and the values for interceptors.
    package var context = RequestContext()

    /// Creates options. An option that is left out is not overridden.
    ///
    /// - Parameters:
    ///   - timeout: the time limit for the whole call.
    ///   - attemptTimeout: the time limit for the response to one attempt.
    ///   - idleTimeout: how long a streamed body may be silent.
    ///   - expectContinue: how long the body waits for `100 Continue`.
    ///   - limits: the maximum sizes of the response.
    ///   - redirects: the redirects that are followed.
    ///   - validation: the statuses that the call accepts.
    ///   - cachePolicy: how the call uses the cache.
    ///   - retryPolicy: when the call is retried, instead of the interceptor's policy.
    ///   - isIdempotent: whether the request may be sent again although its method is not idempotent.
    ///   - tags: labels for interceptors and logs.
    public init(
        timeout: Duration? = nil, attemptTimeout: Duration? = nil, idleTimeout: Duration? = nil, expectContinue: Duration? = nil,
        limits: ResponseLimits? = nil, redirects: RedirectPolicy = .clientDefault, validation: StatusValidation = .clientDefault,
        cachePolicy: CachePolicy? = nil, retryPolicy: RetryPolicy? = nil, isIdempotent: Bool? = nil, tags: Set<String> = []
    ) {
        self.timeout = timeout
        self.attemptTimeout = attemptTimeout
        self.idleTimeout = idleTimeout
        self.expectContinue = expectContinue
        self.limits = limits
        self.redirects = redirects
        self.validation = validation
        self.tags = tags
        if let cachePolicy { self.cachePolicy = cachePolicy }
        if let retryPolicy { self.retryPolicy = retryPolicy }
        if let isIdempotent { self.isIdempotent = isIdempotent }
    }

    /// How the call uses the cache. Default: nil, the policy of the request or endpoint, or `.useProtocol`.
    public var cachePolicy: CachePolicy? {
        get { context[CachePolicyKey.self] }
        set { context[CachePolicyKey.self] = newValue }
    }

    /// When the call is retried. Default: nil, the policy of the request or endpoint, or that of the `RetryInterceptor`.
    public var retryPolicy: RetryPolicy? {
        get { context.retryPolicy }
        set { context.retryPolicy = newValue }
    }

    /// Whether the request may be sent again after the server may have received it. Default: nil, its method and `Idempotency-Key` decide.
    public var isIdempotent: Bool? {
        get { context.isIdempotent }
        set { context.isIdempotent = newValue }
    }

    /// A value of the app's own for its interceptors, which read it from the request's context.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get { context[key] }
        set { context[key] = newValue }
    }

    /// Returns the statuses that a call of the endpoint with these options accepts.
    package func validation(of endpoint: some Endpoint) -> StatusValidation {
        [validation, endpoint.validation].first { $0 != .clientDefault } ?? endpoint.options.validation
    }

    /// Returns these options with the values that are set in `call`.
    package func overridden(by call: CallOptions) -> CallOptions {
        var merged = self
        merged.timeout = call.timeout ?? timeout
        merged.attemptTimeout = call.attemptTimeout ?? attemptTimeout
        merged.idleTimeout = call.idleTimeout ?? idleTimeout
        merged.expectContinue = call.expectContinue ?? expectContinue
        merged.limits = call.limits ?? limits
        if !call.redirects.isClientDefault { merged.redirects = call.redirects }
        if call.validation != .clientDefault { merged.validation = call.validation }
        if !call.tags.isEmpty { merged.tags.formUnion(call.tags) }
        merged.context.override(with: call.context)
        return merged
    }
}

extension RequestContext {
    /// How this call uses the cache. Default: `.useProtocol`.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] ?? .useProtocol }
        set { self[CachePolicyKey.self] = newValue }
    }

    /// The labels of this call. See ``CallOptions/tags``.
    public internal(set) var tags: Set<String> {
        get { self[TagsKey.self] }
        set { self[TagsKey.self] = newValue }
    }
}

private enum CachePolicyKey: RequestContextKey {
    static let defaultValue: CachePolicy? = nil
}

private enum TagsKey: RequestContextKey {
    static let defaultValue: Set<String> = []
}
