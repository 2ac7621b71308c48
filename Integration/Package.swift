// swift-tools-version: 6.3
import PackageDescription

// A separate package: these tests need servers that scripts/integration starts, and `swift test` at the root needs only the toolchain.
let package = Package(
    name: "integration",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .executableTarget(
            name: "exits", dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletCurl", package: "martlet")]),
        .executableTarget(
            name: "keyring",
            dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletKeychain", package: "martlet")]),
        .executableTarget(
            name: "cacheproxy",
            dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletTesting", package: "martlet")]),
        .executableTarget(
            name: "fleet",
            dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletRedis", package: "martlet")]),
        .executableTarget(
            name: "inspected",
            dependencies: [
                .product(name: "Martlet", package: "martlet"), .product(name: "MartletGraphQL", package: "martlet"),
                .product(name: "MartletInspector", package: "martlet"), .product(name: "MartletTesting", package: "martlet"),
            ]),
        .executableTarget(
            name: "validator",
            dependencies: [
                .product(name: "MartletGraphQL", package: "martlet"), .product(name: "MartletGraphQLSchema", package: "martlet"),
            ]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "fleet",
                .product(name: "Martlet", package: "martlet"), .product(name: "MartletCurl", package: "martlet"),
                .product(name: "MartletGraphQL", package: "martlet"), .product(name: "MartletSQLite", package: "martlet"),
                .product(name: "MartletRedis", package: "martlet"), .product(name: "MartletWebSocket", package: "martlet"),
                .product(name: "MartletConformance", package: "martlet"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// With OPERATIONS=1: programs with the types that Integration/graphql/operations.py and live.py have generated.
if Context.environment["OPERATIONS"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "operations",
            dependencies: [
                .product(name: "Martlet", package: "martlet"), .product(name: "MartletGraphQL", package: "martlet"),
                .product(name: "MartletTesting", package: "martlet"),
            ],
            exclude: ["responses.jsonl"]))
    package.targets.append(
        .executableTarget(
            name: "live",
            dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletGraphQL", package: "martlet")]))
}
