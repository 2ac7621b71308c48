// MartletResilience: interceptors that keep an app working while a server or a network fails.
//
// - Breaker: rejects requests to servers that fail.
// - Limits: limits the rate and the number of concurrent requests, and obeys the server's limits.
//
// Beside the folders: the interceptors that are smaller, which requests share a state (`TrafficScope`), and what a fleet shares of circuits
// and rates in a store (`SharedTrafficState`).
//
// Imports: MartletClient, which it re-exports. Start with `RetryInterceptor` and `Resilience`.

@_exported public import MartletClient
