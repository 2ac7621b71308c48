// MartletHTTP: HTTP's vocabulary as values, and the `Transport` contract.
//
// Its folders in their order; the last five refer to each other.
//
// - URIs: origins, references, percent-encoding, hosts and addresses, and the characters of tokens.
// - Fields: names and values of header fields, the one list of secret names, and the fields whose syntax has rules of its own (RFC 9110,
//   9111, 8288).
// - Redaction: text without secrets.
// - Digests: CRC-32, SHA-2 (large ones by the system's library), HMAC and the fields with digests (RFC 9530).
// - Body: bodies in memory, in files and as streams, and writing multipart bodies.
// - Messages: methods, statuses, requests with their context and target, responses with their metadata, and the trace of a call.
// - Errors: `HTTPError` and its payloads.
// - Transport: the contract of a transport, its TLS and proxy settings, the policy for addresses, and the running calls.
//
// Imports: MartletJSON, which it re-exports, MartletOpenSSL on Linux, and MartletSystem, of which it re-exports only the times and random
// sources. Start with `HTTPRequest`, `HTTPResponse` and `Transport`.

@_exported public import MartletJSON

@_exported public import protocol MartletSystem.RandomSource
@_exported public import protocol MartletSystem.ScheduledTimer
@_exported public import struct MartletSystem.SystemRandom
@_exported public import struct MartletSystem.SystemTime
@_exported public import protocol MartletSystem.TimeSource
