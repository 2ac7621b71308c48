/// Puts tokens on requests, and gets new ones when the server refuses them.
///
/// ```swift
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(StoredTokenProvider(store: store) { try await refresh($0) })])
/// ```
///
/// - Tokens go to the origin of the client's base URL, or to the `origins` that are named, and nowhere else, redirects included; nor with a request
///   that another origin has redirected to one of them. With
///   neither, or with a text in the list that is no origin, calls fail with `.invalidRequest`: a token that is silently left out would
///   be looked for in the wrong place.
/// - A credential that was set by hand wins, and its 401 is the caller's.
/// - After a 401, calls with the same token wait for one renewal, which none of them can cancel; then each is sent again, once. A
///   second 401 is the caller's. A token that has been replaced since is not renewed: the call is sent again with the new one.
/// - A request whose body is a stream can't be sent again: the token is renewed for the next call, and the 401 given.
/// - Answers have the token as ``ResponseMetadata/credential``, for a refusal that only the body tells of.
/// - A renewal that fails is `.authenticationFailed`, with its cause, for every call that was under way; the next call tries again.
///
/// Place it outside of caches, so that they see the credentials, and of retries, so that each attempt is sent with the same token.
public struct AuthInterceptor: Interceptor, CredentialAddingInterceptor {
    private let origins: [Origin]?
    private let scheme: AuthorizationScheme
    private let tokens: TokenSource
    private let time: InheritedTime

    /// An interceptor that asks `provider` for tokens.
    ///
    /// - Parameters:
    ///   - origins: where tokens go, each with its scheme: `"https://api.example"`. Default: the origin of the client's base URL.
    ///   - scheme: how they are put on requests. Default: `Authorization: Bearer …`.
    ///   - renewalTimeout: how long the provider may take to replace a token before it has failed. It is there for providers that have
    ///     no limit of their own. Default: 2 minutes.
    ///   - time: the clock that measures it. Default: nil, the client's.
    public init(
        _ provider: any TokenProvider, origins: [Origin]? = nil, scheme: AuthorizationScheme = .authorization,
        renewalTimeout: Duration = .seconds(120), time: (any TimeSource)? = nil
    ) {
        self.origins = origins
        self.scheme = scheme
        self.time = InheritedTime(time)
        tokens = TokenSource(provider, timeout: renewalTimeout, time: self.time)
    }

    /// Returns whether a request may get a token: not if it has a credential that was set by hand.
    package func mayAddCredential(to request: HTTPRequest) -> Bool { !scheme.isSetByHand(request) }

    /// Sends a request with a token, and once more with another when that one is refused.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        time.adopt(request.context)
        // What the provider itself sends on the way to a token has none, and must not wait for it.
        if tokens.isAskedByThisTask { return try await next(request) }
        switch AuthDecision.willSend(request, origins: origins, isSetByHand: scheme.isSetByHand(request)) {
        case .leave: return try await next(request)
        case .refuse(let why): throw .invalidRequest(Explanation(why))
        case .attach: break
        }
        let moment = tokens.moment
        guard let token = try await tokens.current() else { return try await next(request) }
        var response = try await next(try await applied(token, to: request))
        response.metadata.credential = credential(token, sentAt: moment, isRenewed: false)
        switch AuthDecision.received(isRefusal: scheme.isRefusal(response), isReplayable: request.isReplayable) {
        case .deliver: return response
        case .renewAndDeliver:
            await free(response)
            _ = try? await tokens.replacement(for: token, sentAt: moment)
            return response
        case .renewAndResend:
            await free(response)
            guard let replacement = try await tokens.replacement(for: token, sentAt: moment) else { return response }
            let moment = tokens.moment
            response = try await next(try await applied(replacement, to: request))
            response.metadata.credential = credential(replacement, sentAt: moment, isRenewed: true)
            return response
        }
    }

    private func applied(_ token: AccessToken, to request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
        do { return try await scheme.applied(token, to: request) } catch { throw HTTPError(thrownBy: self, error) }
    }

    /// The token, for whoever finds in the answer that it is refused.
    private func credential(_ token: AccessToken, sentAt moment: Int, isRenewed: Bool) -> SentCredential {
        SentCredential(isRenewed: isRenewed) { [tokens] () async throws(HTTPError) in
            guard let replacement = try await tokens.replacement(for: token, sentAt: moment) else { return false }
            return replacement.value != token.value
        }
    }

    /// Reads what a refusal has to say, so that a streamed one does not keep the connection that the renewal may be waiting for: 64 KiB of
    /// it at most, for a second at most.
    ///
    /// What it fails with is told to whoever reads it.
    private func free(_ response: HTTPResponse<HTTPBody>) async {
        guard response.body.buffered == nil else { return }
        _ = try? await race(
            { () async throws(HTTPError) in try await response.body.peek(upTo: 65_536) }, until: time.instant + .seconds(1), time: time
        ) { ErrorContext() }
    }
}

// `dump` and debuggers must not show its tokens.
extension AuthInterceptor: CustomReflectable, RedactedReflection {}
