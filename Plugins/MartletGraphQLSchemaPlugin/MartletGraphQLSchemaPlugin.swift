import PackagePlugin

/// `swift package martlet-graphql-schema --introspect URL --schema FILE [options]`: downloads the schema of a service.
///
/// SwiftPM asks for all permissions of a plugin in each run, so the download, which needs the network, is a plugin of its own.
@main struct MartletGraphQLSchemaPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try PluginArguments(arguments).run("martlet-graphql", context)
    }
}
