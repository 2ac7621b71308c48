import MartletGraphQLSchema
import OperationGenerator

/// Returns the files for a schema and documents.
func files(
    _ sdl: String, _ documents: String..., change: (inout OperationOptions) -> Void = { _ in }
) throws -> [GeneratedFile] {
    var options = OperationOptions()
    change(&options)
    let named = documents.enumerated().map { OperationDocument(name: "\($0 + 1).graphql", text: $1) }
    return try OperationGenerator.files(schema: GraphQLSchema(sdl: sdl), documents: named, options: options)
}

/// Returns the text of the file with a name, or an empty text.
func text(_ files: [GeneratedFile], _ name: String) -> String { files.first { $0.name == name }?.text ?? "" }
