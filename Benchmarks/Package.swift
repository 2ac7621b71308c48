// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of Martlet do not link the libraries that it is compared with.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .target(name: "Measuring", dependencies: [.product(name: "Martlet", package: "martlet")]),
        // What `contender` measures and `instructions` counts alike.
        .target(
            name: "Workloads",
            dependencies: [.product(name: "Martlet", package: "martlet"), .product(name: "MartletGraphQL", package: "martlet")]),
        .executableTarget(
            name: "contender",
            dependencies: [
                "Measuring", "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletWire", package: "martlet"),
            ]),
        .executableTarget(name: "bodies", dependencies: ["Measuring", .product(name: "Martlet", package: "martlet")]),
        .executableTarget(name: "json", dependencies: ["Measuring", "Workloads", .product(name: "Martlet", package: "martlet")]),
        .executableTarget(
            name: "cache",
            dependencies: [
                "Measuring", .product(name: "Martlet", package: "martlet"), .product(name: "MartletSQLite", package: "martlet"),
            ]),
        .executableTarget(
            name: "instructions",
            dependencies: [
                "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletMockServer", package: "martlet"),
                .product(name: "MartletWire", package: "martlet"),
            ]),
        .executableTarget(name: "imports", dependencies: [.product(name: "Martlet", package: "martlet")]),
        .executableTarget(
            name: "soak",
            dependencies: [
                "Measuring", "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletWire", package: "martlet"),
            ]),
        .executableTarget(
            name: "hostile",
            dependencies: [
                "Measuring", .product(name: "Martlet", package: "martlet"), .product(name: "MartletWire", package: "martlet"),
            ]),
        .executableTarget(
            name: "sockets",
            dependencies: [
                "Measuring", .product(name: "Martlet", package: "martlet"), .product(name: "MartletWebSocket", package: "martlet"),
            ]),
        .executableTarget(
            name: "observers",
            dependencies: [
                "Measuring", .product(name: "Martlet", package: "martlet"), .product(name: "MartletInspector", package: "martlet"),
                .product(name: "MartletTesting", package: "martlet"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
