// OperationGenerator: the Swift source of GraphQL operations, from a schema and documents. It reads and writes no files.
//
// - Names: Swift names for GraphQL names.
// - Documents: the definitions of all documents, the names of their types, and their texts as literals.
// - Types: the Swift types of data, variables and input objects.
// - Output: the files.
// - Manifests: the documents that a server must know for hash-only requests.
//
// Imports: MartletGraphQLSchema, EndpointGenerator for Swift text. Start with `OperationGenerator`.
internal import MartletGraphQL
package import MartletGraphQLSchema

/// Writes the operations and fragments of documents as Swift source.
package enum OperationGenerator {
    /// Returns a file for each operation and fragment, and for each enum and input object that they use, sorted by name, then the
    /// manifests. Equal inputs give equal files.
    ///
    /// - Throws: All mistakes of the documents and options, in the order of the documents. Then nothing should be written.
    package static func files(
        schema: GraphQLSchema, documents: [OperationDocument], options: OperationOptions = OperationOptions()
    ) throws(OperationGeneratorError) -> [GeneratedFile] {
        try options.check(schema)
        let source = try SourceDocuments(documents, schema)
        let plan = try OperationPlan(schema, source, options)
        if source.hasLabels { try checkLabels(plan) }
        let swift = SwiftFiles(plan: plan).files.sorted { $0.name < $1.name }
        let manifest = OperationManifest(plan)
        return swift + (try options.manifests.map { format throws(OperationGeneratorError) in try manifest.file(format) })
    }
}

extension OperationGenerator {
    /// Throws if an operation with its fragments has invalid labels.
    private static func checkLabels(_ plan: OperationPlan) throws(OperationGeneratorError) {
        let manifest = OperationManifest(plan)
        var problems: [OperationGeneratorError.Problem] = []
        for operation in plan.operations {
            let violations = try manifest.document(of: operation).violations(in: plan.schema)
            for violation in violations where violation.rule == .deferStreamDirectiveLabel {
                let message = "\(violation.message), in \(operation.name) with its fragments"
                problems.append(plan.source.problem(message, operation.definition.place))
            }
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
    }
}

/// A file with operations or fragments.
package struct OperationDocument: Sendable, Hashable {
    /// The name that errors and the first line of generated files show.
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A file to write.
package struct GeneratedFile: Sendable, Hashable {
    package let name: String
    package let text: String
}
