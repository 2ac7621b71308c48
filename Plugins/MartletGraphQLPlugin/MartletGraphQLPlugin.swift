import PackagePlugin

/// `swift package martlet-graphql --schema FILE --operations FOLDER [options]`: runs the program of that name for this package.
@main struct MartletGraphQLPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var arguments = PluginArguments(arguments)
        // Without operations, only the schema is downloaded.
        if arguments.has("--operations"), !arguments.wantsHelp {
            let hasOutput = arguments.has("--output")
            let target = try arguments.takeTarget(of: context.package, isOptional: hasOutput)
            if let target, !hasOutput { arguments.append("--output", target.directoryURL.appendingPathComponent("GraphQL").path) }
        }
        try arguments.run("martlet-graphql", context)
    }
}
