/// Gives each call whose method is not idempotent an `Idempotency-Key`, so that a server that knows the field does its work once, and the
/// call may be retried (draft-ietf-httpapi-idempotency-key-header).
///
/// The key is the same on every attempt and every redirect of a call, and another for each call. One that was set by hand wins. Place it
/// outside (before) the interceptor that retries. Use it only for servers that honour the field: elsewhere a retry does the work twice.
public struct IdempotencyKeyInterceptor: Interceptor, CredentialAddingInterceptor {
    private let methods: Set<HTTPMethod>
    private let makeKey: @Sendable (HTTPRequest) -> String

    /// An interceptor whose keys are random UUIDs (version 4, RFC 9562 §5.4).
    ///
    /// - Parameters:
    ///   - methods: those whose requests get a key. Default: POST and PATCH.
    ///   - random: the random numbers for the keys, which must be unique. Default: the system's, and not the client's, because a test may give
    ///     the client the same numbers again.
    public init(methods: Set<HTTPMethod> = [.post, .patch], random: any RandomSource = .system) {
        self.init(methods: methods) { _ in random.uuid() }
    }

    /// An interceptor whose keys `makeKey` makes: for the first request of each call. An empty key fails the call with `.invalidRequest`.
    public init(methods: Set<HTTPMethod> = [.post, .patch], makeKey: @escaping @Sendable (HTTPRequest) -> String) {
        self.methods = methods
        self.makeKey = makeKey
    }

    /// Adds the call's key and sends the request on.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard methods.contains(request.method), !request.headers.contains(.idempotencyKey) else { return try await next(request) }
        var request = request
        let call = request.context.attempts
        let key = call?.idempotencyKey ?? makeKey(request)
        guard !key.trimmingWhitespace.isEmpty else { throw HTTPError.invalidRequest("the key made for Idempotency-Key is empty") }
        request.headers[.idempotencyKey] = call?.idempotencyKey(orKeep: key) ?? key
        return try await next(request)
    }
}
