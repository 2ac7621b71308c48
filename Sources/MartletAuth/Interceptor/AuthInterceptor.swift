/// An interceptor that attaches tokens to requests, renews a token that the server rejects, and sends the request again once.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(StoredTokenProvider(store: store) { try await refresh($0) })])
/// ```
///
/// - Tokens are sent only to the origin of the client's base URL, or to the given `origins`. They are not sent to another origin after a
///   redirect, nor with a request that another origin has redirected to one of them. Without a base URL and origins, or with an invalid
///   origin in the list, calls fail with `.invalidRequest`, so that a missing token is noticed.
/// - A token is rejected by a response with the status 401, or as `isRefusal` decides for servers that use another status. Below, “401”
///   stands for such a response.
/// - A credential that the request already has takes precedence, and its 401 is returned to the caller.
/// - After a 401, all calls with the same token wait for one renewal, which none of them can cancel. Then each is sent again once. A second
///   401 is returned to the caller. A token that has already been replaced is not renewed: the call is sent again with the new token.
/// - A request with a streamed body can't be sent again: the token is renewed for the next call, and the 401 is returned.
/// - Responses have the token as `ResponseMetadata.credential`, for APIs that reject it only in the body.
/// - A call that waits for a token has the wait in its trace, with its duration and error (`CallTrace.Renewal`).
/// - A renewal that fails throws `.authenticationFailed` with its cause for every waiting call. The next call tries again.
///
/// Place it outside caches, so that they see the credentials, and outside retries, so that each attempt has the same token.
public struct AuthInterceptor: Interceptor, CredentialAddingInterceptor {
    private let origins: [Origin]?
    private let scheme: AuthorizationScheme
    private let isRefusal: @Sendable (HTTPResponse<HTTPBody>) -> Bool
    private let tokens: TokenSource
    private let time: InheritedTime

    /// Creates an interceptor that sends the tokens of `provider` to the client's own origin, or to the given origins.
    ///
    /// - Parameters:
    ///   - provider: The source of the tokens.
    ///   - origins: The origins that tokens are sent to, each with its scheme: `"https://api.example"`. Default: nil, the origin of the
    ///     client's base URL.
    ///   - scheme: The way in which tokens are attached. Default: `Authorization: Bearer …`.
    ///   - isRefusal: Returns whether a response rejects the token. Default: nil, the decision of the scheme, which is the status 401
    ///     unless a scheme with ``AuthorizationScheme/signing(fields:isRefusal:apply:)`` decides otherwise. For a server that rejects
    ///     expired tokens with 403, write `{ [.unauthorized, .forbidden].contains($0.status) }`; each 403 then renews the token, also one
    ///     that means “not allowed”.
    ///   - renewalTimeout: The time limit for the provider to replace a token, for providers without their own limit. Default: 2 minutes.
    ///   - time: The clock for the timeout. Default: nil, the client's.
    public init(
        _ provider: any TokenProvider, origins: [Origin]? = nil, scheme: AuthorizationScheme = .authorization,
        isRefusal: (@Sendable (HTTPResponse<HTTPBody>) -> Bool)? = nil, renewalTimeout: Duration = .seconds(120),
        time: (any TimeSource)? = nil
    ) {
        self.origins = origins
        self.scheme = scheme
        self.isRefusal = isRefusal ?? scheme.isRefusal
        self.time = InheritedTime(time)
        tokens = TokenSource(provider, timeout: renewalTimeout, time: self.time)
    }

