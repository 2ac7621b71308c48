public import MartletEssentials

/// A client of an OAuth 2 authorization server: asks its token endpoint for tokens (RFC 6749 §3.2).
///
/// ```swift
/// let oauth = OAuth2Client(
///     id: "birds", secret: "s3cret", tokenEndpoint: URL(string: "https://id.example/token")!, http: HTTPClient())
/// let provider = OAuth2TokenProvider(oauth, store: store)
/// ```
///
/// Every function throws ``OAuth2Error``: ``OAuth2Error/http(_:)`` if no response arrives. The request bodies contain
/// secrets: redirects are not followed, and a token endpoint that is not `https` fails with ``OAuth2Error/insecureEndpoint(_:)`` before
/// anything is sent, unless it is on this machine (an address of 127.0.0.0/8, `::1` or `localhost`).
public struct OAuth2Client: Sendable {
    /// How the client proves who it is (RFC 6749 §2.3).
    public enum Authentication: Sendable, Hashable {
        /// Id and secret in `Authorization: Basic`, each form-encoded first (§2.3.1): what every server must take.
        case basic
        /// Id and secret among the parameters in the body, for servers that take nothing else.
        case body
    }

    /// What the client is called at the server.
    public let id: String
    /// Where tokens are asked for.
    public let tokenEndpoint: URL
    private let secret: String?
    private let authentication: Authentication
    private let tokenTypes: [String]
    private let http: any HTTPClientProtocol
    let time: any TimeSource
    /// The clock that was given, or nil for that of the client.
    let ownTime: (any TimeSource)?

    /// A client.
    ///
    /// - Parameters:
    ///   - id: what the client is called at the server.
    ///   - secret: nil for a public client, such as an app: it names itself in the body and proves nothing.
    ///   - authentication: how the secret is given. Default: `.basic`.
    ///   - tokenEndpoint: the token endpoint's URL: `https`, or `http` on this machine.
    ///   - tokenTypes: the types of token that the app can present, by the word that goes in front of them. Another one in an answer is
    ///     `.invalidAnswer` (RFC 6749 §7.1). Default: `Bearer`.
    ///   - http: sends the requests: a client without an ``AuthInterceptor``.
    ///   - time: the clock that `expires_in` is counted from. Default: nil, that of `http`.
    public init(
        id: String, secret: String? = nil, authentication: Authentication = .basic, tokenEndpoint: URL,
        tokenTypes: [String] = ["Bearer"], http: any HTTPClientProtocol, time: (any TimeSource)? = nil
    ) {
        self.id = id
        self.secret = secret
        self.authentication = authentication
        self.tokenEndpoint = tokenEndpoint
        self.tokenTypes = tokenTypes
        self.http = http
        self.time = time ?? http.time
        ownTime = time
    }

    /// A new token for an old one's refresh token (RFC 6749 §6), for the same scopes unless fewer are named.
    ///
    /// When the response omits the refresh token or other parameters, such as `id_token`, the old ones are kept.
    ///
    /// - Throws: ``OAuth2Error/noRefreshToken`` if the old token has none.
    @concurrent public func refresh(_ token: AccessToken, scopes: [String] = []) async throws(OAuth2Error) -> AccessToken {
        guard let refreshToken = token.refreshToken else { throw .noRefreshToken }
        return try await ask([("grant_type", "refresh_token"), ("refresh_token", refreshToken)], scopes: scopes).completed(from: token)
    }

    /// A token for the client itself (RFC 6749 §4.4).
    @concurrent public func clientCredentials(scopes: [String] = []) async throws(OAuth2Error) -> AccessToken {
        try await ask([("grant_type", "client_credentials")], scopes: scopes)
    }

    /// Returns the first token of a session, for the URL to which the authorization page redirected.
    ///
    /// ```swift
    /// let callback = try await show(authorization.url)  // ASWebAuthenticationSession, a browser
    /// try await tokens.signIn(oauth.exchange(callback: callback, of: authorization))
    /// ```
    ///
    /// - Parameters:
    ///   - callback: the URL, with the code and the state.
    ///   - authorization: the request that the page answers.
    /// - Throws: what ``OAuth2Authorization/code(in:)`` throws for a callback that has no code for this request, before anything is sent.
    @concurrent public func exchange(callback: URL, of authorization: OAuth2Authorization) async throws(OAuth2Error) -> AccessToken {
        try await exchange(code: authorization.code(in: callback), of: authorization)
    }

    /// The first token of a session, for the code that came back from the authorization page (RFC 6749 §4.1.3, RFC 7636 §4.5).
    ///
    /// - Parameters:
    ///   - code: see ``OAuth2Authorization/code(in:)``. ``exchange(callback:of:)`` takes the callback itself.
    ///   - authorization: the request that asked for the code.
    @concurrent public func exchange(code: String, of authorization: OAuth2Authorization) async throws(OAuth2Error) -> AccessToken {
        try await ask(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", authorization.redirectURI),
                ("code_verifier", authorization.pkce.verifier),
            ], scopes: [], requested: authorization.scopes)
    }

    private func ask(
        _ parameters: [(String, String)], scopes: [String], requested: [String]? = nil
    ) async throws(OAuth2Error) -> AccessToken {
        if let why = OAuth2Endpoint.refusal(of: tokenEndpoint) { throw .insecureEndpoint(why) }
        let response: HTTPResponse<Data>
        do { response = try await http.response(for: request(parameters, scopes: scopes)) } catch { throw .http(error) }
        var token = try OAuth2TokenResponse.token(in: response, types: tokenTypes, now: time.now)
        // Unsaid, it is what was asked for (§5.1).
        if token.scopes.isEmpty { token.scopes = requested ?? scopes }
        return token
    }

    /// The request to the token endpoint, as a value.
    func request(_ parameters: [(String, String)], scopes: [String]) -> Request<Data> {
        var form = Form()
        for (name, value) in parameters { form.append(name, value) }
        if !scopes.isEmpty { form.append("scope", scopes.joined(separator: " ")) }
        var headers: HTTPFields = [.accept: "application/json", .cacheControl: "no-store"]
        switch (secret, authentication) {
        case (let secret?, .basic):
            // A space as %20: servers that read forms take it, and so do those that only undo percent-encoding (Authlib).
            let user = PercentEncoding.escape(id), password = PercentEncoding.escape(secret)
            headers[.authorization] = AccessToken.basic(user: user, password: password).authorization
        case (let secret?, .body):
            form.append("client_id", id)
            form.append("client_secret", secret)
        case (nil, _): form.append("client_id", id)
        }
        var request = Request<Data>.post(url: tokenEndpoint, headers: headers, body: .form(form))
        request.validation = .none
        request.options.redirects = .none
        // A refresh token and a code may be used once; an answer that is lost is for a person to notice.
        request.options.context.retryPolicy = .never
        request.options.limits = ResponseLimits(bodyBytes: 1_000_000)
        return request
    }
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The client's id and the endpoint.
    public var description: String { "\(Redaction.line(id, limit: 100)) at \(Redaction.url(tokenEndpoint))" }
}
