// MartletWebSocket: connections of WebSocket over a client (RFC 6455), typed channels and reconnection.
//
// - Opening: `webSocket(_:protocols:options:)` of clients, and the handshake.
// - Connection: `WebSocket`, its options and errors, and the links to a transport.
// - Channels: messages as values.
// - Reconnection: a connection that is opened again, over the loop of MartletTransfers.
//
// Imports: MartletTransfers, and MartletWebSocketProtocol, of which it re-exports the vocabulary of WebSockets. Start with `WebSocket` and
// `Opening/WebSocketOpening.swift`.

@_exported public import struct MartletWebSocketProtocol.WebSocketCloseCode
@_exported public import struct MartletWebSocketProtocol.WebSocketCompression
@_exported public import struct MartletWebSocketProtocol.WebSocketLimits
@_exported public import enum MartletWebSocketProtocol.WebSocketMessage
