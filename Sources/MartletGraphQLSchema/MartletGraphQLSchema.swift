// MartletGraphQLSchema: the types of a GraphQL service, read from SDL or from the response to an introspection query, and the validation
// of documents against them (GraphQL, September 2025, §3 and §5). Pure: it sends nothing.
//
// - `GraphQLSchema`: the types and directives by their names.
// - Types: the definitions of types, fields and directives.
// - Reading: SDL and introspection responses, and the rules for schemas.
// - Validation: the rules for documents. `DocumentValidator` applies them, and `DocumentWalk` follows the types.
//
// Imports: MartletGraphQL, whose parser reads documents and SDL. Start with `GraphQLSchema`.
