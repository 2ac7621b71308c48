// MartletGraphQL: a GraphQL client over `HTTPClient`, after the GraphQL specification and GraphQL over HTTP.
//
// - Language: documents, operations and fragments, their lexer and parser, and the rules for them.
// - Values: input values, scalars, enums, uploads and the response tree.
// - Operations: typed operations with their variables.
// - Responses: results, errors, and how much of untyped JSON is read.
// - HTTP: requests and responses as GraphQL over HTTP carries them.
// - ResponseStreams: `@defer`, `@stream` and subscriptions.
// - Caching: the document cache.
// - Client: the client, batches, persisted queries, Relay connections, and errors mapped for an app.
//
// Imports: MartletAuth and MartletTransfers, which it re-exports. Start with `GraphQLOperation` and `GraphQLClient`.

@_exported public import MartletAuth
@_exported public import MartletTransfers
