/// A provider of the tokens of an OAuth 2 server: a ``StoredTokenProvider`` that refreshes them with an ``OAuth2Client``.
///
/// ```swift
/// let provider = OAuth2TokenProvider(oauth, store: KeychainTokenStore(…))         // a session that a user signed in to
/// let provider = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read"]))  // a server's own
/// ```
///
/// The first token of a user's session comes from ``OAuth2Client/exchange(callback:of:)``: pass it to ``StoredTokenProvider/signIn(_:)``.
public typealias OAuth2TokenProvider = StoredTokenProvider

extension StoredTokenProvider {
    /// The grant that a new token is requested with.
    public enum Grant: Sendable, Hashable {
        /// The refresh token (RFC 6749 §6). An `invalid_grant` ends the session.
        case refreshToken
        /// The client's own credentials (RFC 6749 §4.4), also when there is no token yet.
        case clientCredentials(scopes: [String] = [])
    }

    /// Creates a provider of the tokens of an OAuth 2 server.
    ///
    /// - Parameters:
    ///   - client: requests the tokens. It must not be made with an ``AuthInterceptor`` of this provider.
    ///   - store: where the token is stored. Default: in memory.
    ///   - grant: the grant that a new token is requested with. Default: the refresh token.
    ///   - leeway: how long before its expiry a token is replaced, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: how long the server may take. Default: 60 seconds.
    ///   - refreshLimit: the number of refreshes that rejected tokens can cause. Default: 10 in 60 seconds.
    ///   - time: the clock for expiry and timeouts. Default: nil, the one given to `client`; otherwise that of the client whose call
    ///     asked for a token last, and until then that of `client`.
    ///   - onSessionEnd: called once when the session has ended, after the store was cleared. It should not block.
    public convenience init(
        _ client: OAuth2Client, store: any TokenStore = InMemoryTokenStore(), grant: Grant = .refreshToken, leeway: Duration = .seconds(30),
        refreshTimeout: Duration = .seconds(60), refreshLimit: RefreshLimit = .standard, time: (any TimeSource)? = nil,
        onSessionEnd: (@Sendable (SessionEndedError) -> Void)? = nil
    ) {
        self.init(
            TokenSession.Settings(
                store: store, leeway: leeway, timeout: refreshTimeout, limit: refreshLimit,
                time: InheritedTime(time ?? client.ownTime, until: client.time),
                startsAnew: grant != .refreshToken,
                renew: { kept in
                    switch grant {
                    case .clientCredentials(let scopes): return try await client.clientCredentials(scopes: scopes)
                    case .refreshToken:
                        guard let kept else { throw OAuth2Error.noRefreshToken }
                        return try await client.refresh(kept)
                    }
                }, ends: SessionEnds(callback: onSessionEnd)))
    }
}
