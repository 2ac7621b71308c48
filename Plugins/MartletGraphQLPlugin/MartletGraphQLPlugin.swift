import PackagePlugin

/// `swift package martlet-graphql --schema FILE --operations FOLDER [options]`: runs the program of that name for this package.
@main struct MartletGraphQLPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var arguments = PluginArguments(arguments)
        if !arguments.wantsHelp {
            if arguments.has("--introspect") {
                throw PluginArguments.Problem("this command must not use the network: download with swift package martlet-graphql-schema")
            }
            let hasOutput = arguments.has("--output")
            if hasOutput, arguments.has("--target") { throw PluginArguments.Problem("give --target or --output, not both") }
            let target = try arguments.takeTarget(of: context.package, isOptional: hasOutput)
            if let target, !hasOutput { arguments.append("--output", target.directoryURL.appendingPathComponent("GraphQL").path) }
        }
        try arguments.run("martlet-graphql", context)
    }
}
