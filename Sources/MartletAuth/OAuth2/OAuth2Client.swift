public import MartletEssentials

/// A client of an OAuth 2 authorization server, which requests tokens from its token endpoint (RFC 6749 §3.2).
///
/// ```swift
/// let oauth = OAuth2Client(
///     id: "birds", secret: "s3cret", tokenEndpoint: URL(string: "https://id.example/token")!, http: HTTPClient())
/// let provider = OAuth2TokenProvider(oauth, store: store)
/// ```
///
/// Every function throws ``OAuth2Error``, which is ``OAuth2Error/http(_:)`` if no response arrives or the server fails. The request bodies
/// contain secrets: redirects are not followed, and a token endpoint that is not `https` fails with ``OAuth2Error/insecureEndpoint(_:)``
/// before anything is sent, unless it is on this machine (an address of 127.0.0.0/8, `::1` or `localhost`).
public struct OAuth2Client: Sendable {
    /// The client's ID at the server.
    public let id: String
    /// The URL of the token endpoint.
    public let tokenEndpoint: URL
    private let secret: String?
    private let sendsSecretInBody: Bool
    private let tokenTypes: [String]
    private let http: any HTTPClientProtocol
    let time: any TimeSource
    /// The clock that was given, or nil to use that of the client.
    let ownTime: (any TimeSource)?

    /// Creates a client that requests tokens from one token endpoint.
    ///
    /// - Parameters:
    ///   - id: The client's ID at the server.
    ///   - secret: The client's secret. Default: nil, for a public client such as an app, which sends only its ID.
    ///   - sendsSecretInBody: Whether the ID and the secret are sent as parameters in the body, for servers that support nothing else.
    ///     Default: false, as HTTP Basic authentication, each form-encoded first, which every server must support (RFC 6749 §2.3.1).
    ///   - tokenEndpoint: The URL of the token endpoint: `https`, or `http` on this machine.
    ///   - tokenTypes: The types of token that the app supports. A response with another type throws `.invalidAnswer` (RFC 6749 §7.1).
    ///     Default: `Bearer`.
    ///   - http: Sends the requests. It must not have an ``AuthInterceptor`` for these tokens.
    ///   - time: The clock from which `expires_in` counts. Default: nil, that of `http`.
    public init(
        id: String, secret: String? = nil, sendsSecretInBody: Bool = false, tokenEndpoint: URL,
        tokenTypes: [String] = ["Bearer"], http: any HTTPClientProtocol, time: (any TimeSource)? = nil
    ) {
        self.id = id
        self.secret = secret
        self.sendsSecretInBody = sendsSecretInBody
        self.tokenEndpoint = tokenEndpoint
        self.tokenTypes = tokenTypes
        self.http = http
        self.time = time ?? http.time
        ownTime = time
    }

    /// Requests a new token with the refresh token of an old one (RFC 6749 §6).
    ///
    /// If the response omits the refresh token or other parameters, such as `id_token`, the old ones are kept.
    ///
    /// - Parameters:
    ///   - token: The old token.
    ///   - scopes: The scopes of the new token, at most those of the old one. Default: empty, the same scopes.
    /// - Throws: ``OAuth2Error/noRefreshToken`` if the old token has no refresh token.
    @concurrent public func refresh(_ token: AccessToken, scopes: [String] = []) async throws(OAuth2Error) -> AccessToken {
        guard let refreshToken = token.refreshToken else { throw .noRefreshToken }
        return try await ask([("grant_type", "refresh_token"), ("refresh_token", refreshToken)], scopes: scopes).completed(from: token)
    }

    /// Requests a token for the client itself, without a user (RFC 6749 §4.4).
    @concurrent public func clientCredentials(scopes: [String] = []) async throws(OAuth2Error) -> AccessToken {
        try await ask([("grant_type", "client_credentials")], scopes: scopes)
    }

    /// Checks the URL to which the authorization page redirected, and requests the first token of the session with its code.
    ///
    /// ```swift
    /// let callback = try await open(authorization.url)  // ASWebAuthenticationSession, a browser
    /// try await tokens.signIn(oauth.exchange(callback: callback, of: authorization))
    /// ```
    ///
    /// - Parameters:
    ///   - callback: The URL, with the code and the state.
    ///   - authorization: The request whose page redirected there.
    /// - Throws: The errors of ``OAuth2Authorization/code(in:)`` for a callback without a code for this request, before anything is sent.
    @concurrent public func exchange(callback: URL, of authorization: OAuth2Authorization) async throws(OAuth2Error) -> AccessToken {
        try await exchange(code: authorization.code(in: callback), of: authorization)
    }

    /// Requests the first token of a session with an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
    ///
    /// - Parameters:
    ///   - code: The code from ``OAuth2Authorization/code(in:)``. ``exchange(callback:of:)`` takes the callback itself.
    ///   - authorization: The request that led to the code.
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
        // If the response omits the scopes, they are the requested ones (§5.1).
        if token.scopes.isEmpty { token.scopes = requested ?? scopes }
        return token
    }

    /// Returns the request to the token endpoint.
    func request(_ parameters: [(String, String)], scopes: [String]) -> Request<Data> {
        var form = Form()
        for (name, value) in parameters { form.append(name, value) }
        if !scopes.isEmpty { form.append("scope", scopes.joined(separator: " ")) }
        var headers: HTTPFields = [.accept: "application/json", .cacheControl: "no-store"]
        switch (secret, sendsSecretInBody) {
        case (let secret?, false):
            // A space is written as %20, which servers that decode forms and servers that only decode percent escapes (Authlib) both
            // accept.
            let user = PercentEncoding.escape(id), password = PercentEncoding.escape(secret)
            headers[.authorization] = AccessToken.basic(user: user, password: password).authorization
        case (let secret?, true):
            form.append("client_id", id)
            form.append("client_secret", secret)
        case (nil, _): form.append("client_id", id)
        }
        var request = Request<Data>.post(url: tokenEndpoint, headers: headers, body: .form(form))
        request.validation = .none
        request.options.redirects = .none
        // Refresh tokens and codes may be used only once, so a retry after a lost response would fail.
        request.options.context.retryPolicy = .never
        request.options.limits = ResponseLimits(bodyBytes: 1_000_000)
        return request
    }
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, RedactedReflection {
    /// The client's ID and the token endpoint.
    public var description: String { "\(Redaction.line(id, limit: 100)) at \(Redaction.url(tokenEndpoint))" }
}

/// The security check for an authorization server's endpoints, which receive secrets (RFC 6749 §3.1, §3.2).
enum OAuth2Endpoint {
    /// Returns why secrets must not be sent to `url`, or nil if they may.
    ///
    /// `https` is accepted. `http` is accepted only for this machine: an address of 127.0.0.0/8 in any spelling, `::1`, or `localhost`.
    static func refusal(of url: URL) -> String? {
        let url = url.absoluteURL
        let scheme = url.scheme?.lowercased() ?? ""
        guard let host = url.host, !host.isEmpty else { return "“\(Redaction.url(url))” has no host" }
        if scheme == "https" || scheme == "http" && HostSpelling(host).isLoopback { return nil }
        return "“\(Redaction.url(url))” is not https, and its host is not this machine: secrets would be sent in clear text"
    }
}
