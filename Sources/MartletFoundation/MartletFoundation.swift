// MartletFoundation: Martlet's requests with Foundation's own types, for code that stays with URLSession.
//
// - `URLSession.send(_:)` sends a typed request with a session of your own.
// - `URLRequest.init(_:)` turns an `HTTPRequest` into a `URLRequest`.
//
// Imports: MartletClient, which it re-exports, and MartletURLSession. On Linux it links FoundationNetworking.

@_exported public import MartletClient
