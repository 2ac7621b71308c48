// MartletGraphQL: a GraphQL client over `HTTPClient`, after the GraphQL specification and GraphQL over HTTP.
//
// - Syntax: the lexer and parser of executable documents.
// - Documents: documents with fragments, and the rules they are checked by.
// - Values: inputs, scalars, uploads and the response tree.
// - Operations, Results, Client: typed operations, their results, and the client.
// - Messages: requests and responses as HTTP carries them.
// - Incremental, Subscriptions: `@defer`, `@stream` and subscriptions.
// - Caching: the document cache. Pages: Relay connections. AppErrors: errors as an app's user sees them.
//
// Imports: MartletAuth and MartletTransfers, which it re-exports. Start with `GraphQLOperation` and `GraphQLClient`.

@_exported public import MartletAuth
@_exported public import MartletTransfers
