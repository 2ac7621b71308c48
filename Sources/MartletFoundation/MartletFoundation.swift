// MartletFoundation: Martlet's requests with Foundation's types, for code that keeps using URLSession.
//
// - `URLSession.send(_:)` sends a typed request with your own session.
// - `URLRequest.init(_:)` converts an `HTTPRequest` into a `URLRequest`.
//
// Imports: MartletClient, which it re-exports, and MartletURLSession. On Linux it links FoundationNetworking.

@_exported public import MartletClient
