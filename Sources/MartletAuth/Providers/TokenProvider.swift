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
/// The interceptor calls `token(replacing:)` once for all calls that were rejected with the same token, and only if `token()` still returns
/// that token. Requests that a provider sends within these functions get no token from the calling interceptor, even through a client that
/// has it, so that they can't wait for themselves.
public protocol TokenProvider: Sendable {
    /// Returns the token for a request, or nil to send the request without one. Several tasks may call it at the same time.
    func token() async throws -> AccessToken?
    /// Returns a replacement for a token that the server rejected, or nil, so that the caller receives the rejecting response.
    ///
    /// Callers receive its errors as the cause of `HTTPError.authenticationFailed`.
    func token(replacing rejected: AccessToken) async throws -> AccessToken?
}

/// A provider of one fixed token: an API key, a personal access token, or a user name and password. A rejected token is not replaced.
public struct StaticTokenProvider: TokenProvider {
    let fixed: AccessToken

    /// Creates a provider of one token.
    public init(_ token: AccessToken) { fixed = token }

    /// Creates a provider of one bearer token.
    public init(_ value: String) { fixed = AccessToken(value) }

    /// Returns the fixed token. This method never throws.
    public func token() async throws(TokenProviderError) -> AccessToken? { fixed }

    /// Returns nil, because the token is fixed: the caller receives the rejecting response. This method never throws.
    public func token(replacing rejected: AccessToken) async throws(TokenProviderError) -> AccessToken? { nil }
}

// `dump` and debuggers must not show its tokens.
extension StaticTokenProvider: CustomReflectable, RedactedReflection {}
