// MartletAuth: access tokens: where they come from, where they are stored, how they are attached and refreshed.
//
// - Tokens: `AccessToken`, the contract of stores, and the schemes for attaching a token.
// - OAuth2: the protocol (RFC 6749, 7636).
// - Providers: the contract of providers, the provider over a store and that of OAuth 2, and one refresh for all waiters.
// - Interceptor: `AuthInterceptor`.
//
// Imports: MartletClient, which it re-exports. Start with `TokenProvider` and `AuthInterceptor`.

@_exported public import MartletClient
