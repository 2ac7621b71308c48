import GeneratorCommand
import MartletEssentials
import MartletGraphQLSchema
import MartletHTTP
import OperationGenerator

/// The program: `swift run martlet-graphql --schema FILE --operations FOLDER --output FOLDER [options]`.
@main struct Command {
    static func main() async {
        do throws(CommandError) {
            let command = try Command(Array(CommandLine.arguments.dropFirst()))
            if let warning = command.warning { CommandError.printLine("warning: \(warning)") }
            print(try await command.run())
        } catch { error.exitProgram() }
    }

    private let arguments: Arguments
    private let files: Files
    private let environment: [String: String]

    init(_ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandError) {
        self.arguments = try Arguments(arguments)
        self.environment = environment
        files = Files(directory: self.arguments.directory)
    }

    /// What the user should know before the program runs, or nil.
    var warning: String? {
        guard !arguments.headers.isEmpty, let url = arguments.introspection.flatMap({ URL(string: $0) }), let host = url.host else {
            return nil
        }
        if url.scheme?.lowercased() != "http" || HostSpelling(host).isLoopback { return nil }
        return "the header fields are sent to \(Redaction.visible(host)) without encryption. Use https"
    }

    /// Generates and writes the files. Returns the text to print.
    func run() async throws(CommandError) -> String {
        if arguments.wantsHelp { return Help.text }
        guard let url = arguments.introspection else { return try generate(try localSchema(), OutputPlan(files)) }
        let introspection = try Introspection(url: url, headers: arguments.headers, environment: environment, maxSize: arguments.maxSize)
        do throws(CommandError) {
            var plan = OutputPlan(files)
            let schema = try await download(introspection, &plan)
            return try generate(schema, plan)
        } catch { throw introspection.redacted(error) }
    }

    private func generate(_ schema: GraphQLSchema, _ plan: OutputPlan) throws(CommandError) -> String {
        var plan = plan
        if let output = arguments.output {
            let generated = try generate(schema)
            let swift = generated.dropLast(arguments.manifests.count)
            try plan.addGenerated(swift.map { ($0.name, $0.text) }, from: operations, in: output)
            for (file, manifest) in zip(generated.suffix(arguments.manifests.count), arguments.manifests) {
                try plan.addManifest(files.url(manifest.file), file.text)
            }
        }
        if arguments.isCheck { return try plan.check() }
        return try plan.write()
    }

    private var operations: SourceFiles { SourceFiles(arguments.operations, files) }

    private func generate(_ schema: GraphQLSchema) throws(CommandError) -> [GeneratedFile] {
        let schemas = SourceFiles(arguments.schemas, files)
        let documents = try operations.read(["graphql", "gql"], without: schemas, limit: arguments.maxSize)
        guard !documents.isEmpty else {
            throw .invalid("there are no .graphql files in \(arguments.operations.joined(separator: ", "))", status: 66)
        }
        do {
            let documents = documents.map { OperationDocument(name: $0.name, text: $0.text) }
            return try OperationGenerator.files(schema: schema, documents: documents, options: arguments.options)
        } catch { throw .mistakes(error.problems.map(\.description), status: 65) }
    }

    // MARK: Reading

    private func download(_ introspection: Introspection, _ plan: inout OutputPlan) async throws(CommandError) -> GraphQLSchema {
        let response = try await introspection.response()
        let file = arguments.schemas[0], isJSON = file.lowercased().hasSuffix(".json")
        let schema = try read { () throws(GraphQLSchemaError) in try GraphQLSchema(introspection: response) }
        try plan.addSchema(files.url(file), isJSON ? String(decoding: response, as: UTF8.self) : schema.sdl)
        return schema
    }

    private func localSchema() throws(CommandError) -> GraphQLSchema {
        let sources = try SourceFiles(arguments.schemas, files).read(["graphqls"], limit: arguments.maxSize)
        guard let first = sources.first else {
            throw .invalid("there are no .graphqls files in \(arguments.schemas.joined(separator: ", "))", status: 66)
        }
        guard sources.contains(where: { $0.name.lowercased().hasSuffix(".json") }) else {
            return try read { () throws(GraphQLSchemaError) in try GraphQLSchema(sdl: sources) }
        }
        if sources.count > 1 { throw .usage("--schema: an introspection response is a schema of its own: \(first.name)") }
        return try read(first.name) { () throws(GraphQLSchemaError) in try GraphQLSchema(introspection: Data(first.text.utf8)) }
    }

    private func read(
        _ file: String? = nil, _ schema: () throws(GraphQLSchemaError) -> GraphQLSchema
    ) throws(CommandError) -> GraphQLSchema {
        do { return try schema() } catch {
            let limit = 200, more = error.mistakes.count - limit
            let lines = error.mistakes.prefix(limit).map { mistake in
                let place = [mistake.file ?? file, mistake.line.map(String.init), mistake.column.map(String.init)].compactMap(\.self)
                return (place + [place.isEmpty ? "" : " "]).joined(separator: ":") + "error: \(Redaction.visible(mistake.message))"
            }
            throw .mistakes(lines + (more > 0 ? ["error: \(more) more"] : []), status: 65)
        }
    }
}
