// MartletWebSocketProtocol: RFC 6455 and RFC 7692 as values, without input and output.
//
// - `WebSocketMessage`, `WebSocketCloseCode`, `WebSocketViolation`: the vocabulary.
// - `UTF8Check`, `WebSocketFrame`, `WebSocketFrameDecoder`: frames as bytes.
// - `WebSocketAssembler`: the receiving half of a connection, from bytes to messages and control frames.
// - `WebSocketConnectionMachine`: both halves with the closing handshake.
// - `SHA1`, `WebSocketHandshake`: the opening handshake.
// - `PermessageDeflate`, `MessageCompression`: the parameters of compression, their negotiation, and compressed messages.
//
// The vocabulary and `WebSocketCompression` are public: the products re-export them by name. Everything else is `package`.
//
// Imports: MartletHTTP, MartletCodings. Start with `WebSocketConnectionMachine`.
