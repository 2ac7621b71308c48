/// Where tokens come from: two functions.
///
/// ```swift
/// struct Vault: TokenProvider {
///     func token() async throws -> AccessToken? { try await vault.read("api") }
///     func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await vault.renew("api") }
/// }
/// let client = HTTPClient(baseURL: url, interceptors: [AuthInterceptor(Vault())])
/// ```
///
/// ``AuthInterceptor`` calls `token(replacing:)` once for all the calls that were refused with the same token, and only when `token()`
/// still gives that token. Requests that a provider itself makes, from within these functions, go out without a token of the
/// interceptor that asks, even through a client that has it, so that they can't wait for themselves.
public protocol TokenProvider: Sendable {
    /// The token to send, or nil to send none. Called for each request, by many tasks at once.
    func token() async throws -> AccessToken?
    /// A token in place of one that the server refused with a 401; nil when there is none to be had, and the 401 is the answer.
    ///
    /// What it throws reaches the callers as the cause of `HTTPError.authenticationFailed`.
    func token(replacing rejected: AccessToken) async throws -> AccessToken?
}

/// Always the same token: an API key, a personal access token, a name and password. A refused one is not replaced.
public struct StaticTokenProvider: TokenProvider {
    private let fixed: AccessToken

    /// A provider of one token.
    public init(_ token: AccessToken) { fixed = token }

    /// A provider of one bearer token.
    public init(_ value: String) { fixed = AccessToken(value) }

    /// Returns the token. It never fails.
    public func token() async throws(TokenProviderError) -> AccessToken? { fixed }

    /// Returns nil: there is no other token. It never fails.
    public func token(replacing rejected: AccessToken) async throws(TokenProviderError) -> AccessToken? { nil }
}

// `dump` and debuggers must not show its tokens.
extension StaticTokenProvider: CustomReflectable, RedactedReflection {}
