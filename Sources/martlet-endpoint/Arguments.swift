import EndpointGenerator

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

    /// Parses arguments without the program's name. An option's value follows it, or stands after an equals sign.
    init(_ arguments: [String]) throws(CommandError) {
        var rest = arguments[...], positions: [String] = [], onlyPositions = false, given: Set<String> = []
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-", !onlyPositions else {
                positions.append(argument)
                continue
            }
            if argument == "--" {
                onlyPositions = true
                continue
            }
            let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if try flag(halves) { continue }
            guard Arguments.valueOptions.contains(halves[0]) else { throw .usage("unknown option \(halves[0])") }
            let value = halves.count == 2 ? halves[1] : rest.popFirst()
            guard let value, !value.isEmpty else { throw .usage("\(halves[0]) needs a value") }
            guard Arguments.repeatableOptions.contains(halves[0]) || given.insert(halves[0]).inserted else {
                throw .usage("\(halves[0]) is given twice")
            }
            try set(halves[0], value)
        }
        if wantsHelp { return }
        guard positions.count == 2 else {
            if positions.count < 2 { throw .usage("a method and a path are needed, such as GET /users/{id}") }
            throw .usage("too many arguments: \(positions.dropFirst(2).joined(separator: " "))")
        }
        options.method = positions[0]
        options.path = positions[1]
        guard (responses + bodies).count(where: { $0 == "-" }) <= 1 else { throw .usage("only one sample can be standard input") }
    }

    /// Sets an option without a value. Returns false for any other option.
    private mutating func flag(_ halves: [String]) throws(CommandError) -> Bool {
        switch halves[0] {
        case "--help", "-h": wantsHelp = true
        case "--force": isForced = true
        case "--dry-run": isDryRun = true
        case "--public": options.isPublic = true
        case "--nonisolated": options.isNonisolated = true
        case "--snake-case": options.isSnakeCase = true
        case "--decimal": options.usesDecimal = true
        case "--no-enums": options.findsEnums = false
        case "--no-repository": options.repository = .none
        default: return false
        }
        if halves.count == 2 { throw .usage("\(halves[0]) has no value") }
        return true
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
        case "--max-size": maxSize = try Arguments.number(option, value, 1...4_000_000_000)
        case "--max-depth": options.maxDepth = try Arguments.number(option, value, 1...100)
        default: directory = value
        }
    }

    private static func number(_ option: String, _ value: String, _ range: ClosedRange<Int>) throws(CommandError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw .usage("\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
