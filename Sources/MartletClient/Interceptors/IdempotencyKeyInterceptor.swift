/// An interceptor that adds an `Idempotency-Key` to calls whose method is not idempotent, so that they may be retried
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// A server that supports the field does the work of a repeated request only once. Use this interceptor only for such servers: on others a
/// retry repeats the work.
///
/// The key is the same for every attempt and redirect of a call, and different for each call. A key set by hand wins. Place the interceptor
/// outside (before) the one that retries.
public struct IdempotencyKeyInterceptor: Interceptor, CredentialAddingInterceptor {
    private let methods: Set<HTTPMethod>
    private let makeKey: @Sendable (HTTPRequest) -> String

    /// Creates an interceptor that adds random UUIDs as keys (version 4, RFC 9562 §5.4).
    ///
    /// - Parameters:
    ///   - methods: The methods whose requests get a key. Default: POST and PATCH.
    ///   - random: The random numbers for the keys, which must be unique. Default: the system's, and not the client's, because tests may
    ///     repeat those.
    public init(methods: Set<HTTPMethod> = [.post, .patch], random: any RandomSource = .system) {
        self.init(methods: methods) { _ in random.uuid() }
    }

    /// Creates an interceptor that adds the keys that a closure returns, one for each call.
    ///
    /// - Parameters:
    ///   - methods: The methods whose requests get a key. Default: POST and PATCH.
    ///   - makeKey: Returns the key for the first request of a call. An empty key fails the call with `.invalidRequest`.
    public init(methods: Set<HTTPMethod> = [.post, .patch], makeKey: @escaping @Sendable (HTTPRequest) -> String) {
        self.methods = methods
        self.makeKey = makeKey
    }

    /// Returns true: the interceptor waits only for `next`.
    public var endsByDeadline: Bool { true }

    /// Adds the call's key, unless the request has one or its method needs none, and sends the request.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard methods.contains(request.method), !request.headers.contains(.idempotencyKey) else { return try await next(request) }
        var request = request
        let call = request.context.keyRecord
        let key = call?.idempotencyKey ?? makeKey(request)
        guard !key.trimmingWhitespace.isEmpty else { throw HTTPError.invalidRequest("the Idempotency-Key returned by makeKey is empty") }
        request.headers[.idempotencyKey] = call?.idempotencyKey(orKeep: key) ?? key
        return try await next(request)
    }
}
