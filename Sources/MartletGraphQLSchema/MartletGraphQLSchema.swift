// The types of a GraphQL service, read from SDL or from the response to an introspection query, and the validation of documents against
// them (GraphQL, September 2025, §3 and §5). Pure: it sends nothing.
//
// - `GraphQLSchema` is the entry point.
// - `Types` has the definitions.
// - `Reading` reads them from SDL and from introspection responses, and checks the rules of schemas.
// - `Validation` checks documents: `DocumentValidator` is its start, `DocumentWalk` follows the types, and each file of rules has its own.
//
// Imports: MartletGraphQL, whose parser reads documents and SDL. Start with `GraphQLSchema`.
