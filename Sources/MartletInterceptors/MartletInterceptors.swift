// MartletInterceptors: interceptors that need neither tokens nor a cache, one folder for each concern.
//
// - Retry: sends failed requests again within a budget.
// - Resilience: circuit breaker, limits, hedging, coalescing, and waiting for a network. Shared: what a fleet shares of them.
// - Headers: adds fields to requests, such as the name of the app.
// - IdempotencyKeys: adds keys with which a server recognises repeated requests.
// - Logging: writes each call to a log.
// - AddressGuard: rejects requests to private addresses.
// - Cookies: stores the cookies of responses and sends them with later requests; remembers hosts that require https.
//
// Imports: MartletClient, which it re-exports. Start with `RetryInterceptor`.

@_exported public import MartletClient
