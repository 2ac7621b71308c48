// MartletURLSession: `URLSessionTransport`, the transport over URLSession.
//
// - Sessions: sessions, their delegate, and exchanges.
// - Bodies: bodies between a task of URLSession and a Swift task.
// - Messages: requests, heads and failures in URLSession's terms.
// - Trust: server trust, pins and client identities.
//
// Imports: MartletHTTP. On Linux it links FoundationNetworking. Start with `URLSessionTransport`.
