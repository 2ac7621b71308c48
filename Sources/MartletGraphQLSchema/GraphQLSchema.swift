package import MartletGraphQL

/// The types of a GraphQL service, against which documents are validated.
///
/// ```swift
/// let schema = try GraphQLSchema(sdl: "type Query { hero(id: ID!): Hero } type Hero { name: String! }")
/// ```
public struct GraphQLSchema: Sendable {
    /// The types by their names, with the built-in scalars and the types of introspection.
    package let types: [String: SchemaType]
    /// The names of the types that the schema itself defines, in its order.
    package let ownTypes: [String]
    /// The directives by their names, with the built-in ones.
    package let directives: [String: DirectiveDefinition]
    /// The names of the root types.
    package let roots: [GraphQLOperationKind: String]
    /// The names of the directives that the schema itself defines, in its order.
    package let ownDirectives: [String]
    package let description: String?
    private let possible: [String: Set<String>]

    /// - Parameters:
    ///   - types: All types in the order of the schema, without those that are built in.
    ///   - directives: The directives that the schema defines. One of them may replace a directive that is built in.
    ///   - hasIncrementalDelivery: Whether `@defer` and `@stream` are built in. Default: true.
    package init(
        types: [SchemaType], directives: [DirectiveDefinition], roots: [GraphQLOperationKind: String], description: String? = nil,
        hasIncrementalDelivery: Bool = true
    ) {
        ownTypes = types.map(\.name)
        ownDirectives = directives.map(\.name)
        let builtIn = BuiltInDefinitions.directives.filter { hasIncrementalDelivery || !["defer", "stream"].contains($0.name) }
        let types = types + BuiltInDefinitions.types, directives = directives + builtIn
        self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.directives = Dictionary(directives.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.roots = roots
        self.description = description
        var possible: [String: Set<String>] = [:]
        for type in types {
            switch type.kind {
            case .object:
                possible[type.name, default: []].insert(type.name)
                for interface in type.interfaces { possible[interface, default: []].insert(type.name) }
            case .union: possible[type.name, default: []].formUnion(type.members)
            case .interface, .scalar, .enumeration, .inputObject: break
            }
        }
        self.possible = possible
    }

    /// The object types that a value of a composite type may have.
    package func possibleTypes(of name: String) -> Set<String> { possible[name] ?? [] }
}
