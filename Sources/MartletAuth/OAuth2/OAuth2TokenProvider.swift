/// Tokens of an OAuth 2 server, refreshed when they run out.
///
/// ```swift
/// let provider = OAuth2TokenProvider(oauth, store: KeychainTokenStore(…))         // a session that a user signed in to
/// let provider = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read"]))  // a server's own
/// ```
///
/// It keeps all that ``StoredTokenProvider`` promises. The first token of a user's session comes from
/// ``OAuth2Client/exchange(code:of:)``: give it to ``signIn(_:)``.
public final class OAuth2TokenProvider: TokenProvider, RenewingOnce {
    /// How a new token is got.
    public enum Grant: Sendable, Hashable {
        /// With the refresh token (RFC 6749 §6). An `invalid_grant` ends the session.
        case refreshToken
        /// As the client itself (RFC 6749 §4.4), also when there is no token yet.
        case clientCredentials(scopes: [String] = [])
    }

    private let session: TokenSession
    private let ends: SessionEnds

    /// A provider of the tokens of a server.
    ///
    /// - Parameters:
    ///   - client: asks the server. It must not be made with an ``AuthInterceptor`` of this provider.
    ///   - store: where the token rests. Default: in memory.
    ///   - grant: how a new token is got. Default: with the refresh token.
    ///   - leeway: how long before its expiry a token is replaced, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: how long the server may take. Default: 60 seconds.
    ///   - refreshLimit: the number of refreshes that rejected tokens can cause. Default: 10 in 60 seconds.
    ///   - time: the clocks that expiry and timeout are measured by.
    ///   - onSessionEnd: called when the session is over, once, after the store was cleared. It should not block.
    public init(
        _ client: OAuth2Client, store: any TokenStore = InMemoryTokenStore(), grant: Grant = .refreshToken, leeway: Duration = .seconds(30),
        refreshTimeout: Duration = .seconds(60), refreshLimit: RefreshLimit = .standard, time: any TimeSource = .system,
        onSessionEnd: (@Sendable (SessionEndedError) -> Void)? = nil
    ) {
        let ends = SessionEnds(callback: onSessionEnd)
        self.ends = ends
        let startsAnew = if case .clientCredentials = grant { true } else { false }
        session = TokenSession(
            TokenSession.Settings(
                store: store, leeway: leeway, timeout: refreshTimeout, limit: refreshLimit, time: time, startsAnew: startsAnew,
                renew: { kept in
                    switch grant {
                    case .clientCredentials(let scopes): return try await client.clientCredentials(scopes: scopes)
                    case .refreshToken:
                        guard let kept else { throw OAuth2Error.noRefreshToken }
                        return try await client.refresh(kept)
                    }
                }, ends: ends))
    }

    /// Tells that the session is over: each end from now on, and the last one if nobody has heard of it. Ends with the provider.
    public var sessionEnded: AsyncStream<SessionEndedError> { ends.listen() }

    /// Begins a session with its first token, in place of whatever session there was.
    ///
    /// Prefer it to saving in the store: a renewal of the old session that is under way can't write over the new one, and calls of the old
    /// one that are refused are not sent again with the new one's token. Throws what the store throws.
    public func signIn(_ token: AccessToken) async throws { try await session.signIn(token) }

    /// Ends the session: forgets its token, whatever a renewal under way brings. ``sessionEnded`` does not tell of it, for the app knows.
    ///
    /// Throws what the store throws.
    public func signOut() async throws { try await session.signOut() }

    /// The token in the store, replaced when it is about to expire.
    public func token() async throws -> AccessToken? { try await session.token() }

    /// The token in the store when it is another by now, or what the server gives.
    public func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await session.token(replacing: rejected) }
}
