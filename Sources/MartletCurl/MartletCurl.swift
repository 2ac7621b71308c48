// MartletCurl: `CurlTransport`, the transport over libcurl's multi interface.
//
// - Engine: the thread that owns libcurl's handles, and the transfers on it.
// - Bodies: bodies on their way between the engine and tasks.
// - Decoding: content codings.
// - Lookups: name lookups beside the engine.
// - Messages, Settings, Library: heads and failures, configuration, libcurl bound at run time.
//
// Imports: MartletHTTP and CMartletCurl. Start with `CurlTransport` and `Engine/CurlEngine.swift`.
