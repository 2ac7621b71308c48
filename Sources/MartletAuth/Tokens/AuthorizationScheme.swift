internal import MartletEssentials

/// How a token is attached to a request, and how the rejection of a token by the server is recognized.
///
/// ```swift
/// AuthInterceptor(AccessToken("s3cret"), scheme: .apiKey(header: "X-Maps-Key"))
/// AuthInterceptor(keys, scheme: .signing(fields: ["Authorization", "X-Date"]) { request, key in
///     request.headers["X-Date"] = …
///     request.headers[.authorization] = signature(of: request, with: key.value)
/// })
/// ```
public struct AuthorizationScheme: Sendable {
    let credentials: [HTTPFieldName]
    let isSetByHand: @Sendable (HTTPRequest) -> Bool
    let isRefusal: @Sendable (HTTPResponse<HTTPBody>) -> Bool
    private let apply: Application

    /// The closure that attaches a token to a request. Only that of an app can suspend.
    private enum Application: Sendable {
        case immediate(@Sendable (inout HTTPRequest, AccessToken) throws -> Void)
        case suspending(@Sendable (inout HTTPRequest, AccessToken) async throws -> Void)
    }

    /// The scheme that sends the token in `Authorization` after its type, such as `Bearer`, `Basic` or `Token` (RFC 9110 §11.6.2). This is
    /// the default.
    public static var authorization: Self {
        header(.authorization) { $0.authorization }
    }

    /// The scheme that sends only the value of the token in a header field, such as `X-API-Key`.
    public static func apiKey(header name: HTTPFieldName) -> Self { header(name) { $0.value } }

    /// The scheme that sends the value of the token in a query item of the URL.
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
            apply: .immediate { request, token in
                guard let url = request.url.adding(query: start + PercentEncoding.escape(token.value)) else {
                    throw HTTPError.invalidURL(Explanation(Redaction.url(request.url)))
                }
                request.url = url
            })
    }

    /// Creates a scheme with a closure that attaches the token to the request, or signs the request with it.
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
            isRefusal: isRefusal, apply: .suspending(apply))
    }

    /// Returns the scheme that sends a text of the token in one header field.
    private static func header(_ name: HTTPFieldName, _ text: @escaping @Sendable (AccessToken) -> String) -> Self {
        Self(
            credentials: [name], isSetByHand: { $0.headers.contains(name) }, isRefusal: { $0.status == .unauthorized },
            apply: .immediate { $0.headers[name] = text($1) })
    }

    /// Returns the request with the token attached and its credentials marked, or nil if that may suspend: call ``applied(_:to:)``.
    func appliedAtOnce(_ token: AccessToken, to request: HTTPRequest) throws -> HTTPRequest? {
        guard case .immediate(let apply) = apply else { return nil }
        var request = request
        try apply(&request, token)
        markCredentials(of: &request)
        return request
    }

    /// Returns the request with the token attached and its credentials marked.
    func applied(_ token: AccessToken, to request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        switch apply {
        case .immediate(let apply): try apply(&request, token)
        case .suspending(let apply): try await apply(&request, token)
        }
        markCredentials(of: &request)
        return request
    }

    private func markCredentials(of request: inout HTTPRequest) {
        for name in credentials { request.headers.markAsCredential(name) }
    }
}
