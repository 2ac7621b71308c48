// MartletAuth: access tokens: where they come from, where they are stored, how they are attached and refreshed.
//
// - Tokens: `AccessToken`, the stores' contract and the schemes of attaching a token.
// - Providers: the providers' contract, the provider over a store, and one refresh for all waiters.
// - OAuth2: the protocol (RFC 6749, 7636), and the provider that refreshes by it.
// - Interceptor: `AuthInterceptor` and its decisions.
//
// Imports: MartletClient, which it re-exports. Start with `TokenProvider` and `AuthInterceptor`.

@_exported public import MartletClient
