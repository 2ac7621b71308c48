// MartletURLSession: `URLSessionTransport`, the transport over URLSession.
//
// - Sessions: sessions, their delegate, and one exchange on its way.
// - Bodies: bodies on their way between a task of URLSession and a Swift task.
// - Messages: requests, heads and failures as the URL loading system has them.
// - Trust: server trust, pins and client identities.
//
// Imports: MartletHTTP. On Linux it links FoundationNetworking. Start with `URLSessionTransport`.
