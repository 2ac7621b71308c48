internal import MartletEssentials

/// The way in which a token is attached to a request, and in which a server rejects it.
///
/// ```swift
/// AuthInterceptor(StaticTokenProvider("s3cret"), scheme: .apiKey(header: "X-Maps-Key"))
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

    /// The scheme that sends the token in `Authorization` after its type, such as `Bearer`, `Basic` or `Token` (RFC 9110 §11.6.2). This is
    /// the default.
    public static var authorization: Self {
        Self.signing(fields: [.authorization]) { $0.headers[.authorization] = $1.authorization }
    }

    /// Sends the value of the token in a header field.
    public static func apiKey(header name: HTTPFieldName) -> Self { Self.signing(fields: [name]) { $0.headers[name] = $1.value } }

    /// Sends the value of the token in a query item.
    ///
    /// Prefer a header field if the server accepts one, because servers and proxies log URLs. Martlet's logs and errors redact items with a
    /// secret name, such as `api_key`, `token` and `key`.
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

    /// Creates a scheme with a closure that attaches the token.
    ///
    /// - Parameters:
    ///   - fields: The header fields that `apply` sets. They are marked as credentials, which redirects remove and logs redact. A request
    ///     that already has the first of them is sent without a token.
    ///   - isRefusal: Returns whether a response rejects the token. Default: status 401.
    ///   - apply: Attaches the token to the request, or signs the request with it. If the request is sent again, it is called again with
    ///     the original request.
    public static func signing(
        fields: [HTTPFieldName], isRefusal: @escaping @Sendable (HTTPResponse<HTTPBody>) -> Bool = { $0.status == .unauthorized },
        apply: @escaping @Sendable (_ request: inout HTTPRequest, _ token: AccessToken) async throws -> Void
    ) -> Self {
        Self(
            credentials: fields, isSetByHand: { request in fields.first.map { request.headers.contains($0) } ?? false },
            isRefusal: isRefusal, apply: apply)
    }

    /// Returns the request with the token attached and its credentials marked.
    func applied(_ token: AccessToken, to request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        try await apply(&request, token)
        for name in credentials { request.headers.markAsCredential(name) }
        return request
    }
}
