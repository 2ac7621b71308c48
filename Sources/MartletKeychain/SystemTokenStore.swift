public import MartletAuth

#if os(Linux)
/// The platform's token store: the Secret Service on Linux, the Keychain on Apple platforms.
public typealias SystemTokenStore = SecretServiceTokenStore
#else
/// The platform's token store: the Keychain on Apple platforms, the Secret Service on Linux.
public typealias SystemTokenStore = KeychainTokenStore
#endif

/// A provider of tokens that are stored in the platform's token store and refreshed by a closure.
///
/// ```swift
/// let tokens = KeychainTokenProvider(service: "com.example.app", account: "ada") { expired in
///     try await plainClient.send(RefreshSession(token: expired.refreshToken)).accessToken
/// }
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(tokens)])
/// ```
///
/// It is a `StoredTokenProvider` over a ``SystemTokenStore`` and has that type's contract.
public typealias KeychainTokenProvider = StoredTokenProvider

extension StoredTokenProvider {
    /// Creates a provider of the token that the platform's token store has for a service and an account, refreshed by a closure. See
    /// ``KeychainTokenProvider``.
    ///
    /// - Parameters:
    ///   - service: The purpose of the token: the app's identifier in reverse DNS notation.
    ///   - account: The user whose token it is. Default: an empty name, for apps with one user.
    ///   - leeway: How long before its expiry a token is refreshed, at most a quarter of its lifetime. Default: 30 seconds.
    ///   - isSoleWriter: Whether only this provider changes the token. The token is then kept in memory and not read for each request: see
    ///     `SingleWriterTokenStore`. Default: false.
    ///   - refresh: Returns a new token for one that was rejected or is about to expire. Default: nil, tokens are not refreshed.
    ///   - onSessionEnd: Called once when the session has ended, after the store was cleared. It should not block. Default: nil.
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
