/// Tokens that rest in a store and are refreshed by a closure.
///
/// ```swift
/// let provider = StoredTokenProvider(store: store) { expired in
///     try await plainClient.send(RefreshSession(token: expired.refreshToken)).accessToken
/// }
/// Task { for await _ in provider.sessionEnded { await showSignIn() } }
/// try await provider.signIn(firstToken)
/// ```
///
/// - A token is refreshed once for everybody who needs it: when the server refused it, and before it expires. What is new is stored
///   before anybody uses it; when the store fails, the token is kept in memory and stored at the next call, so that a refresh token
///   that is used only once is not lost. A caller that is cancelled leaves; the refresh goes on.
/// - A new token without a refresh token keeps the old one's, and without scopes the old ones.
/// - When the refresh says that the session is over (``SessionEndedError``, an `invalid_grant` of RFC 6749 §5.2), the store is cleared
///   and the app told once. A token that another process stored meanwhile, or a sign-out, is respected.
/// - Any other failure is the callers', and the next call tries again. A token that is not yet expired is used all the same: when its
///   refresh fails or takes more than 2 seconds, for 5 seconds without trying again.
/// - A server that rejects every token causes a limited number of refreshes: see ``RefreshLimit``.
/// - Sign in and out with ``signIn(_:)`` and ``signOut()``. A token that is saved in the store directly counts as one of the same session:
///   calls that are under way may be sent again with it.
///
/// The closure may use a client that has this provider: its requests are sent without a token, so that they can't wait for
/// themselves. Give its task-local values on when it starts detached tasks.
public final class StoredTokenProvider: TokenProvider {
    private let session: TokenSession

    /// A provider of the token in a store.
    ///
    /// - Parameters:
    ///   - store: where the token is stored. It is read for each request unless it counts its changes: see ``TokenStore/changeCount``.
    ///   - leeway: how long before its expiry a token is refreshed, at most a quarter of its life. Default: 30 seconds.
    ///   - refreshTimeout: how long a refresh may take before it has failed. Default: 60 seconds.
    ///   - refreshLimit: the number of refreshes that rejected tokens can cause. Default: 10 in 60 seconds.
    ///   - time: the clocks that expiry and timeout are measured by.
    ///   - refresh: gives a new token for one that was refused or is about to expire. Without it, tokens are not refreshed.
    ///   - onSessionEnd: called when the session is over, once, after the store was cleared. It should not block.
    public convenience init(
        store: any TokenStore, leeway: Duration = .seconds(30), refreshTimeout: Duration = .seconds(60),
        refreshLimit: RefreshLimit = .standard, time: any TimeSource = .system,
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
                store: store, leeway: leeway, timeout: refreshTimeout, limit: refreshLimit, time: time, renew: renew,
                ends: SessionEnds(callback: onSessionEnd)))
    }

    init(_ settings: TokenSession.Settings) { session = TokenSession(settings) }

    /// Tells that the session is over: each end from now on, and the last one if nobody has heard of it. Ends with the provider.
    public var sessionEnded: AsyncStream<SessionEndedError> { session.settings.ends.listen() }

    /// Begins a session with its first token, in place of whatever session there was.
    ///
    /// Prefer it to saving in the store: a renewal of the old session that is under way can't write over the new one, and calls of the old
    /// one that are refused are not sent again with the new one's token. Throws what the store throws.
    public func signIn(_ token: AccessToken) async throws { try await session.signIn(token) }

    /// Ends the session: forgets its token, whatever a renewal under way brings. ``sessionEnded`` does not tell of it, for the app knows.
    ///
    /// Throws what the store throws.
    public func signOut() async throws { try await session.signOut() }

    /// The token in the store, refreshed when it is about to expire.
    public func token() async throws -> AccessToken? { try await session.token() }

    /// The token in the store when it is another by now, or what the refresh gives.
    public func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await session.token(replacing: rejected) }
}
