import MartletGraphQLSchema
import OperationGenerator

/// Returns a schema.
func schema(_ sdl: String) throws -> GraphQLSchema { try GraphQLSchema(sdl: sdl) }

/// Returns the files for a schema and documents.
func files(
    _ sdl: String, _ documents: String..., change: (inout OperationOptions) -> Void = { _ in }
) throws -> [GeneratedFile] {
    var options = OperationOptions()
    change(&options)
    let named = documents.enumerated().map { OperationDocument(name: "\($0 + 1).graphql", text: $1) }
    return try OperationGenerator.files(schema: schema(sdl), documents: named, options: options)
}

/// Returns the lines of the file with a name, without indentation.
func lines(_ files: [GeneratedFile], _ name: String) -> [String] {
    let text = files.first { $0.name == name }?.text ?? ""
    return text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
}
