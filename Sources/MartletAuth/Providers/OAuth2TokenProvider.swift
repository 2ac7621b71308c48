/// A provider of the tokens of an OAuth 2 server: a ``StoredTokenProvider`` that refreshes them with an ``OAuth2Client``.
///
/// ```swift
/// let session = OAuth2TokenProvider(oauth, store: store)         // a session that a user signed in to
/// let service = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read"]))  // a server's own
/// ```
///
/// The first token of a user's session comes from ``OAuth2Client/exchange(callback:of:)``. Pass it to ``StoredTokenProvider/signIn(_:)``.
public typealias OAuth2TokenProvider = StoredTokenProvider

extension StoredTokenProvider {
    /// The OAuth 2 grant with which a provider gets new tokens.
    public enum Grant: Sendable, Hashable {
        /// New tokens come from the stored refresh token (RFC 6749 §6). An `invalid_grant` ends the session.
        case refreshToken
        /// All tokens, including the first, come from the client's own credentials (RFC 6749 §4.4).
        case clientCredentials(scopes: [String] = [])
    }

    /// Creates a provider that stores tokens and gets new ones from an OAuth 2 server.
    ///
    /// - Parameters:
    ///   - client: Requests the tokens. It must not use an ``AuthInterceptor`` with this provider.
    ///   - store: The store of the token. Default: in memory.
    ///   - grant: The grant for new tokens. Default: the refresh token.
    ///   - leeway: The time before its expiry at which a token is replaced, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: The time limit for a refresh. Default: 60 seconds.
    ///   - refreshLimit: The number of refreshes that rejected tokens can cause. Default: 10 in 60 seconds.
    ///   - time: The clock for expiry and timeouts. Default: nil, the clock given to `client`; otherwise that of the client whose call last
    ///     requested a token, and until then that of `client`.
    ///   - onSessionEnd: Called once when the session has ended, after the store was cleared. It must not block.
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
