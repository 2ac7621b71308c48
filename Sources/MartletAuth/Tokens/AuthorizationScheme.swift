internal import MartletEssentials

/// How a token is put on a request, and how a server says that it refuses it: a value.
///
/// ```swift
/// AuthInterceptor(StaticTokenProvider(key), scheme: .apiKey(header: "X-Maps-Key"))
/// AuthInterceptor(keys, scheme: .signing(fields: ["Authorization", "X-Date"]) { request, key in
///     request.headers["X-Date"] = …
///     request.headers[.authorization] = signature(of: request, with: key.value)
/// })
/// ```
public struct AuthorizationScheme: Sendable {
    let credentials: [HTTPFieldName]
    let isSetByHand: @Sendable (HTTPRequest) -> Bool
    let isRefusal: @Sendable (HTTPResponse<HTTPBody>) -> Bool
    let apply: @Sendable (inout HTTPRequest, AccessToken) async throws -> Void

    /// `Authorization`, with the token's own type in front: `Bearer`, `Basic`, `Token` (RFC 9110 §11.6.2). The default.
    public static var authorization: Self {
        Self.signing(fields: [.authorization]) { $0.headers[.authorization] = $1.authorization }
    }

    /// A field with nothing but the token's value.
    public static func apiKey(header name: HTTPFieldName) -> Self { Self.signing(fields: [name]) { $0.headers[name] = $1.value } }

    /// A query item with the token's value.
    ///
    /// Prefer a field where the server takes one: addresses are written down by servers and proxies. In what Martlet writes, items
    /// are hidden whose name says that they are secret, such as `api_key`, `token` and `key`.
    public static func apiKey(query name: String) -> Self {
        let start = PercentEncoding.escape(name) + "="
        return Self(
            credentials: [],
            isSetByHand: { request in
                (request.url.query(percentEncoded: true) ?? "").split(separator: "&").contains { $0.hasPrefix(start) }
            }, isRefusal: { $0.status == .unauthorized },
            apply: { request, token in
                guard let url = request.url.adding(query: start + PercentEncoding.escape(token.value)) else {
                    throw HTTPError.invalidURL(Explanation(Redaction.url(request.url)))
                }
                request.url = url
            })
    }

    /// A scheme of one's own.
    ///
    /// - Parameters:
    ///   - fields: what `apply` sets. A request that has the first of them by hand is left as it is; all of them are marked as
    ///     credentials, which redirects drop and logs hide.
    ///   - isRefusal: whether a response says that the token is refused. Default: status 401.
    ///   - apply: puts a token on a request, or signs it with the token. It is called again, with the request as it was, when the
    ///     request is sent again.
    public static func signing(
        fields: [HTTPFieldName], isRefusal: @escaping @Sendable (HTTPResponse<HTTPBody>) -> Bool = { $0.status == .unauthorized },
        apply: @escaping @Sendable (_ request: inout HTTPRequest, _ token: AccessToken) async throws -> Void
    ) -> Self {
        Self(
            credentials: fields, isSetByHand: { request in fields.first.map { request.headers.contains($0) } ?? false },
            isRefusal: isRefusal, apply: apply)
    }

    /// The request with a token on it, its credentials marked.
    func applied(_ token: AccessToken, to request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        try await apply(&request, token)
        for name in credentials { request.headers.markAsCredential(name) }
        return request
    }
}
