// MartletMockServer: a scriptable HTTP server on the loopback interface, for tests over real sockets.
//
// - Server: the script of a `MockServer`, and its event loop.
// - Exchange: reading requests and writing replies.
// - WebSockets: playing the scripts of WebSockets, also in memory, and what arrives on them.
// - Replies: what the server replies, and what goes wrong with a reply.
// - Matching: request matchers, snapshots, and the table of stubs.
// - Recording: what tests wait for.
// - Sockets, TLS: the server's side of a connection.
//
// Imports: MartletHTTP, which it re-exports, and MartletWebSocketProtocol, of which it re-exports the vocabulary of WebSockets. Start with
// `MockServer` and `MockReply`.

@_exported public import MartletHTTP

@_exported public import struct MartletWebSocketProtocol.WebSocketCloseCode
@_exported public import struct MartletWebSocketProtocol.WebSocketCompression
@_exported public import enum MartletWebSocketProtocol.WebSocketMessage
