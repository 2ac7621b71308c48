public import MartletEssentials
internal import MartletGraphQL

extension GraphQLSchema {
    /// Creates a schema from the response to ``introspectionQuery``, `{"data":{"__schema":…}}`, or from the value of its `data`.
    ///
    /// - Throws: Every mistake of the schema. A mistake has no line, and its message names the type and field.
    public init(introspection json: Data) throws(GraphQLSchemaError) {
        let response: JSONValue
        do throws(DecodingError) {
            response = try JSONValue(parsing: json)
        } catch {
            throw GraphQLSchemaError(mistakes: [GraphQLSchemaError.Mistake("the response is not JSON: \(Self.reason(error))")])
        }
        var definitions = IntrospectionReader.read(response)
        if definitions.mistakes.isEmpty { SchemaRules.check(&definitions) }
        guard definitions.mistakes.isEmpty else {
            throw GraphQLSchemaError(mistakes: definitions.mistakes.map { GraphQLSchemaError.Mistake($0.message) })
        }
        self.init(definitions)
    }

    private static func reason(_ error: DecodingError) -> String {
        if case .dataCorrupted(let context) = error { context.debugDescription } else { "\(error)" }
    }

    /// The query for everything that a schema has, by the specification of September 2025.
    ///
    /// A server that does not know one of the newer fields refuses it: send ``introspectionQueryForOlderServers`` then.
    public static let introspectionQuery = introspectionQuery(isComplete: true)

    /// The query without the additions since the specification of June 2018: deprecated arguments and input fields, `specifiedByURL`,
    /// `isOneOf`, `isRepeatable` and the description of the schema.
    public static let introspectionQueryForOlderServers = introspectionQuery(isComplete: false)

    private static func introspectionQuery(isComplete: Bool) -> String {
        let all = isComplete ? "(includeDeprecated: true)" : ""
        let schema = isComplete ? "\n    description" : "", repeatable = isComplete ? "\n      isRepeatable" : ""
        let type = isComplete ? "\n  specifiedByURL\n  isOneOf" : "", input = isComplete ? "\n  isDeprecated\n  deprecationReason" : ""
        let depth = 9
        let reference = (0..<depth).reduce("kind name") { inner, _ in "kind name ofType { \(inner) }" }
        return """
            query IntrospectionQuery {
              __schema {\(schema)
                queryType { name }
                mutationType { name }
                subscriptionType { name }
                types { ...FullType }
                directives {
                  name
                  description\(repeatable)
                  locations
                  args\(all) { ...InputValue }
                }
              }
            }
            fragment FullType on __Type {
              kind
              name
              description\(type)
              fields(includeDeprecated: true) {
                name
                description
                args\(all) { ...InputValue }
                type { ...TypeRef }
                isDeprecated
                deprecationReason
              }
              inputFields\(all) { ...InputValue }
              interfaces { ...TypeRef }
              enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
              possibleTypes { ...TypeRef }
            }
            fragment InputValue on __InputValue {
              name
              description
              type { ...TypeRef }
              defaultValue\(input)
            }
            fragment TypeRef on __Type { \(reference) }

            """
    }
}
