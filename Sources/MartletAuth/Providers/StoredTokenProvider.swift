/// A token provider that stores its token, and refreshes it with a closure or an OAuth 2 server.
///
/// ```swift
/// let provider = StoredTokenProvider(store: store) { expired in
///     try await plainClient.send(RefreshSession(token: expired.refreshToken)).accessToken
/// }
/// Task { for await _ in provider.sessionEnded { showSignIn() } }
/// try await provider.signIn(firstToken)
/// ```
///
/// - A token is refreshed once for all callers that need it, after the server rejected it and ahead of its expiry. The new token is stored
///   before it is used. If the store fails, the token is kept in memory and stored at the next call, so that a refresh token that can be
///   used only once is not lost. A cancelled caller returns immediately, and a caller with a deadline (`withDeadline`) waits at most until
///   then; the refresh continues.
/// - A new token without a refresh token or without scopes keeps the old ones.
/// - If the refresh reports the end of the session (``SessionEndedError``, or `invalid_grant`, RFC 6749 §5.2), the store is cleared and the
///   app is notified once. If another process has stored a new token meanwhile, that token is used. A sign-out during a refresh takes
///   effect.
/// - Any other failure is thrown to the callers as ``TokenProviderError``, and the next call tries again. A token that has not expired is
///   still used: if its refresh fails or takes more than 2 seconds, it is used for 5 seconds before the next attempt.
/// - If the server of the refresh asks to wait (`Retry-After`, with a 429 or 503), calls that need a new token fail with the same error
///   until then, for at most 60 seconds, and it is not asked. A sign-in ends the wait.
/// - A server that rejects every token causes a limited number of refreshes: by default ten in 60 seconds. Then calls with a rejected token
///   fail immediately with `.authenticationFailed`, until the oldest counted refresh is older than that. A refresh is counted only if it
///   followed a rejection of the current token and returned a new token. A sign-in resets the count.
/// - Sign in and out with ``signIn(_:)`` and ``signOut()``. A token that is saved directly in the store belongs to the same session, so
///   running calls may be sent again with it.
///
/// The closure may use a client that has this provider: its requests are sent without a token, so that they do not wait for themselves. If
/// it starts detached tasks, it must pass its task-local values on.
public final class StoredTokenProvider: TokenProvider {
    let session: TokenSession

    /// Creates a provider that stores its token and refreshes it with a closure.
    ///
    /// - Parameters:
    ///   - store: The store of the token. It is read for each request unless it counts its changes: see ``TokenStore/changeCount``.
    ///   - leeway: The time before its expiry at which a token is refreshed, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: The time limit for a refresh. Default: 60 seconds.
    ///   - maxRefreshes: The number of refreshes that rejected tokens can cause within `refreshWindow`. With 0, rejected tokens are not
    ///     refreshed. Default: 10.
    ///   - refreshWindow: The period over which these refreshes are counted. Zero means no limit. Default: 60 seconds.
    ///   - time: The clock for expiry and timeouts. Default: nil, that of the client whose call last requested a token. Until a client has
    ///     requested one, as when the app itself calls ``token()``, it is the system's.
    ///   - refresh: Returns a new token for one that was rejected or is about to expire. If it is nil, tokens are not refreshed.
    ///   - onSessionEnd: Called once when the session has ended, after the store was cleared. It must not block.
    public convenience init(
        store: any TokenStore, leeway: Duration = .seconds(30), refreshTimeout: Duration = .seconds(60),
        maxRefreshes: Int = 10, refreshWindow: Duration = .seconds(60), time: (any TimeSource)? = nil,
        refresh: (@Sendable (_ expired: AccessToken) async throws -> AccessToken)? = nil,
        onSessionEnd: (@Sendable (SessionEndedError) -> Void)? = nil
    ) {
        var renew: (@Sendable (AccessToken?) async throws -> AccessToken)?
        if let refresh {
            renew = { kept in
                guard let kept else { throw SessionEndedError() }
                return try await refresh(kept)
            }
        }
        self.init(
            TokenSession.Settings(
                store: store, leeway: leeway, timeout: refreshTimeout, log: RefreshLog(max: maxRefreshes, window: refreshWindow),
                time: InheritedTime(time), renew: renew,
                ends: SessionEnds(callback: onSessionEnd)))
    }

