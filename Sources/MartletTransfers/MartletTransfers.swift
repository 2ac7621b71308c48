// MartletTransfers: bodies larger than one value, and sequences of responses.
//
// - Streaming: streams of bytes, lines and JSON elements, and progress.
// - Reconnection: the loop that reads a stream over several connections, and when it reconnects.
// - Events: server-sent events (HTML, "Server-sent events") with reconnection.
// - Multipart: reading multipart bodies (RFC 2046).
// - Pages: following pages.
// - Downloads: downloads to files, with resumption.
// - Uploads: uploads from files, including resumable ones (tus).
//
// Imports: MartletClient, which it re-exports. Start with the extensions of `EndpointClient`, such as `EndpointClient+Download.swift`.

@_exported public import MartletClient
