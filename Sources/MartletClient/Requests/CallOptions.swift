internal import MartletSystem

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
    /// The time limit for the whole call with redirects and retries, up to its value or the head of a streamed response. `.unlimited`
    /// removes the limit. Default: nil, the client's total timeout.
    public var timeout: Duration? {
        get { storage.content.timeout }
        set { change { $0.timeout = newValue } }
    }
    /// The time limit for the response to one attempt; for a streamed response, for its head. `.unlimited` removes the limit. Default: nil,
    /// the client's attempt timeout.
    public var attemptTimeout: Duration? {
        get { storage.content.attemptTimeout }
        set { change { $0.attemptTimeout = newValue } }
    }
    /// The maximum time without bytes while a streamed body is read, or an upload with progress is sent, before `.timeout` is thrown.
    ///
    /// `.unlimited` removes the limit. Default: nil, the client's idle timeout.
    public var idleTimeout: Duration? {
        get { storage.content.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }
    /// The maximum wait for the server's `100 Continue`, after which the body is sent without it (RFC 9110 §10.1.1). Default: nil, the body
    /// is sent immediately.
    ///
    /// A server that rejects the request (401, 413, 417) then does not receive the body. Many servers never send `100 Continue`. The body
    /// is then sent when the wait ends. One second is a usual value.
    ///
    /// Over libcurl with HTTP/1.1, the request has `Expect: 100-continue`, no byte of a stream is read during the wait, and a response that
    /// rejects the request is returned to the caller. With HTTP/2, libcurl sends the body immediately. URLSession ignores this option.
    public var expectContinue: Duration? {
        get { storage.content.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }
    /// The size limits for the response's head, fields and body. Default: nil, the client's limits.
    public var limits: ResponseLimits? {
        get { storage.content.limits }
        set { change { $0.limits = newValue } }
    }
    /// The policy that decides which redirects the call follows. Default: `.clientDefault`.
    public var redirects: RedirectPolicy {
        get { storage.content.redirects }
        set { change { $0.redirects = newValue } }
    }
    /// The statuses that the call accepts; any other throws `.statusCode`. Default: `.clientDefault`, the statuses of the request or
    /// endpoint.
    public var validation: StatusValidation {
        get { storage.content.validation }
        set { change { $0.validation = newValue } }
    }
    /// Labels for interceptors and logs, added to those of the request or endpoint. Default: none.
    public var tags: Set<String> {
        get { storage.content.tags }
        set { change { $0.tags = newValue } }
    }

    /// The options that are part of the request's context, and the app's own values for interceptors.
    package var context: RequestContext {
        get { storage.content.context }
        set { change { $0.context = newValue } }
    }

    // Stored in a box, because options are passed through every function of a call and most calls set none.
    private var storage = CallOptions.unchanged
    private static let unchanged = CopyOnWrite(Content())

    /// Creates options that override nothing.
    public init() {}

    /// Creates options that override only the given settings.
    ///
    /// - Parameters:
    ///   - timeout: The time limit for the whole call.
    ///   - attemptTimeout: The time limit for the response to one attempt.
    ///   - idleTimeout: The maximum wait for the next bytes of a streamed body.
    ///   - expectContinue: The maximum wait for `100 Continue`.
    ///   - limits: The maximum sizes of the response.
    ///   - redirects: The policy for redirects.
    ///   - validation: The statuses that the call accepts.
    ///   - cachePolicy: How the call uses the cache.
    ///   - retryPolicy: The retry policy, used instead of the interceptor's.
    ///   - isIdempotent: Whether the request may be sent more than once, regardless of its method.
    ///   - allowsGETBody: Whether a GET may have a body.
    ///   - tags: Labels for interceptors and logs.
    public init(
        timeout: Duration? = nil, attemptTimeout: Duration? = nil, idleTimeout: Duration? = nil, expectContinue: Duration? = nil,
        limits: ResponseLimits? = nil, redirects: RedirectPolicy = .clientDefault, validation: StatusValidation = .clientDefault,
        cachePolicy: CachePolicy? = nil, retryPolicy: RetryPolicy? = nil, isIdempotent: Bool? = nil, allowsGETBody: Bool = false,
        tags: Set<String> = []
    ) {
        storage = CopyOnWrite(
            Content(
                timeout: timeout, attemptTimeout: attemptTimeout, idleTimeout: idleTimeout, expectContinue: expectContinue, limits: limits,
                redirects: redirects, validation: validation, tags: tags))
        if let cachePolicy { self.cachePolicy = cachePolicy }
        if let retryPolicy { self.retryPolicy = retryPolicy }
        if let isIdempotent { self.isIdempotent = isIdempotent }
        if allowsGETBody { self.allowsGETBody = true }
    }

    /// How the call uses the cache, if the client has one. Default: nil, the policy of the request or endpoint, or `.useProtocol`.
    public var cachePolicy: CachePolicy? {
        get { context[CachePolicyKey.self] }
        set { context[CachePolicyKey.self] = newValue }
    }

    /// The rules by which the call is sent again after a failure, if the client has a `RetryInterceptor`. Default: nil, the policy of the
    /// request or endpoint, or that of the `RetryInterceptor`.
    public var retryPolicy: RetryPolicy? {
        get { context.retryPolicy }
        set { context.retryPolicy = newValue }
    }

    /// Whether the request may be sent again after the server may have received it. Default: nil, the method and `Idempotency-Key` decide.
    public var isIdempotent: Bool? {
        get { context.isIdempotent }
        set { context.isIdempotent = newValue }
    }

    /// Whether a GET may have a body, which a server such as Elasticsearch reads as a query. Default: false.
    ///
    /// Otherwise a GET with a body throws `.invalidRequest`, because its endpoint usually lacks a `method`. A GET's body has no defined
    /// meaning (RFC 9110 §9.3.1): servers and proxies may ignore or reject it, and it isn't cached. URLSession can't send it, and throws
    /// `.invalidRequest`. A HEAD never has a body.
    public var allowsGETBody: Bool {
        get { context[GETBodyKey.self] }
        set { context[GETBodyKey.self] = newValue }
    }

    /// The value for a key of the app's own, which interceptors read from the request's context.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get { context[key] }
        set { context[key] = newValue }
    }

    /// Returns the statuses that a call of the endpoint with these options accepts.
    package func validation(of endpoint: some Endpoint) -> StatusValidation {
        if validation != .clientDefault { return validation }
        let own = endpoint.validation
        return own != .clientDefault ? own : endpoint.options.validation
    }

    /// Returns these options with the values that are set in `call`.
    func overridden(by call: CallOptions) -> CallOptions {
        if call.storage.isIdentical(to: CallOptions.unchanged) { return self }
        if storage.isIdentical(to: CallOptions.unchanged) { return call }
        let new = call.storage.content
        var merged = self
        merged.change {
            $0.timeout = new.timeout ?? $0.timeout
            $0.attemptTimeout = new.attemptTimeout ?? $0.attemptTimeout
            $0.idleTimeout = new.idleTimeout ?? $0.idleTimeout
            $0.expectContinue = new.expectContinue ?? $0.expectContinue
            $0.limits = new.limits ?? $0.limits
            if !new.redirects.isClientDefault { $0.redirects = new.redirects }
            if new.validation != .clientDefault { $0.validation = new.validation }
            $0.tags.formUnion(new.tags)
            $0.context.override(with: new.context)
        }
        return merged
    }

    private mutating func change(_ body: (inout Content) -> Void) {
        storage.change(body)
    }

    private struct Content: Sendable {
        var timeout: Duration?
        var attemptTimeout: Duration?
        var idleTimeout: Duration?
        var expectContinue: Duration?
        var limits: ResponseLimits?
        var redirects = RedirectPolicy.clientDefault
        var validation = StatusValidation.clientDefault
        var tags: Set<String> = []
        var context = RequestContext()
    }
}

