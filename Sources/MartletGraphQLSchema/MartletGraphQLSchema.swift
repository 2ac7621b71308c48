// The types of a GraphQL service, read from SDL or from the response to an introspection query, and the validation of documents against
// them (GraphQL, September 2025, §3 and §5). Pure: it sends nothing.
//
// - `GraphQLSchema` is the entry point.
// - `Types` has the definitions.
// - `Reading` reads them from SDL and from introspection responses, and checks the rules of schemas.
//
// Imports: MartletGraphQL, whose parser reads documents and SDL. Start with `GraphQLSchema`.
