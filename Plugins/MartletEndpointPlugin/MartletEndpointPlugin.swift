import PackagePlugin

/// `swift package martlet-endpoint METHOD PATH [options]`: runs the program of that name for this package.
@main struct MartletEndpointPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        if arguments.contains("-") || arguments.contains(where: { $0.hasSuffix("=-") }) {
            let reason = "SwiftPM keeps a plugin's standard input for itself. Give a file, or use: swift run martlet-endpoint"
            throw PluginArguments.Problem(reason)
        }
        var arguments = PluginArguments(arguments)
        if !arguments.wantsHelp { try addFolders(&arguments, context) }
        try arguments.run("martlet-endpoint", context)
    }

    /// Replaces `--target` by the folders of the target and of a test target that depends on it.
    private func addFolders(_ arguments: inout PluginArguments, _ context: PluginContext) throws {
        let hasOutput = arguments.has("--output")
        guard let target = try arguments.takeTarget(of: context.package, isOptional: hasOutput) else { return }
        let tests = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.first { module in
            module.kind == .test
                && module.dependencies.contains { if case .target(let dependency) = $0 { dependency.name == target.name } else { false } }
        }
        if !hasOutput { arguments.append("--output", target.directoryURL.path) }
        if let tests, !arguments.has("--tests") { arguments.append("--tests", tests.directoryURL.path) }
        if !arguments.has("--module") { arguments.append("--module", target.moduleName) }
    }
}
