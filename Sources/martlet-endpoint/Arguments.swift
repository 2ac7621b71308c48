import EndpointGenerator
import GeneratorCommand

/// The arguments of the command line.
struct Arguments {
    var options = GeneratorOptions(method: "", path: "")
    /// The files of samples. `-` is standard input.
    var responses: [String] = []
    var bodies: [String] = []
    /// The folder for the endpoint, its models and the repository. Default: the current folder.
    var output = "."
    /// The folder for the test. Default: nil, no test is written.
    var tests: String?
    /// The folder that relative paths begin at. Default: nil, the current folder.
    var directory: String?
    var maxSize = 1_000_000
    var isForced = false
    var isDryRun = false
    var wantsHelp = false

    /// Parses arguments without the program's name.
    init(_ arguments: [String]) throws(CommandError) {
        let syntax = ArgumentSyntax(flags: Arguments.flags, values: Arguments.valueOptions, repeatable: Arguments.repeatableOptions)
        var positions: [String] = []
        for argument in try syntax.parse(arguments) {
            switch argument {
            case .flag(let option): set(option)
            case .value(let value, let option): try set(option, value)
            case .position(let position): positions.append(position)
            }
        }
        if wantsHelp { return }
        guard positions.count == 2 else {
            if positions.count < 2 { throw .usage("a method and a path are needed, such as GET /users/{id}") }
            throw .usage("too many arguments: \(positions.dropFirst(2).joined(separator: " "))")
        }
        options.method = positions[0]
        options.path = positions[1]
        // The reader does not convert names.
        if options.isSnakeCase, options.isJSONReadable { throw .usage("--json-readable can't be given with --snake-case") }
        guard (responses + bodies).count(where: { $0 == "-" }) <= 1 else { throw .usage("only one sample can be standard input") }
    }

    private static let flags: Set<String> = [
        "--help", "-h", "--force", "--dry-run", "--public", "--nonisolated", "--snake-case", "--json-readable", "--decimal", "--no-enums",
        "--no-repository",
    ]

    private mutating func set(_ flag: String) {
        switch flag {
        case "--help", "-h": wantsHelp = true
        case "--force": isForced = true
        case "--dry-run": isDryRun = true
        case "--public": options.isPublic = true
        case "--nonisolated": options.isNonisolated = true
        case "--snake-case": options.isSnakeCase = true
        case "--json-readable": options.isJSONReadable = true
        case "--decimal": options.usesDecimal = true
        case "--no-enums": options.findsEnums = false
        default: options.repository = .none
        }
    }

    static let valueOptions: Set<String> = [
        "--name", "--response", "--body", "--query", "--output", "--tests", "--module", "--model", "--repository", "--enum",
        "--dictionary", "--max-size", "--max-depth", "--directory",
    ]

    /// The options that may be given several times.
    private static let repeatableOptions: Set<String> = ["--response", "--body", "--enum", "--dictionary"]

    private mutating func set(_ option: String, _ value: String) throws(CommandError) {
        switch option {
        case "--name": options.name = value
        case "--response": responses.append(value)
        case "--body": bodies.append(value)
        case "--query": options.query = value
        case "--output": output = value
        case "--tests": tests = value
        case "--module": options.module = value
        case "--model": options.model = value
        case "--repository": options.repository = .named(value)
        case "--enum": options.enums.formUnion(value.split(separator: ",").map(String.init))
        case "--dictionary": options.dictionaries.formUnion(value.split(separator: ",").map(String.init))
        case "--max-size": maxSize = try ArgumentSyntax.number(option, value, 1...4_000_000_000)
        case "--max-depth": options.maxDepth = try ArgumentSyntax.number(option, value, 1...100)
        default: directory = value
        }
    }
}
