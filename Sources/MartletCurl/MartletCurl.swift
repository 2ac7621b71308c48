// MartletCurl: `CurlTransport`, the transport over libcurl's multi interface.
//
// - Engine: the threads that own libcurl's handles, their rounds, the admission and deal of requests among them, and transfers.
// - Exchange: what a transfer decides, as values: the reception of a response, the sending of a request.
// - Bodies: request and response bodies between the engine and tasks.
// - Lookups: name lookups outside the engine.
// - Messages: heads and failures.
// - Settings: configuration, routes and trust, and loading libcurl at run time.
//
// Imports: MartletHTTP, MartletCodings and CMartletCurl. Start with `CurlTransport` and `Engine/CurlEngine.swift`.
