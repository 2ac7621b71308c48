/// A provider of stored tokens, which a closure or an OAuth 2 server refreshes.
///
/// ```swift
/// let provider = StoredTokenProvider(store: store) { expired in
///     try await plainClient.send(RefreshSession(token: expired.refreshToken)).accessToken
/// }
/// Task { for await _ in provider.sessionEnded { await showSignIn() } }
/// try await provider.signIn(firstToken)
/// ```
///
/// - A token is refreshed once for all callers that need it: when the server rejected it, and ahead of its expiry. The new token is stored
///   before it is used. If the store fails, the token is kept in memory and stored at the next call, so that a refresh token that can be
///   used only once is not lost. A cancelled caller returns; the refresh continues.
/// - A new token without a refresh token or without scopes keeps the old ones.
/// - When the refresh reports that the session has ended (``SessionEndedError``, or `invalid_grant`, RFC 6749 §5.2), the store is cleared
///   and the app is told once. A token that another process has stored meanwhile is used, and a sign-out holds.
/// - Any other failure is thrown to the callers as ``TokenProviderError``, and the next call tries again. A token that has not expired is still used: if its refresh
///   fails or takes more than 2 seconds, it is used for 5 seconds before the next attempt.
/// - A server that rejects every token causes a limited number of refreshes: see ``RefreshLimit``.
/// - Sign in and out with ``signIn(_:)`` and ``signOut()``. A token that is saved in the store directly belongs to the same session: running
///   calls may be sent again with it.
///
/// The closure may use a client that has this provider: its requests are sent without a token, so that they do not wait for themselves. If
/// it starts detached tasks, it must pass its task-local values on.
public final class StoredTokenProvider: TokenProvider {
    private let session: TokenSession

    /// Creates a provider of the token in a store, which a closure refreshes.
    ///
    /// - Parameters:
    ///   - store: where the token is stored. It is read for each request unless it counts its changes: see ``TokenStore/changeCount``.
    ///   - leeway: how long before its expiry a token is refreshed, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: how long a refresh may take before it has failed. Default: 60 seconds.
    ///   - refreshLimit: the number of refreshes that rejected tokens can cause. Default: 10 in 60 seconds.
    ///   - time: the clock for expiry and timeouts. Default: nil, that of the client whose call asked for a token last. Until a client has asked, as
    ///     when the app itself calls ``token()``, it is the system's.
    ///   - refresh: returns a new token for one that was rejected or is about to expire. If it is nil, tokens are not refreshed.
    ///   - onSessionEnd: called once when the session has ended, after the store was cleared. It should not block.
    public convenience init(
        store: any TokenStore, leeway: Duration = .seconds(30), refreshTimeout: Duration = .seconds(60),
        refreshLimit: RefreshLimit = .standard, time: (any TimeSource)? = nil,
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
                store: store, leeway: leeway, timeout: refreshTimeout, limit: refreshLimit, time: InheritedTime(time), renew: renew,
                ends: SessionEnds(callback: onSessionEnd)))
    }

    init(_ settings: TokenSession.Settings) { session = TokenSession(settings) }

    /// The ends of sessions from now on, and the last one if it has not been reported yet. The stream ends with the provider.
    public var sessionEnded: AsyncStream<SessionEndedError> { session.settings.ends.listen() }

    /// Begins a session with its first token and replaces the previous session.
    ///
    /// Prefer it to saving in the store: a running refresh of the previous session does not overwrite the new token, and rejected calls of
    /// the previous session are not sent again with the new token.
    ///
    /// - Throws: the store's error. The new session has then begun, and its token is lost: sign in again.
    public func signIn(_ token: AccessToken) async throws(TokenStoreError) { try await session.signIn(token) }

    /// Ends the session and removes its token, also if a refresh is running. ``sessionEnded`` does not report it.
    ///
    /// - Throws: the store's error. The token may still be stored: sign out again.
    public func signOut() async throws(TokenStoreError) { try await session.signOut() }

    /// Returns the stored token, refreshed if it is about to expire.
    public func token() async throws(TokenProviderError) -> AccessToken? {
        do { return try await session.token() } catch { throw TokenProviderError(wrapping: error) }
    }

    /// Returns the stored token if it has been replaced since, or the result of a refresh.
    public func token(replacing rejected: AccessToken) async throws(TokenProviderError) -> AccessToken? {
        do { return try await session.token(replacing: rejected) } catch { throw TokenProviderError(wrapping: error) }
    }
}

// `dump` and debuggers must not show its tokens.
extension StoredTokenProvider: CustomReflectable, RedactedReflection {}