extension CallOptions: CustomReflectable {
    /// A mirror of the options that are set, without the app's values for interceptors.
    public var customMirror: Mirror {
        let set: [(label: String, value: Any?)] = [
            ("timeout", timeout), ("attemptTimeout", attemptTimeout), ("idleTimeout", idleTimeout), ("expectContinue", expectContinue),
            ("limits", limits), ("redirects", redirects.isClientDefault ? nil : redirects),
            ("validation", validation == .clientDefault ? nil : validation), ("cachePolicy", cachePolicy), ("retryPolicy", retryPolicy),
            ("isIdempotent", isIdempotent), ("allowsGETBody", allowsGETBody ? true : nil),
            ("tags", tags.isEmpty ? nil : tags),
        ]
        return Mirror(self, children: set.compactMap { option in option.value.map { (option.label, $0) } }, displayStyle: .struct)
    }
}

extension RequestContext {
    /// How this call uses the cache, if the client has one. Default: `.useProtocol`.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyKey.self] ?? .useProtocol }
        set { self[CachePolicyKey.self] = newValue }
    }

    /// The labels of this call for interceptors and logs. See ``CallOptions/tags``.
    public internal(set) var tags: Set<String> {
        get { self[TagsKey.self] }
        set { self[TagsKey.self] = newValue }
    }
}

private enum CachePolicyKey: RequestContextKey {
    static let defaultValue: CachePolicy? = nil
}

/// Whether the request may be a GET with a body.
enum GETBodyKey: RequestContextKey {
    static let defaultValue = false
}

private enum TagsKey: RequestContextKey {
    static let defaultValue: Set<String> = []
}
