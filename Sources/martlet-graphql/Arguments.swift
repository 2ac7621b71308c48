import GeneratorCommand
import OperationGenerator

/// The arguments of the command line.
struct Arguments {
    var options = OperationOptions()
    /// The files of the schema, or folders with them.
    var schemas: [String] = []
    /// The folders or files with operations and fragments.
    var operations: [String] = []
    /// The folder for the generated files.
    var output: String?
    /// The endpoint from which the schema is downloaded into its file.
    var introspection: String?
    /// The header fields of the download, as `Name: value`. Values may have names of variables.
    var headers: [String] = []
    /// The file of each manifest.
    var manifests: [(format: ManifestFormat, file: String)] = []
    /// The folder that relative paths begin at. Default: nil, the current folder.
    var directory: String?
    var maxSize = 100_000_000
    var isCheck = false
    var wantsHelp = false

    private static let flags: Set<String> = [
        "--help", "-h", "--check", "--public", "--nonisolated", "--no-documentation", "--no-hashable", "--json-readable",
    ]

    static let valueOptions: Set<String> = [
        "--schema", "--operations", "--output", "--introspect", "--header", "--scalar", "--manifest", "--trusted-documents",
        "--max-size", "--directory",
    ]

    private static let repeatableOptions: Set<String> = ["--schema", "--operations", "--header", "--scalar"]

    /// Parses arguments without the program's name.
    init(_ arguments: [String]) throws(CommandError) {
        let syntax = ArgumentSyntax(flags: Arguments.flags, values: Arguments.valueOptions, repeatable: Arguments.repeatableOptions)
        for argument in try syntax.parse(arguments) {
            switch argument {
            case .flag(let option): set(option)
            case .value(let value, let option): try set(option, value)
            case .position(let position): throw .usage("unknown argument \(position)")
            }
        }
        if wantsHelp { return }
        guard !schemas.isEmpty else { throw .usage("--schema is needed") }
        if introspection != nil, schemas.count > 1 { throw .usage("--introspect needs one --schema, the file to write") }
        if introspection == nil, !headers.isEmpty { throw .usage("--header needs --introspect") }
        if operations.isEmpty != (output == nil) { throw .usage("--operations and --output need each other") }
        if operations.isEmpty, introspection == nil { throw .usage("--operations and --output, or --introspect, are needed") }
        if operations.isEmpty, !manifests.isEmpty { throw .usage("a manifest needs --operations") }
        options.manifests = manifests.map(\.format)
    }

    private mutating func set(_ flag: String) {
        switch flag {
        case "--check": isCheck = true
        case "--public": options.isPublic = true
        case "--nonisolated": options.isNonisolated = true
        case "--no-documentation": options.hasDocumentation = false
        case "--no-hashable": options.isHashable = false
        case "--json-readable": options.isJSONReadable = true
        default: wantsHelp = true
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(CommandError) {
        switch option {
        case "--schema": schemas.append(value)
        case "--operations": operations.append(value)
        case "--output": output = value
        case "--introspect": introspection = value
        case "--header": headers.append(value)
        case "--scalar": try setScalar(value)
        case "--manifest": manifests.append((.apollo, value))
        case "--trusted-documents": manifests.append((.trustedDocuments, value))
        case "--max-size": maxSize = try ArgumentSyntax.number(option, value, 1...4_000_000_000)
        default: directory = value
        }
    }

    /// Reads `Name=Type`, such as `DateTime=Date` or `Money=Payments.Amount`.
    private mutating func setScalar(_ value: String) throws(CommandError) {
        let halves = value.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { throw .usage("--scalar needs a name and a Swift type, such as DateTime=Date") }
        guard options.scalars.updateValue(halves[1], forKey: halves[0]) == nil else { throw .usage("--scalar \(halves[0]) is given twice") }
    }
}
