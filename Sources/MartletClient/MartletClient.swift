// MartletClient: typed requests and the client that sends them.
//
// - Requests: `Request`, `Endpoint`, paths, queries, forms, request bodies, validation, and the encoders and decoders of bodies.
// - Policies: the values that a call's options name: cache, retry, backoff and redirects, and their decisions (RFC 9110 §15.4).
// - Interceptors: the interceptor contract and the chain, header fields, idempotency keys, and the guard against private addresses.
// - Calls: the deadline of a task, and work that several calls share.
// - Client: `HTTPClient` and the steps of a call.
// - Observers: the contract of observers, and the calls that they see.
// - AppErrors: errors for an app's user interface.
//
// Imports: MartletHTTP, which it re-exports. Start with `Request`, `HTTPClient` and `Client/HTTPClient+Journey.swift`.

@_exported public import MartletHTTP
