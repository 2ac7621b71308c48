// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// Links `dlopen` on Linux, for targets that load libraries at run time.
let opensLibraries: [LinkerSetting] = [.linkedLibrary("dl", .when(platforms: [.linux]))]

/// The files of the inspector's page, compiled into the library, so that an app needs no resource bundle.
let page: [Resource] = [.embedInCode("Page")]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], files: [Resource]? = nil, linker: [LinkerSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, resources: files, swiftSettings: strict, linkerSettings: linker)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: strict)
}

/// A dependency of MartletBridges, which is resolved and fetched only if its trait is enabled.
func bridge(_ trait: String, _ products: String..., from package: String) -> [Target.Dependency] {
    products.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
}

let bridges =
    bridge("SwiftLog", "Logging", from: "swift-log")
    + bridge("SwiftMetrics", "Metrics", from: "swift-metrics")
    + bridge("SwiftTracing", "Tracing", from: "swift-distributed-tracing")
    + bridge("SwiftHTTPTypes", "HTTPTypes", from: "swift-http-types")
    + bridge("SwiftServiceLifecycle", "ServiceLifecycle", from: "swift-service-lifecycle")
    + bridge("SwiftConfiguration", "Configuration", from: "swift-configuration")
    + bridge("SwiftOpenAPI", "OpenAPIRuntime", from: "swift-openapi-runtime")
    + bridge("AsyncHTTPClient", "AsyncHTTPClient", from: "async-http-client")
    + bridge("AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", from: "swift-nio")
    + bridge("AsyncHTTPClient", "NIOHTTP2", from: "swift-nio-http2")
    + bridge("AsyncHTTPClient", "NIOSSL", from: "swift-nio-ssl")

func linux(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(platforms: [.linux])) }

