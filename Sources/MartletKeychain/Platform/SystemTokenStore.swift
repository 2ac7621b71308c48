public import MartletAuth

#if os(Linux)
/// Where the platform keeps tokens: the Secret Service on Linux, the Keychain on Apple's platforms.
public typealias SystemTokenStore = SecretServiceTokenStore
#else
/// Where the platform keeps tokens: the Keychain on Apple's platforms, the Secret Service on Linux.
public typealias SystemTokenStore = KeychainTokenStore
#endif

/// Tokens that rest where the platform keeps them, and are refreshed by a closure.
///
/// ```swift
/// let tokens = KeychainTokenProvider(service: "com.example.app", account: "ada") { expired in
///     try await plainClient.send(RefreshSession(token: expired.refreshToken)).accessToken
/// }
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(tokens)])
/// ```
///
/// It is a `StoredTokenProvider` over a ``SystemTokenStore``: what it promises holds.
public typealias KeychainTokenProvider = StoredTokenProvider

extension StoredTokenProvider {
    /// A provider of the token that the platform keeps for a service and an account: see ``KeychainTokenProvider``.
    ///
    /// - Parameters:
    ///   - service: what the token is for: the app's identifier, in reverse DNS notation.
    ///   - account: whose token it is. Default: the empty name, for apps with one user.
    ///   - leeway: how long before its expiry a token is refreshed, at most a quarter of its life. Default: 30 seconds.
    ///   - isSoleWriter: whether only this provider changes the token. The token is then kept in memory and not read for each request: see
    ///     `SingleWriterTokenStore`. Default: false.
    ///   - refresh: gives a new token for one that was refused or is about to expire. Without it, tokens are not refreshed.
    ///   - onSessionEnd: called when the session is over, once, after the store was cleared. It should not block.
    public convenience init(
        service: String, account: String = "", leeway: Duration = .seconds(30), isSoleWriter: Bool = false,
        refresh: (@Sendable (_ expired: AccessToken) async throws -> AccessToken)? = nil,
        onSessionEnd: (@Sendable (SessionEndedError) -> Void)? = nil
    ) {
        let store = SystemTokenStore(service: service, account: account)
        self.init(
            store: isSoleWriter ? SingleWriterTokenStore(store) : store, leeway: leeway, refresh: refresh, onSessionEnd: onSessionEnd)
    }
}
