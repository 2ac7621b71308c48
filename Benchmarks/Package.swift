// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that users of Martlet do not link the libraries that it is compared with.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    // For `peers/swift`, which measures the libraries of others in the same way.
    products: [.library(name: "Measuring", targets: ["Measuring"])],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        // How all programs measure. It links no library that is measured.
        .target(name: "Measuring"),
        // What `contender` measures and `instructions` counts alike.
        .target(
            name: "Workloads",
            dependencies: [
                "Measuring", .product(name: "Martlet", package: "martlet"), .product(name: "MartletGraphQL", package: "martlet"),
            ]),
        .executableTarget(
            name: "contender",
            dependencies: [
                "Measuring", "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletWire", package: "martlet"),
            ]),
        .executableTarget(name: "bodies", dependencies: ["Measuring", "Workloads", .product(name: "Martlet", package: "martlet")]),
        .executableTarget(name: "json", dependencies: ["Measuring", "Workloads", .product(name: "Martlet", package: "martlet")]),
        .executableTarget(
            name: "cache",
            dependencies: [
                "Measuring", "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletSQLite", package: "martlet"),
            ]),
        .executableTarget(
            name: "instructions",
            dependencies: [
                "Measuring", "Workloads", .product(name: "Martlet", package: "martlet"), .product(name: "MartletMockServer", package: "martlet"),
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
