// MartletInterceptors: interceptors that need neither tokens nor a cache, one folder for each concern.
//
// - Retry: sends failed requests again within a budget.
// - Headers: adds fields to every request, among them those that name the app.
// - IdempotencyKeys: marks requests that a server may receive twice.
// - Logging: writes each call to a log, and requests as cURL commands.
// - AddressGuard: refuses private addresses.
//
// Imports: MartletClient, which it re-exports. Start with `RetryInterceptor`.

@_exported public import MartletClient
