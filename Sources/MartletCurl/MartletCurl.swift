// MartletCurl: `CurlTransport`, the transport over libcurl's multi interface.
//
// - Engine: the threads that own libcurl's handles, the admission and deal of requests among them, and transfers.
// - Exchange: what a transfer decides, as values: the reception of a response, the sending of a request, shares of a round.
// - Bodies: request and response bodies between the engine and tasks.
// - Decoding: content codings.
// - Lookups: name lookups outside the engine.
// - Messages, Settings, Library: heads and failures, configuration, and loading libcurl at run time.
//
// Imports: MartletHTTP and CMartletCurl. Start with `CurlTransport` and `Engine/CurlEngine.swift`.
