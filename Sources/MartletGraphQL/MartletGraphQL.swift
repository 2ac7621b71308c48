// MartletGraphQL: a GraphQL client over `HTTPClient` that follows the GraphQL specification and GraphQL over HTTP.
//
// - Language: documents, operations and fragments, their lexer and parser, and the rules for them.
// - Values: input values, scalars, enums, uploads and the response tree.
// - Operations: typed operations with their variables.
// - Responses: results, errors and their mapping to an app's errors, and the limits for untyped JSON.
// - HTTP: requests and responses in the form of GraphQL over HTTP.
// - ResponseStreams: `@defer`, `@stream` and subscriptions.
// - WebSocket: subscriptions and other operations over WebSocket.
// - Client: the client, the document cache, batches, persisted queries and Relay connections.
//
// Imports: MartletWebSocket and MartletWebSocketProtocol, and MartletAuth and MartletTransfers, which it re-exports. Start with
// `GraphQLOperation` and `GraphQLClient`.

@_exported public import MartletAuth
@_exported public import MartletTransfers

@_exported public import struct MartletWebSocketProtocol.WebSocketCloseCode
