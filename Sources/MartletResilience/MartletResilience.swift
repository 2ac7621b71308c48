// MartletResilience: interceptors that keep an app working while a server or a network fails.
//
// - States: which requests share a state, the bounded map of the states, and counts over the last seconds.
// - Retry: sends failed requests again within a budget.
// - Breaker: rejects requests to servers that fail.
// - Limits: limits the rate and the number of concurrent requests, and obeys the server's limits.
// - Sharing: what a fleet shares of circuits and rates in a store.
// - Hedging: sends slow requests a second time.
// - Coalescing: identical requests share one exchange.
// - Connectivity: waits for a network while the device is offline.
//
// Imports: MartletClient, which it re-exports. Start with `RetryInterceptor` and `Resilience`.

@_exported public import MartletClient
