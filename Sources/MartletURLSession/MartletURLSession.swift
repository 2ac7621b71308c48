// MartletURLSession: `URLSessionTransport`, the transport over URLSession.
//
// - Sessions: sessions, their delegate and trust, exchanges, and bodies between a task of URLSession and a Swift task.
// - Messages: requests, heads and failures in URLSession's terms.
//
// Imports: MartletHTTP. On Linux it links FoundationNetworking. Start with `URLSessionTransport`.
