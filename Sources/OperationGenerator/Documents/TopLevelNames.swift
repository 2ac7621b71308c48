internal import EndpointGenerator
internal import MartletGraphQL
internal import MartletGraphQLSchema

/// The names of the types at the top level, by their GraphQL names.
struct TopLevelNames {
    private let operations: [String: String]
    private let fragments: [String: String]
    private let schemaTypes: [String: String]
    /// All names, and the names of types of scalars, which nested types must not hide.
    let all: Set<String>

    init(_ schema: GraphQLSchema, _ source: SourceDocuments, _ options: OperationOptions) throws(OperationGeneratorError) {
        var taken = Set(options.scalars.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }.map(String.init))
        taken.formUnion(Self.libraryNames)
        var types: [String: String] = [:], files: Set<String> = [], numbers: [String: Int] = [:]
        for name in schema.types.keys.sorted() where [.enumeration, .inputObject].contains(schema.types[name]?.kind) {
            // The files of names that differ in case would replace each other on a file system that ignores it.
            let unused = Identifier.unused(SwiftNames.type(name), after: &numbers) { taken.contains($0) || files.contains($0.lowercased()) }
            files.insert(unused.lowercased())
            taken.insert(unused)
            types[name] = unused
        }
        schemaTypes = types
        // Names of documents are the user's, who can change them. A file system may ignore case.
        var owners = Dictionary(
            types.map { ($0.value.lowercased(), "the type \"\($0.key)\" of the schema") }, uniquingKeysWith: { first, _ in first })
        var problems: [OperationGeneratorError.Problem] = []
        func claim(_ name: String, _ owner: String, _ place: SourcePlace) {
            let isReserved = SwiftKeywords.typeNames.contains(name) || taken.contains(name) && owners[name.lowercased()] == nil
            if let other = isReserved ? "a type of Swift or Martlet" : owners[name.lowercased()] {
                problems.append(source.problem("\(owner) would have the Swift name \(name) of \(other): rename it", place))
            }
            owners[name.lowercased()] = owner
        }
        var operations: [String: String] = [:], fragments: [String: String] = [:]
        for fragment in source.joined.fragments {
            let name = SwiftNames.type(fragment.name)
            claim(name, "the fragment \"\(fragment.name)\"", fragment.place)
            fragments[fragment.name] = name
        }
        for operation in source.joined.operations {
            guard let own = operation.name else { continue }
            let name = SwiftNames.operation(own, operation.kind)
            claim(name, "the \(operation.kind.rawValue) \"\(own)\"", operation.place)
            operations[own] = name
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
        self.operations = operations
        self.fragments = fragments
        all = taken.union(fragments.values).union(operations.values)
    }

    func operation(_ name: String) throws(OperationGeneratorError) -> String { try operations[name].known("the operation \"\(name)\"") }

    func fragment(_ name: String) throws(OperationGeneratorError) -> String { try fragments[name].known("the fragment \"\(name)\"") }

    /// Returns the name of an enum or input object.
    func schemaType(_ name: String) throws(OperationGeneratorError) -> String { try schemaTypes[name].known("the type \"\(name)\"") }

    /// Types of MartletGraphQL in generated sources.
    static let libraryNames: Set<String> = [
        "GraphQLDocument", "GraphQLEnum", "GraphQLFragment", "GraphQLID", "GraphQLIndirect", "GraphQLMutation", "GraphQLNullable",
        "GraphQLQuery", "GraphQLSubscription", "GraphQLUpload", "JSONReadable", "JSONReader", "MartletGraphQL",
    ]
}
