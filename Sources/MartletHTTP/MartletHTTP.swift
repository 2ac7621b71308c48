// MartletHTTP: HTTP's vocabulary as values, and the `Transport` contract.
//
// - Fields: names and values of header fields, and the fields whose syntax has rules of its own (RFC 9110, 9111, 8288, 9530).
// - Messages: methods, statuses, requests with their context, responses with their metadata, and the trace of a call.
// - Body: bodies in memory, in files and as streams, and writing multipart bodies.
// - Errors: `HTTPError` and its payloads.
// - Redaction: the one list of secret names, and text without secrets.
// - Trace: the record of a call, its trace, and the events that observers get.
// - URIs: origins, references, percent-encoding, hosts and addresses.
// - Digests: CRC-32, SHA-2, HMAC and hexadecimal text.
// - Transport: the contract of a transport, its TLS and proxy settings, and the running calls.
//
// Imports: MartletJSON, which it re-exports, and MartletSystem, of which it re-exports only the times and random sources. Start with
// `HTTPRequest`, `HTTPResponse` and `Transport`.

@_exported public import MartletJSON

@_exported public import protocol MartletSystem.RandomSource
@_exported public import protocol MartletSystem.ScheduledTimer
@_exported public import struct MartletSystem.SystemRandom
@_exported public import struct MartletSystem.SystemTime
@_exported public import protocol MartletSystem.TimeSource
