// MartletCache: the HTTP cache of RFC 9111.
//
// - Directives: `Cache-Control`, and the settings of a cache.
// - Keys: the keys of stored responses and of their variants.
// - Storage: stored responses, their scope and `Vary`, which responses may be stored, and what invalidates them.
// - Validation: preconditions and ranges.
// - Freshness: ages, lifetimes and stale responses, and the decision for a request.
// - Stores: the protocol for stores, and the in-memory store.
// - Interceptor: `CacheInterceptor`, which performs the decisions.
// - Values: `values(_:options:)`, which returns the stored value and then the server's, and `ExpiringCache` for an app's own values.
//
// Imports: MartletClient, which it re-exports. Start with `CacheDecision` and `CacheInterceptor`.

@_exported public import MartletClient
