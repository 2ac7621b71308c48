// MartletWebSocket: connections of WebSocket over a client (RFC 6455), typed channels and reconnection.
//
// Imports: MartletTransfers, MartletWebSocketProtocol.
