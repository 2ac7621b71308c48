// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func martlet(_ products: [String]) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "martlet") }
}

func example(_ name: String, _ products: String...) -> Target {
    .executableTarget(name: name, dependencies: martlet(["Martlet", "MartletMockServer"] + products), swiftSettings: strict)
}

// A separate package, like an app's. README.md describes each program.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        example("keychain-token", "MartletKeychain"),
        example("enum-api"),
        example("token-refresh"),
        example("photo-upload"),
        example("resumable-download"),
        example("github-pages"),
        example("graphql-errors", "MartletGraphQL"),
        example("llm-stream"),
        .target(name: "BirdList", dependencies: martlet(["Martlet"]), swiftSettings: strict),
        .testTarget(name: "BirdListTests", dependencies: ["BirdList"] + martlet(["MartletTesting"]), swiftSettings: strict),
        example("offline-first", "MartletSQLite"),
        example("oauth-pkce"),
        example("timeouts"),
        example("body-signature"),
        example("endpoint-metrics"),
        example("server-side"),
    ]
)
