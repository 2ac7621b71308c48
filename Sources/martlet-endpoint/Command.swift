import EndpointGenerator
import MartletEssentials
import MartletSystem

/// The program: `swift run martlet-endpoint METHOD PATH [options]`.
@main struct Command {
    static func main() {
        do throws(CommandError) {
            print(try Command(Array(CommandLine.arguments.dropFirst())).run())
        } catch {
            let text = Array("error: \(error)\n".utf8)
            _ = write(2, text, text.count)
            exit(error.status)
        }
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
        try files.write(sources, replaces: arguments.isForced)
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

/// A reason why nothing was written.
enum CommandError: Error, CustomStringConvertible {
    /// The arguments are invalid.
    case usage(String)
    /// The options or samples are invalid.
    case generator(GeneratorError)
    /// A sample can't be read.
    case input(String, reason: String)
    /// A sample is larger than the limit.
    case tooLarge(String, limit: Int)
    /// These files exist already.
    case exists([String])
    /// A file or folder can't be written.
    case output(String, reason: String)

    /// The status with which the program exits (sysexits.h).
    var status: Int32 {
        switch self {
        case .usage: 64
        case .generator(let error): error.isInSample ? 65 : 64
        case .tooLarge: 65
        case .input: 66
        case .exists, .output: 73
        }
    }

    var description: String {
        switch self {
        case .usage(let reason): "\(reason). --help shows the options"
        case .generator(let error): error.description
        case .input(let file, let reason): "\(file) can't be read: \(reason)"
        case .tooLarge(let file, let limit): "\(file) has more than \(limit) bytes. Use a smaller sample, or set --max-size"
        case .exists(let files):
            "nothing was written, because these files exist (--force replaces them):\n  " + files.joined(separator: "\n  ")
        case .output(let file, let reason): "\(file) can't be written: \(reason)"
        }
    }
}
