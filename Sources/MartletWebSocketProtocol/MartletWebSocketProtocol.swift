// MartletWebSocketProtocol: RFC 6455 and RFC 7692 as values, without input and output.
//
// Its files in their order:
//
// - `WebSocketMessage`, `WebSocketCloseCode`, `WebSocketViolation`: the vocabulary.
// - `UTF8Check`, `WebSocketFrame`, `WebSocketFrameDecoder`: frames as bytes.
// - `WebSocketAssembler`: the receiving half of a connection, from bytes to messages and control frames.
// - `WebSocketConnectionMachine`: both halves with the closing handshake.
// - `SHA1`, `WebSocketHandshake`: the opening handshake.
// - `PermessageDeflate`, `MessageCompression`: the parameters of compression, their negotiation, and compressed messages.
//
// Imports: MartletHTTP, MartletCodings. Start with `WebSocketConnectionMachine`.
