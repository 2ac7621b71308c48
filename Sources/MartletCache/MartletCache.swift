// MartletCache: the HTTP cache of RFC 9111.
//
// - Storage: `Cache-Control`, the settings of a cache, stored responses, their keys and variants, ranges, which responses may be stored,
//   and what invalidates them.
// - Freshness: ages, lifetimes, validation and stale responses, and the decision for a request.
// - Stores: the protocol for stores, and the in-memory store.
// - Interceptor: `CacheInterceptor`, which performs the decisions.
// - Values: `values(_:options:)`, which returns the stored value and then the server's, and `ExpiringCache` for an app's own values.
//
// Imports: MartletClient, which it re-exports. Start with `CacheDecision` and `CacheInterceptor`.

@_exported public import MartletClient