    init(_ settings: TokenSession.Settings) { session = TokenSession(settings) }

    /// A stream of the ends of sessions, beginning with the last one if it has not been reported yet. The stream ends with the provider.
    public var sessionEnded: AsyncStream<SessionEndedError> { session.settings.ends.listen() }

    /// Stores the first token of a new session, which replaces the previous session.
    ///
    /// Prefer it to saving in the store: a running refresh of the previous session does not overwrite the new token, and rejected calls of
    /// the previous session are not sent again with the new token.
    ///
    /// - Throws: The store's error. The new session has then begun, but its token is lost: sign in again.
    public func signIn(_ token: AccessToken) async throws(TokenStoreError) { try await session.signIn(token) }

    /// Ends the session and removes its token, even if a refresh is running. ``sessionEnded`` does not report a sign-out.
    ///
    /// - Throws: The store's error. The token may still be stored: sign out again.
    public func signOut() async throws(TokenStoreError) { try await session.signOut() }

    /// Returns the stored token, refreshed if it has expired or is about to, or nil if the user has not signed in. With the grant
    /// ``Grant/clientCredentials(scopes:)`` it requests the first token. Without a refresh closure, an expired token is returned unchanged.
    public func token() async throws(TokenProviderError) -> AccessToken? {
        do { return try await session.token() } catch { throw TokenProviderError(wrapping: error) }
    }

    /// Returns the stored token if it differs from the rejected one, and otherwise refreshes it. Returns nil if it belongs to another
    /// session than the rejected one.
    public func token(replacing rejected: AccessToken) async throws(TokenProviderError) -> AccessToken? {
        do { return try await session.token(replacing: rejected) } catch { throw TokenProviderError(wrapping: error) }
    }

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
    ///   - maxRefreshes: The number of refreshes that rejected tokens can cause within `refreshWindow`. With 0, rejected tokens are not
    ///     refreshed. Default: 10.
    ///   - refreshWindow: The period over which these refreshes are counted. Zero means no limit. Default: 60 seconds.
    ///   - time: The clock for expiry and timeouts. Default: nil, the clock given to `client`; otherwise that of the client whose call last
    ///     requested a token, and until then that of `client`.
    ///   - onSessionEnd: Called once when the session has ended, after the store was cleared. It must not block.
    public convenience init(
        _ client: OAuth2Client, store: any TokenStore = InMemoryTokenStore(), grant: Grant = .refreshToken, leeway: Duration = .seconds(30),
        refreshTimeout: Duration = .seconds(60), maxRefreshes: Int = 10, refreshWindow: Duration = .seconds(60),
        time: (any TimeSource)? = nil,
        onSessionEnd: (@Sendable (SessionEndedError) -> Void)? = nil
    ) {
        self.init(
            TokenSession.Settings(
                store: store, leeway: leeway, timeout: refreshTimeout, log: RefreshLog(max: maxRefreshes, window: refreshWindow),
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

// `dump` and debuggers must not show its tokens.
extension StoredTokenProvider: CustomReflectable, RedactedReflection {}

/// A provider of the tokens of an OAuth 2 server: a ``StoredTokenProvider`` that refreshes them with an ``OAuth2Client``.
///
/// ```swift
/// let session = OAuth2TokenProvider(oauth, store: store)         // a session that a user signed in to
/// let service = OAuth2TokenProvider(oauth, grant: .clientCredentials(scopes: ["read"]))  // a server's own
/// ```
///
/// The first token of a user's session comes from ``OAuth2Client/exchange(callback:of:)``. Pass it to ``StoredTokenProvider/signIn(_:)``.
public typealias OAuth2TokenProvider = StoredTokenProvider
