internal import MartletEssentials

/// A source of tokens for an ``AuthInterceptor``.
///
/// ```swift
/// struct Vault: TokenProvider {
///     func token() async throws -> AccessToken? { try await vault.read("api") }
///     func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await vault.renew("api") }
/// }
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(Vault())])
/// ```
///
/// An ``AccessToken`` is the provider of itself, a ``ClosureTokenProvider`` calls two closures, and an interceptor can have them instead of
/// a provider (``AuthInterceptor/init(origins:scheme:isRefusal:renewalTimeout:time:token:replacing:)``). The duties of a provider, in the
/// order of a call:
///
/// 1. Return the token from ``token()``, without waiting if it is in memory: each request waits for it, and several tasks call it at the
///    same time. Return nil to send the request without a token.
/// 2. After a rejection, return another token from ``token(replacing:)``. The interceptor calls it once for all calls that were rejected
///    with the same token, in a task that no caller's cancellation stops, and only if ``token()`` still returns that token.
/// 3. Store the new token before you return it, so that the next ``token()`` returns it, and a refresh token that can be used only once is
///    not lost.
/// 4. Return nil if the token can't be replaced: the caller receives the rejecting response. Throw if no token could be obtained: the
///    caller receives your error as the cause of `HTTPError.authenticationFailed`.
/// 5. Return in time: a replacement is abandoned after 2 minutes, or the interceptor's `renewalTimeout`.
///
/// Requests that a provider sends within these functions get no token from the calling interceptor, even through a client that has it, so
/// that they can't wait for themselves. The articles "Signing users in" and "Migrating from Get" of the module `Martlet` show providers.
public protocol TokenProvider: Sendable {
    /// Returns the token for a request, or nil to send the request without one. Several tasks may call it at the same time.
    func token() async throws -> AccessToken?
    /// Returns a replacement for a token that the server rejected, or nil, so that the caller receives the rejecting response.
    ///
    /// Callers receive its errors as the cause of `HTTPError.authenticationFailed`. Default: returns nil.
    func token(replacing rejected: AccessToken) async throws -> AccessToken?
}

extension TokenProvider {
    /// Returns nil, because the provider can't replace a token: the caller receives the rejecting response.
    public func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
}

/// A provider whose tokens come from closures, for a function that takes any provider.
///
/// ```swift
/// let tokens: any TokenProvider = ClosureTokenProvider {
///     try await vault.read("api")
/// } replacing: { _ in
///     try await vault.renew("api")
/// }
/// ```
public struct ClosureTokenProvider: TokenProvider {
    private let current: @Sendable () async throws -> AccessToken?
    private let replace: @Sendable (AccessToken) async throws -> AccessToken?

    /// Creates a provider from closures, which have the duties of a ``TokenProvider``.
    ///
    /// - Parameters:
    ///   - token: Returns the token for a request, or nil to send the request without one.
    ///   - replace: Returns a replacement for a token that the server rejected, or nil. Default: nil, rejected tokens are not replaced.
    public init(
        token: @escaping @Sendable () async throws -> AccessToken?,
        replacing replace: @escaping @Sendable (_ rejected: AccessToken) async throws -> AccessToken? = { _ in nil }
    ) {
        current = token
        self.replace = replace
    }

    /// Returns the result of the first closure.
    public func token() async throws -> AccessToken? { try await current() }

    /// Returns the result of the second closure.
    public func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await replace(rejected) }
}

extension AccessToken: TokenProvider {
    /// Returns this token: an API key, a personal access token, or a user name and password. If the server rejects it, it is not replaced.
    public func token() async -> AccessToken? { self }
}

/// A token provider that often has its token in memory, so that a call need not wait for it.
protocol ReadyTokenProvider: TokenProvider {
    /// Returns what `token()` would return, if that is a token and takes no waiting, and otherwise nil.
    ///
    /// - Parameter time: The clock of the client that requests the token.
    func tokenAtHand(time: any TimeSource) -> AccessToken?
}

extension AccessToken: ReadyTokenProvider {
    func tokenAtHand(time: any TimeSource) -> AccessToken? { self }
}

extension StoredTokenProvider: ReadyTokenProvider {
    func tokenAtHand(time: any TimeSource) -> AccessToken? { session.tokenAtHand(time: time) }
}
