// MartletCurl: `CurlTransport`, the transport over libcurl's multi interface.
//
// - Engine: the threads that own libcurl's handles, their rounds, and transfers.
// - Exchange: what a transfer decides, as values: the sending of a request, and upgrades.
// - Lookups: name lookups outside the engine.
// - Messages: the fields of a request, and failures.
// - Settings: configuration, routes and trust, and loading libcurl at run time.
//
// Imports: MartletHTTP, MartletEngine and CMartletCurl. Start with `CurlTransport` and `Engine/CurlEngine.swift`.
