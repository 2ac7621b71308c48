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

/// Returns the properties in the file with a name, each as a declaration of its own: `let a: Int`.
func properties(_ files: [GeneratedFile], _ name: String, _ keyword: String = "let") -> [String] {
    lines(files, name).flatMap { line -> [String] in
        let parts = line.split(separator: "{ \(keyword) ")
        if line.hasPrefix("\(keyword) ") { return [line] }
        guard parts.count == 2, line.hasSuffix(" }") else { return [] }
        return parts[1].dropLast(2).split(separator: ", ").map { "\(keyword) \($0)" }
    }
}
