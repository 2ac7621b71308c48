internal import MartletGraphQL

/// The rules for type systems (GraphQL, September 2025, §3).
struct SchemaRules {
    /// Merges extensions, finds the root types, and reports every violation.
    static func check(_ definitions: inout SchemaDefinitions) {
        definitions.types.removeAll { BuiltInDefinitions.typeNames.contains($0.name) }
        definitions.merge()
        definitions.addConventionalRoots()
    }
}

extension SchemaDefinitions {
    /// Adds the root types with the names of the convention to a schema that has no `schema`.
    mutating func addConventionalRoots() {
        guard schemas.isEmpty else { return }
        for (kind, name) in [(GraphQLOperationKind.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription")] {
            guard !roots.contains(where: { $0.kind == kind }), let type = types.first(where: { $0.name == name }) else { continue }
            if type.kind == .object { roots.append(Root(kind: kind, type: name, place: type.place)) }
        }
    }
}
