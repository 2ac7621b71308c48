import Foundation
import PackagePlugin

/// `swift package martlet-endpoint METHOD PATH [options]`: runs the program of that name for this package.
@main struct MartletEndpointPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var arguments = arguments
        if arguments.contains("-") || arguments.contains(where: { $0.hasSuffix("=-") }) {
            throw Problem("SwiftPM keeps a plugin's standard input for itself. Give a file, or use: swift run martlet-endpoint")
        }
        if !arguments.contains("--help"), !arguments.contains("-h") { try addFolders(&arguments, context) }
        let process = Process()
        process.executableURL = try context.tool(named: "martlet-endpoint").url
        process.arguments = ["--directory", context.package.directoryURL.path] + arguments
        try process.run()
        process.waitUntilExit()
        // The program has printed its error.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }

    /// Replaces `--target` by the folders of the target and of a test target that depends on it.
    private func addFolders(_ arguments: inout [String], _ context: PluginContext) throws {
        let name = try takeValue(of: "--target", from: &arguments)
        let hasOutput = arguments.contains { $0 == "--output" || $0.hasPrefix("--output=") }
        if hasOutput, name == nil { return }
        let modules = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
        let sources = modules.filter { $0.kind != .test && (name == nil || $0.name == name) }
        guard let target = sources.first, sources.count == 1 else {
            let names = modules.filter { $0.kind != .test }.map(\.name).joined(separator: ", ")
            let reason = name.map { "there is no target \($0)" } ?? "the package does not have exactly one target"
            throw Problem("\(reason): give --target or --output. Targets: \(names)")
        }
        let tests = modules.first { module in
            module.kind == .test
                && module.dependencies.contains { if case .target(let dependency) = $0 { dependency.name == target.name } else { false } }
        }
        arguments += hasOutput ? [] : ["--output", target.directoryURL.path]
        if let tests, !arguments.contains(where: { $0 == "--tests" || $0.hasPrefix("--tests=") }) {
            arguments += ["--tests", tests.directoryURL.path]
        }
        if !arguments.contains(where: { $0 == "--module" || $0.hasPrefix("--module=") }) { arguments += ["--module", target.moduleName] }
    }

    private func takeValue(of option: String, from arguments: inout [String]) throws -> String? {
        if let place = arguments.firstIndex(where: { $0.hasPrefix(option + "=") }) {
            return String(arguments.remove(at: place).dropFirst(option.count + 1))
        }
        guard let place = arguments.firstIndex(of: option) else { return nil }
        guard place + 1 < arguments.count else { throw Problem("\(option) needs a value") }
        let value = arguments[place + 1]
        arguments.removeSubrange(place...(place + 1))
        return value
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
