// MartletWebSocketProtocol: RFC 6455 and RFC 7692 as values, without input and output.
//
// Imports: MartletHTTP, MartletCodings.