func apple(_ name: String) -> Target.Dependency {
    .target(name: name, condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
}

// The order of the layers: a target can import only the targets that it names here, and their dependencies.
let package = Package(
    name: "martlet",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    // A product's name and cut are a promise. The layers between these are targets only.
    products: [
        "Martlet", "MartletBridges", "MartletClient", "MartletConformance", "MartletCurl", "MartletFoundation", "MartletGraphQL",
        "MartletGraphQLSchema", "MartletInspector",
        "MartletKeychain", "MartletMockServer", "MartletRedis", "MartletSQLite", "MartletTesting", "MartletURLSession", "MartletWebSocket",
        "MartletWire",
    ].map { .library(name: $0, targets: [$0]) }
        + [
            .plugin(name: "MartletEndpointPlugin", targets: ["MartletEndpointPlugin"]),
            .plugin(name: "MartletGraphQLPlugin", targets: ["MartletGraphQLPlugin", "MartletGraphQLSchemaPlugin"]),
        ],
    // Each adds a bridge to a package that apps may use too. Without traits, nothing is fetched. See the folders of Sources/MartletBridges.
    traits: [
        .trait(name: "SwiftLog", description: "Logs calls to swift-log."),
        .trait(name: "SwiftMetrics", description: "Measures calls with swift-metrics."),
        .trait(name: "SwiftTracing", description: "Traces calls with swift-distributed-tracing."),
        .trait(name: "SwiftHTTPTypes", description: "Converts to and from the types of swift-http-types."),
        .trait(name: "SwiftServiceLifecycle", description: "Runs clients as services of swift-service-lifecycle."),
        .trait(name: "SwiftConfiguration", description: "Reads configurations with swift-configuration."),
        .trait(
            name: "SwiftOpenAPI", description: "Sends the calls of code that swift-openapi-generator writes.",
            enabledTraits: ["SwiftHTTPTypes"]),
        .trait(name: "AsyncHTTPClient", description: "Sends requests with async-http-client."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.33.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    ],
    targets: [
        library("MartletEssentials"),
        library("MartletSystem", ["MartletEssentials"], linker: opensLibraries),
        library("MartletJSON", ["MartletEssentials"]),
        .target(name: "CMartletOpenSSL", linkerSettings: opensLibraries),
        library("MartletOpenSSL", ["MartletSystem", linux("CMartletOpenSSL")]),
        library("MartletHTTP", ["MartletSystem", "MartletJSON", linux("MartletOpenSSL")]),
        library("MartletClient", ["MartletHTTP"]),
        library("MartletResilience", ["MartletClient"]),
        library("MartletCookies", ["MartletClient"]),
        library("MartletAuth", ["MartletClient"]),
        library("MartletCache", ["MartletClient"]),
        library("MartletTransfers", ["MartletClient"]),
        library("MartletObservation", ["MartletClient"]),
        library("MartletHAR", ["MartletObservation"]),
        .target(name: "CMartletCodings", linkerSettings: opensLibraries),
        library("MartletCodings", ["MartletHTTP", "CMartletCodings"]),
        .target(name: "CMartletEngine"),
        library("MartletEngine", ["MartletCodings", "CMartletEngine"]),
        .target(name: "CMartletCurl", linkerSettings: opensLibraries),
        library("MartletCurl", ["MartletEngine", "CMartletCurl"]),
        library("MartletWire", ["MartletEngine"]),
        library("MartletURLSession", ["MartletHTTP"]),
        // On Linux it must not link FoundationNetworking.
        library(
            "Martlet",
            [
                "MartletResilience", "MartletCookies", "MartletAuth", "MartletCache", "MartletTransfers", "MartletObservation",
                "MartletHAR",
                linux("MartletCurl"), apple("MartletURLSession"),
            ]),
        library("MartletFoundation", ["MartletClient", "MartletURLSession"]),
        library("MartletWebSocketProtocol", ["MartletCodings"]),
        library("MartletWebSocket", ["MartletTransfers", "MartletWebSocketProtocol"]),
        library("MartletGraphQL", ["MartletAuth", "MartletWebSocket"]),
        library("MartletGraphQLSchema", ["MartletGraphQL"]),
        library("MartletBridges", ["MartletCodings", "MartletObservation", "MartletTransfers"] + bridges),
        .target(name: "CMartletKeychain", linkerSettings: opensLibraries),
        library("MartletKeychain", ["MartletAuth", linux("CMartletKeychain")]),
        library("MartletSQLite", ["MartletCache"]),
        library("MartletRedis", ["MartletCache", "MartletResilience"]),
        .target(name: "CMartletMockServer"),
        library("MartletMockServer", ["MartletWebSocketProtocol", linux("MartletOpenSSL"), linux("CMartletMockServer")]),
        library("MartletInspector", ["MartletHAR", "MartletTransfers", "MartletMockServer"], files: page),
        .executableTarget(name: "inspect", dependencies: ["MartletInspector"], swiftSettings: strict),
        library("MartletTesting", ["Martlet", "MartletGraphQLSchema", "MartletWebSocket", "MartletMockServer"]),
        library("MartletConformance", ["MartletTesting"]),
        library("EndpointGenerator", ["MartletHTTP"]),
        library("OperationGenerator", ["MartletGraphQLSchema", "EndpointGenerator"]),
        library("GeneratorCommand", ["MartletSystem"]),
        .executableTarget(name: "martlet-endpoint", dependencies: ["EndpointGenerator", "GeneratorCommand"], swiftSettings: strict),
        .executableTarget(
            name: "martlet-graphql", dependencies: ["OperationGenerator", "GeneratorCommand", "Martlet"], swiftSettings: strict),
        .plugin(
            name: "MartletEndpointPlugin",
            capability: .command(
                intent: .custom(
                    verb: "martlet-endpoint", description: "Writes an endpoint, its models, a repository and a test from sample JSON."),
                permissions: [.writeToPackageDirectory(reason: "Writes the sources of the new endpoint and its test.")]),
            dependencies: ["martlet-endpoint"]),
        .plugin(
            name: "MartletGraphQLPlugin",
            capability: .command(
                intent: .custom(verb: "martlet-graphql", description: "Writes Swift for GraphQL operations, checked against a schema."),
                permissions: [.writeToPackageDirectory(reason: "Writes the sources of the operations.")]),
            dependencies: ["martlet-graphql"]),
        // Apart from the other one, so that only the download needs the permission for the network.
        .plugin(
            name: "MartletGraphQLSchemaPlugin",
            capability: .command(
                intent: .custom(verb: "martlet-graphql-schema", description: "Downloads the schema of a GraphQL service."),
                permissions: [
                    .writeToPackageDirectory(reason: "Writes the schema to a file."),
                    .allowNetworkConnections(scope: .all(ports: []), reason: "Asks the service for its schema."),
                ]),
            dependencies: ["martlet-graphql"]),
        .executableTarget(
            name: "tour",
            dependencies: ["Martlet", "MartletGraphQL", "MartletInspector", "MartletTesting", "MartletWebSocket"], swiftSettings: strict),

        // Linked into the test program. It limits how many tests run at a time, and watches the program's parent.
        .target(name: "CTestSetup", path: "Tests/CTestSetup"),
        .target(
            name: "TestSupport",
            dependencies: ["MartletConformance", "CTestSetup", linux("MartletCurl"), linux("MartletWire"), apple("MartletURLSession")],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests("MartletEssentials", ["MartletMockServer"]),
        tests("MartletSystem", ["TestSupport"]),
        tests("MartletJSON"),
        tests("MartletOpenSSL"),
        tests("MartletHTTP", ["TestSupport"]),
        tests("MartletClient", ["TestSupport"]),
        tests("MartletResilience", ["TestSupport"]),
        tests("MartletCookies", ["TestSupport"]),
        tests("MartletAuth", ["TestSupport"]),
        tests("MartletCache", ["TestSupport"]),
        tests("MartletTransfers", ["TestSupport"]),
        tests("MartletObservation", ["MartletTesting", "TestSupport"]),
        tests("MartletHAR", ["TestSupport"]),
        tests("MartletURLSession", ["MartletConformance"]),
        tests("Martlet", ["MartletTesting"]),
        tests("MartletFoundation", ["MartletTesting"]),
        tests("MartletGraphQL", ["MartletTesting", "TestSupport"]),
        tests("MartletGraphQLSchema", ["MartletTesting", "TestSupport"]),
        tests("MartletWebSocketProtocol", ["TestSupport"]),
        tests("MartletWebSocket", ["MartletTesting", "TestSupport"]),
        tests("MartletKeychain", ["MartletTesting"]),
        // A program that writes to a store until it is killed.
        .executableTarget(
            name: "SQLiteWriter", dependencies: ["MartletSQLite"], path: "Tests/SQLiteWriter", swiftSettings: strict),
        tests("MartletSQLite", ["MartletConformance", "SQLiteWriter"]),
        tests("MartletRedis", ["MartletConformance"]),
        tests("MartletMockServer", ["TestSupport"]),
        tests("MartletInspector", ["MartletTesting", "TestSupport"]),
        tests("MartletTesting", ["MartletConformance", "TestSupport"]),
        tests("MartletConformance", ["TestSupport"]),
        tests("GeneratorCommand"),
        tests("EndpointGenerator", ["martlet-endpoint"]),
        // Output of the generator, compiled and run. EndpointGeneratorTests compare it with what the generator writes now.
        .testTarget(
            name: "GeneratedEndpointTests", dependencies: ["Martlet", "MartletTesting"], exclude: ["Samples"], swiftSettings: strict),
        tests("OperationGenerator", ["martlet-graphql", "MartletMockServer"]),
        // Output of the generator, compiled and run. OperationGeneratorTests compare it with what the generator writes now.
        .testTarget(
            name: "GeneratedOperationTests", dependencies: ["MartletGraphQL", "MartletTesting"],
            exclude: ["Documents", "Movies/persisted-query-manifest.json", "Movies/trusted-documents.json"],
            swiftSettings: strict),
        .testTarget(name: "TourTests", dependencies: ["tour", "MartletTesting"], swiftSettings: strict),
        .testTarget(
            name: "ExampleTests", dependencies: ["MartletConformance", "MartletKeychain"], exclude: ["Recordings"], swiftSettings: strict),
        // A module that isolates its code to the main actor by default, as new Xcode projects do.
        .testTarget(
            name: "MainActorAppTests", dependencies: ["Martlet", "MartletGraphQL", "MartletTesting"],
            swiftSettings: strict + [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .testTarget(name: "CTestSetupTests", dependencies: ["CTestSetup"], swiftSettings: strict),
        .testTarget(name: "StructureTests", swiftSettings: strict),
    ]
)

#if os(Linux)
// They use Linux's sockets, processes and memory files.
package.targets += [
    // A program that prints which libraries it could load.
    .executableTarget(name: "LibraryProbe", dependencies: ["MartletCurl"], path: "Tests/LibraryProbe", swiftSettings: strict),
    tests("MartletCodings", ["TestSupport"]),
    tests("MartletEngine", ["TestSupport"]),
    tests("MartletCurl", ["MartletConformance", "TestSupport", "LibraryProbe"]),
    tests("MartletWire", ["MartletConformance", "MartletCurl", "TestSupport"]),
]
#endif

// With APPLE_STUBS=1, on Linux: the Keychain store and its tests over an emulation of Apple's Security. See scripts/check-keychain.
if Context.environment["APPLE_STUBS"] == "1" {
    let emulated = strict + [.define("APPLE_STUBS")]
    var needed: Set = ["MartletAuth", "CMartletKeychain"]
    // In the list, a target comes after its dependencies.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
            default: break
            }
        }
    }
    package.products = []
    package.dependencies = []
    package.targets = package.targets.filter { needed.contains($0.name) }
    package.targets += [
        .target(name: "EmulatedSecurity", path: "Tests/EmulatedSecurity", swiftSettings: strict),
        .target(name: "MartletKeychain", dependencies: ["MartletAuth", "CMartletKeychain", "EmulatedSecurity"], swiftSettings: emulated),
        .testTarget(
            name: "MartletKeychainTests", dependencies: ["MartletKeychain", "EmulatedSecurity"],
            exclude: ["SecretService", "SystemTokenStoreTests.swift"], swiftSettings: emulated),
    ]
}

// With FUZZ=1: one libFuzzer program; MARTLET_FUZZ names its target. See scripts/fuzz.
if Context.environment["FUZZ"] == "1" {
    package.products.append(.executable(name: "fuzz", targets: ["Fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["MartletRedis", "MartletTesting", "MartletURLSession", "MartletWire"], path: "Fuzz",
            exclude: ["Seeds"],
            swiftSettings: strict))
}
