import Foundation
import PackagePlugin

// MartletGraphQLPlugin has a link to this file: plugins can't depend on a library.

/// The arguments of a plugin that runs a program.
struct PluginArguments {
    private(set) var arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The arguments before `--`. Those after it are values.
    private var options: ArraySlice<String> { arguments.prefix { $0 != "--" } }

    var wantsHelp: Bool { options.contains("--help") || options.contains("-h") }

    func has(_ option: String) -> Bool { options.contains { $0 == option || $0.hasPrefix(option + "=") } }

    mutating func append(_ option: String, _ value: String) { arguments.insert(contentsOf: [option, value], at: options.endIndex) }

    /// Removes `--target` and returns the target with its value, or the only target. Returns nil without the option if `isOptional`.
    mutating func takeTarget(of package: Package, isOptional: Bool) throws -> SwiftSourceModuleTarget? {
        let name = try takeValue(of: "--target")
        if isOptional, name == nil { return nil }
        let modules = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter { $0.kind != .test }
        let sources = modules.filter { name == nil || $0.name == name }
        if let target = sources.first, sources.count == 1 { return target }
        let reason = name.map { "there is no target \($0)" } ?? "the package does not have exactly one target"
        throw Problem("\(reason): give --target or --output. Targets: \(modules.map(\.name).joined(separator: ", "))")
    }

    private mutating func takeValue(of option: String) throws -> String? {
        if let place = options.firstIndex(where: { $0.hasPrefix(option + "=") }) {
            return String(arguments.remove(at: place).dropFirst(option.count + 1))
        }
        guard let place = options.firstIndex(of: option) else { return nil }
        guard place + 1 < options.endIndex else { throw Problem("\(option) needs a value") }
        let value = arguments[place + 1]
        arguments.removeSubrange(place...(place + 1))
        return value
    }

    /// Runs a program for the package, and exits with its status if it fails.
    func run(_ program: String, _ context: PluginContext) throws {
        let process = Process()
        process.executableURL = try context.tool(named: program).url
        process.arguments = ["--directory", context.package.directoryURL.path] + arguments
        try process.run()
        process.waitUntilExit()
        // The program has printed its error.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }

    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