    /// Creates an interceptor whose tokens come from closures, which have the duties of a ``TokenProvider``.
    ///
    /// ```swift
    /// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor { try await vault.read("api") }])
    /// ```
    ///
    /// A ``StoredTokenProvider`` stores its token, and refreshes it ahead of its expiry.
    ///
    /// - Parameters:
    ///   - origins: The origins that tokens are sent to. Default: nil, the origin of the client's base URL.
    ///   - scheme: The way in which tokens are attached. Default: `Authorization: Bearer …`.
    ///   - isRefusal: Returns whether a response rejects the token. Default: nil, the decision of the scheme, which is the status 401
    ///     unless a scheme with ``AuthorizationScheme/signing(fields:isRefusal:apply:)`` decides otherwise. For a server that rejects
    ///     expired tokens with 403, write `{ [.unauthorized, .forbidden].contains($0.status) }`; each 403 then renews the token, also one
    ///     that means “not allowed”.
    ///   - renewalTimeout: The time limit for replacing a token. Default: 2 minutes.
    ///   - time: The clock for the timeout. Default: nil, the client's.
    ///   - token: Returns the token for a request, or nil to send the request without one.
    ///   - replace: Returns a replacement for a token that the server rejected, or nil. Default: nil, rejected tokens are not replaced.
    public init(
        origins: [Origin]? = nil, scheme: AuthorizationScheme = .authorization,
        isRefusal: (@Sendable (HTTPResponse<HTTPBody>) -> Bool)? = nil, renewalTimeout: Duration = .seconds(120),
        time: (any TimeSource)? = nil, token: @escaping @Sendable () async throws -> AccessToken?,
        replacing replace: @escaping @Sendable (_ rejected: AccessToken) async throws -> AccessToken? = { _ in nil }
    ) {
        let provider = ClosureTokenProvider(token: token, replacing: replace)
        self.init(provider, origins: origins, scheme: scheme, isRefusal: isRefusal, renewalTimeout: renewalTimeout, time: time)
    }

    /// Returns true: the provider and the scheme are abandoned at the call's deadline.
    public var endsByDeadline: Bool { true }

    /// Returns whether the request may get a token, which is not the case if it already has a credential.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { !scheme.isSetByHand(request) }

