// MartletEngine: what the engines of MartletCurl and MartletWire share.
//
// - Threads: threads and executors of engines, and the processes that own them.
// - Bodies: request and response bodies between an engine and tasks.
// - Requests: the head of a request as bytes.
// - Responses: heads, framing and the reception of a response, as values.
// - Admission: which requests may use a connection now, and on which engine.
// - Connections: rules for kept-alive connections, and the results of name lookups.
//
// Imports: MartletHTTP, MartletCodings and CMartletEngine. Start with `Responses/Reception.swift`.
