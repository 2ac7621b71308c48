// MartletWire: `WireTransport`, a transport with an HTTP/1.1 engine of its own for plain http.
//
// - Engine: the threads that wait for sockets, and the team that hands exchanges over to them.
// - Connections: connections, idle ones, and the opening of new ones.
// - Exchange: one exchange, and the sending of its request.
//
// Imports: MartletHTTP and MartletEngine. Start with `WireTransport` and `Engine/WireTeam.swift`.
@_exported public import MartletHTTP
