// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The settings of a new app in Xcode: code is on the main actor unless it is marked otherwise.
let newApp: [SwiftSetting] =
    strict + [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

func martlet(_ products: [String]) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "martlet") }
}

/// A short program for one task.
func recipe(_ name: String, _ products: String...) -> Target {
    .executableTarget(name: name, dependencies: martlet(["Martlet", "MartletMockServer"] + products), swiftSettings: strict)
}

/// A program with the structure of a real one, and arguments.
func app(_ name: String, _ dependencies: [Target.Dependency] = [], _ products: String...) -> Target {
    .executableTarget(
        name: name, dependencies: ["CommandLineSupport"] + dependencies + martlet(["Martlet", "MartletTesting"] + products),
        swiftSettings: strict)
}

// A separate package, like an app's. README.md describes each program.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .target(name: "CommandLineSupport", swiftSettings: strict),
        .testTarget(name: "CommandLineSupportTests", dependencies: ["CommandLineSupport"], swiftSettings: strict),
        app("crypto-wallet"),
        app("github-search", [], "MartletSQLite"),
        app("llm-chat"),
        app("invoice-worker", [], "MartletRedis"),
        app("graphql-reviews", [], "MartletGraphQL"),
        .target(name: "Shop", dependencies: martlet(["Martlet"]), swiftSettings: newApp),
        .testTarget(name: "ShopTests", dependencies: ["Shop"] + martlet(["MartletTesting"]), swiftSettings: strict),
        app("shop-demo", ["Shop"]),

        recipe("keychain-token", "MartletKeychain"),
        recipe("token-refresh"),
        recipe("photo-upload"),
        recipe("resumable-download"),
        recipe("offline-first", "MartletSQLite"),
        recipe("oauth-pkce"),
        recipe("timeouts"),
        recipe("deadlines"),
        recipe("resilience"),
        recipe("cookie-login"),
        recipe("websocket-chat", "MartletWebSocket"),
        recipe("body-signature"),
        recipe("endpoint-metrics"),
        recipe("observed-service"),
    ]
)
