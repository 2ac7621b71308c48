// MartletTesting: test doubles for apps that use Martlet.
//
// - Client, GraphQL, Transport: `HTTPClientMock`, `GraphQLClientMock`, `MockTransport` and `WebSocketMock`.
// - Time: `ManualTime`.
// - Cassettes: recording real exchanges and replaying them.
//
// Imports: Martlet, MartletGraphQLSchema, MartletWebSocket and MartletMockServer, and re-exports the first and the last. Start with
// `MockTransport`.

@_exported public import Martlet
@_exported public import MartletMockServer
