import EndpointGenerator
import GeneratorCommand
import MartletEssentials

/// The program: `swift run martlet-endpoint METHOD PATH [options]`.
@main struct Command {
    static func main() {
        do throws(CommandError) {
            print(try Command(Array(CommandLine.arguments.dropFirst())).run())
        } catch { error.exitProgram() }
    }

    private let arguments: Arguments
    private let files: Files

    init(_ arguments: [String]) throws(CommandError) {
        self.arguments = try Arguments(arguments)
        files = Files(directory: self.arguments.directory)
    }

    /// Generates and writes the files. Returns the text to print.
    func run() throws(CommandError) -> String {
        if arguments.wantsHelp { return Help.text }
        var options = arguments.options
        options.module = options.module ?? module
        let responses = try samples(arguments.responses), bodies = try samples(arguments.bodies)
        let plan: EndpointPlan
        do { plan = try EndpointPlan(options, responses: responses, bodies: bodies) } catch { throw .generator(error) }
        let existing = try plan.repository.map { name throws(CommandError) in try files.find("\(name).swift", under: arguments.output) }
        let endpoint = plan.generate(existingRepository: existing ?? nil)
        let sources = endpoint.files.compactMap { file in
            (file.isTest ? arguments.tests : arguments.output).map { (files.url($0).appendingPathComponent(file.name), file.text) }
        }
        if arguments.isDryRun { return Command.preview(sources) + "\n" + checklist(endpoint) }
        try files.write(sources, replaces: arguments.isForced, advice: "--force replaces them")
        return "Wrote \(plan.title):\n" + sources.map { "  \($0.0.path)\n" }.joined() + "\n" + checklist(endpoint)
    }

    private func samples(_ names: [String]) throws(CommandError) -> [Sample] {
        var samples: [Sample] = []
        for name in names {
            let data = try files.read(name, limit: arguments.maxSize)
            do { samples.append(try Sample(file: name, data, maxDepth: arguments.options.maxDepth)) } catch { throw .generator(error) }
        }
        return samples
    }

    /// The module of the endpoint: the folder after `Sources` in its path. Nil if the test is in the same module.
    private var module: String? {
        guard let tests = arguments.tests else { return nil }
        let output = files.url(arguments.output).standardizedFileURL.path, home = files.url(tests).standardizedFileURL.path
        if home == output || home.hasPrefix(output + "/") { return nil }
        let folders = output.split(separator: "/")
        guard let place = folders.lastIndex(of: "Sources"), place + 1 < folders.count else { return nil }
        return Identifier.module(String(folders[place + 1]))
    }

    private static func preview(_ sources: [(URL, String)]) -> String {
        sources.map { "// \($0.path)\n\n\($1)" }.joined(separator: "\n")
    }

    private func checklist(_ endpoint: GeneratedEndpoint) -> String {
        let hint = "Tests: none was written. Give the folder of the tests with --tests."
        let steps = arguments.tests == nil ? endpoint.checklist.dropLast() + [hint] : endpoint.checklist
        return "What remains to be done:\n" + steps.map { "  [ ] \($0.replacing("\n", with: "\n    "))" }.joined(separator: "\n")
    }
}

extension CommandError {
    /// The options or samples are invalid.
    fileprivate static func generator(_ error: GeneratorError) -> CommandError {
        .invalid(error.description, status: error.isInSample ? 65 : 64)
    }
}
