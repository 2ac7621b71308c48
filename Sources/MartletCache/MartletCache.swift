// MartletCache: the HTTP cache of RFC 9111.
//
// - Directives: `Cache-Control`.
// - Keys: what a stored response is found by: URL, scope and `Vary`.
// - Freshness: ages, lifetimes and stale responses.
// - Storage: what is stored, and what invalidates it.
// - Validation: the decision for a request, preconditions and partial content.
// - Stores: the stores' contract and the store in memory.
// - Interceptor: `CacheInterceptor`, which performs the decisions.
// - Values: `values(_:options:)`, which returns the stored value and then the server's, and `ExpiringCache` for an app's own values.
//
// Imports: MartletClient, which it re-exports. Start with `CacheDecision` and `CacheInterceptor`.

@_exported public import MartletClient