    /// Sends a request with a token, and once more with a replacement if the server rejects the token; a second rejection is returned.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        time.adopt(request.context)
        var sent = request
        var attachment = try attachAtOnce(to: &sent)
        if case .pending = attachment { attachment = try await attach(to: &sent) }
        var response = try await next(sent)
        let decision = received(&response, attachment, of: request)
        if decision != .deliver { try await renew(decision, &response, attachment, request, next) }
        return response
    }

    /// Whether a request was sent with a token.
    private enum Attachment {
        case none
        /// The provider or the scheme must be awaited first.
        case pending
        case token(AccessToken, moment: Int)
    }

    // These are not inlined: their temporaries would be part of the frame of each call that waits for its response.

    @inline(never)
    private func attachAtOnce(to request: inout HTTPRequest) throws(HTTPError) -> Attachment {
        // Requests of the provider itself are sent without a token and must not wait for one.
        if tokens.isAskedByThisTask { return .none }
        switch AuthDecision.willSend(request, origins: origins, isSetByHand: scheme.isSetByHand(request)) {
        case .leave: return .none
        case .refuse(let why): throw .invalidRequest(Explanation(why))
        case .attach: break
        }
        let moment = tokens.moment
        guard let token = tokens.atHand else { return .pending }
        do {
            guard let sent = try scheme.appliedAtOnce(token, to: request) else { return .pending }
            request = sent
        } catch { throw HTTPError(thrownBy: self, error) }
        return .token(token, moment: moment)
    }

    @inline(never)
    nonisolated(nonsending) private func attach(to request: inout HTTPRequest) async throws(HTTPError) -> Attachment {
        let moment = tokens.moment
        guard let token = try await current(request.context) else { return .none }
        request = try await applied(token, to: request)
        return .token(token, moment: moment)
    }

    /// Adds the credential to a response, and decides what follows.
    @inline(never)
    private func received(
        _ response: inout HTTPResponse<HTTPBody>, _ attachment: Attachment, of request: HTTPRequest
    ) -> AuthDecision.Answer {
        guard case .token(let token, let moment) = attachment else { return .deliver }
        response.metadata.credential = credential(token, sentAt: moment, isRenewed: false, request.context)
        return AuthDecision.received(isRefusal: isRefusal(response), isReplayable: request.isReplayable)
    }

    /// Renews the token that the server rejected, and sends the request again if that was decided.
    @inline(never)
    nonisolated(nonsending) private func renew(
        _ decision: AuthDecision.Answer, _ response: inout HTTPResponse<HTTPBody>, _ attachment: Attachment, _ request: HTTPRequest,
        _ next: Next
    ) async throws(HTTPError) {
        guard case .token(let token, let moment) = attachment else { return }
        await free(response)
        guard decision == .renewAndResend else {
            _ = try? await replacement(for: token, sentAt: moment, request.context)
            return
        }
        guard let replacement = try await replacement(for: token, sentAt: moment, request.context) else { return }
        let now = tokens.moment
        response = try await next(try await applied(replacement, to: request))
        response.metadata.credential = credential(replacement, sentAt: now, isRenewed: true, request.context)
    }

    /// Returns the token that replaces a rejected one, or nil if the provider has no other token.
    private func replacement(
        for token: AccessToken, sentAt moment: Int, _ context: RequestContext
    ) async throws(HTTPError) -> AccessToken? {
        try await awaited(context, followsRejection: true) { [tokens] () throws(HTTPError) in
            try await tokens.replacement(for: token, sentAt: moment)
        }
    }

    /// Returns the provider's token.
    private func current(_ context: RequestContext) async throws(HTTPError) -> AccessToken? {
        if let token = tokens.atHand { return token }
        return try await awaited(context, followsRejection: false) { [tokens] () throws(HTTPError) in try await tokens.current() }
    }

    /// Waits for a token until the call ends, and records how long that took.
    private func awaited(
        _ context: RequestContext, followsRejection: Bool, _ ask: @escaping @Sendable () async throws(HTTPError) -> AccessToken?
    ) async throws(HTTPError) -> AccessToken? {
        let began = time.instant
        let outcome: Result<AccessToken?, HTTPError>
        context.keyRecord?.awaitsCredential = true
        do throws(HTTPError) { outcome = .success(try await context.endingWithCall(ask)) } catch { outcome = .failure(error) }
        context.keyRecord?.awaitsCredential = context.hasExpired
        let renewal = AuthDecision.step(for: outcome, followsRejection: followsRejection, after: began.duration(to: time.instant))
        if let renewal { context.record?.add(.renewal(renewal)) }
        return try outcome.get()
    }

    private func applied(_ token: AccessToken, to request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
        do {
            if let sent = try scheme.appliedAtOnce(token, to: request) { return sent }
        } catch { throw HTTPError(thrownBy: self, error) }
        return try await request.context.endingWithCall { () throws(HTTPError) in
            do { return try await scheme.applied(token, to: request) } catch { throw HTTPError(thrownBy: self, error) }
        }
    }

    /// Returns a handle to the token, for code that finds in the response body that the token was rejected.
    private func credential(_ token: AccessToken, sentAt moment: Int, isRenewed: Bool, _ context: RequestContext) -> SentCredential {
        SentCredential(isRenewed: isRenewed) { question async throws(HTTPError) in
            if question == .isCurrent { return await tokens.isCurrent(token) }
            guard let replacement = try await replacement(for: token, sentAt: moment, context) else { return false }
            return replacement.value != token.value
        }
    }

    /// Reads the body of a rejection, so that it does not occupy a connection that the renewal may need.
    ///
    /// It reads at most 64 KiB for at most one second. An error is thrown to the reader of the body.
    private func free(_ response: HTTPResponse<HTTPBody>) async {
        guard response.body.buffered == nil else { return }
        _ = try? await race(
            { () async throws(HTTPError) in try await response.body.peek(upTo: 65_536) }, until: time.instant + .seconds(1), time: time
        ) { ErrorContext() }
    }
}

// `dump` and debuggers must not show its tokens.
extension AuthInterceptor: CustomReflectable, RedactedReflection {}
