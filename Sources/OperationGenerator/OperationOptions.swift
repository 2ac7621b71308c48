internal import EndpointGenerator
internal import MartletGraphQLSchema

/// How operations are written.
package struct OperationOptions: Sendable, Hashable {
    /// Whether declarations are public, with public initializers.
    package var isPublic = false
    /// Whether types are nonisolated, for modules that isolate code to the main actor by default.
    package var isNonisolated = false
    /// Whether the descriptions of the schema are written as comments.
    package var hasDocumentation = true
    /// Whether types are `Hashable`. Without it, they take over a fifth less time to compile.
    package var isHashable = true
    /// Whether types read themselves from JSON, without synthesized decoding.
    package var isJSONReadable = false
    /// The Swift types of custom scalars, such as `Date`, `GraphQLScalarText<Decimal>` or `MoneyKit.Amount`. They must be `Codable`,
    /// `Sendable` and, unless `isHashable` is false, `Hashable`. `Upload` is `GraphQLUpload` by default.
    ///
    /// The module before a dot is imported, and Foundation for its types that are common in models.
    package var scalars: [String: String] = [:]
    /// The manifests to write.
    package var manifests: [ManifestFormat] = []
    /// The maximum number of selections that are compared to find fragments that select the same under different conditions.
    package var maxSelections = 20_000_000
    /// The maximum number of properties and cases of data for each selection of the documents, beyond the first 10,000.
    package var maxFieldsPerSelection = 20

    package init() {}

    /// Throws if the type of a scalar is invalid.
    func check(_ schema: GraphQLSchema) throws(OperationGeneratorError) {
        var problems: [OperationGeneratorError.Problem] = []
        for (scalar, type) in scalars.sorted(by: { $0.key < $1.key }) {
            if schema.types[scalar]?.kind != .scalar {
                problems.append(
                    .init("the schema has no scalar \"\(SourceText.comment(scalar))\", but \(Self.scalarOption(scalar, type)) is given"))
            }
            if SwiftTypeName(type) == nil {
                problems.append(
                    .init("\(Self.scalarOption(scalar, type)): \"\(SourceText.shortComment(type))\" is not the name of a Swift type"))
            }
        }
        if !problems.isEmpty { throw OperationGeneratorError(problems: problems) }
    }

    private static func scalarOption(_ scalar: String, _ type: String) -> String {
        "--scalar \(SourceText.comment(scalar))=\(SourceText.shortComment(type))"
    }
}

/// The form of a manifest of operations.
package enum ManifestFormat: String, Sendable, Hashable, CaseIterable {
    /// The manifest of Apollo's tools. The ID of an operation is the SHA-256 of its document.
    case apollo
    /// A JSON object with the documents by their IDs, for servers with trusted documents (GraphQL over HTTP, persisted documents).
    case trustedDocuments = "trusted-documents"
}
