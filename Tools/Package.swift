// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

// Programs for the maintainers of the main package. They do not depend on it.
let package = Package(
    name: "martlet-tools",
    platforms: [.macOS(.v13)],
    targets: [
        .target(name: "SnippetExtraction", swiftSettings: strict),
        .executableTarget(name: "snippets", dependencies: ["SnippetExtraction"], swiftSettings: strict),
        .testTarget(name: "SnippetExtractionTests", dependencies: ["SnippetExtraction"], swiftSettings: strict),
        .target(name: "DocsChecks", swiftSettings: strict),
        .executableTarget(name: "docs-check", dependencies: ["DocsChecks"], swiftSettings: strict),
        .target(name: "PackageLayout", swiftSettings: strict),
        .executableTarget(name: "package-targets", dependencies: ["PackageLayout"], swiftSettings: strict),
        .testTarget(name: "PackageLayoutTests", dependencies: ["PackageLayout"], swiftSettings: strict),
        .executableTarget(name: "public-suffixes", swiftSettings: strict),
        .testTarget(name: "DocsChecksTests", dependencies: ["DocsChecks"], swiftSettings: strict),
    ]
)
