// MartletCache: the HTTP cache of RFC 9111.
//
// - Directives: `Cache-Control`.
// - Keys: the keys of stored responses: URL, scope and `Vary`.
// - Freshness: ages, lifetimes and stale responses.
// - Storage: which responses may be stored, and what invalidates them.
// - Validation: the decision for a request, preconditions and partial content.
// - Stores: the protocol for stores, and the in-memory store.
// - Interceptor: `CacheInterceptor`, which performs the decisions.
// - Values: `values(_:options:)`, which returns the stored value and then the server's, and `ExpiringCache` for an app's own values.
//
// Imports: MartletClient, which it re-exports. Start with `CacheDecision` and `CacheInterceptor`.

@_exported public import MartletClient
