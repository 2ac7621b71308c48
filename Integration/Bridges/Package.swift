// swift-tools-version: 6.3
import PackageDescription

// A separate package: the bridges need packages that only SwiftPM can fetch. TRAITS names the enabled traits, separated by commas.
// Default: all. See scripts/bridges.
let all: [String: (url: String, version: Version, products: [String])] = [
    "SwiftLog": ("https://github.com/apple/swift-log.git", "1.6.0", ["Logging", "InMemoryLogging"]),
    "SwiftMetrics": ("https://github.com/apple/swift-metrics.git", "2.5.0", ["Metrics", "MetricsTestKit"]),
    "SwiftTracing": ("https://github.com/apple/swift-distributed-tracing.git", "1.1.0", ["Tracing", "InMemoryTracing"]),
    "SwiftHTTPTypes": ("https://github.com/apple/swift-http-types.git", "1.3.0", ["HTTPTypes"]),
    "SwiftServiceLifecycle": (
        "https://github.com/swift-server/swift-service-lifecycle.git", "2.6.0", ["ServiceLifecycle", "ServiceLifecycleTestKit"]
    ),
    "SwiftConfiguration": ("https://github.com/apple/swift-configuration.git", "1.0.0", ["Configuration"]),
    "SwiftOpenAPI": ("https://github.com/apple/swift-openapi-runtime.git", "1.8.0", ["OpenAPIRuntime"]),
    "AsyncHTTPClient": ("https://github.com/swift-server/async-http-client.git", "1.33.0", ["AsyncHTTPClient"]),
]
let traits = Context.environment["TRAITS"]?.split(separator: ",").map(String.init) ?? all.keys.sorted()
let bridges = traits.compactMap { trait in all[trait].map { (trait, $0) } }

func identity(of url: String) -> String { String(url.split(separator: "/").last!.dropLast(4)) }

let package = Package(
    name: "bridges",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "martlet", path: "../..", traits: Set(traits.map { .init(name: $0) }))]
        + bridges.map { .package(url: $0.1.url, from: $0.1.version) },
    targets: [
        // Measures the calls per second over async-http-client. See bench.py.
        .executableTarget(
            name: "bench",
            dependencies: ["Martlet", "MartletBridges", "MartletCurl"].map { .product(name: $0, package: "martlet") }
                + (traits.contains("AsyncHTTPClient") ? [.product(name: "AsyncHTTPClient", package: "async-http-client")] : []),
            swiftSettings: traits.map { .define($0) } + [.treatAllWarnings(as: .error)]),
        // What the log, the metrics and the spans of calls cost. See cost.py.
        .executableTarget(
            name: "cost",
            dependencies: ["Martlet", "MartletBridges"].map { .product(name: $0, package: "martlet") }
                + bridges.filter { ["SwiftLog", "SwiftMetrics", "SwiftTracing"].contains($0.0) }.map {
                    .product(name: $0.1.products[0], package: identity(of: $0.1.url))
                },
            swiftSettings: traits.map { .define($0) } + [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "BridgesTests",
            dependencies: ["Martlet", "MartletBridges", "MartletConformance", "MartletCurl", "MartletGraphQL", "MartletTesting"].map {
                .product(name: $0, package: "martlet")
            } + bridges.flatMap { bridge in bridge.1.products.map { .product(name: $0, package: identity(of: bridge.1.url)) } },
            swiftSettings: traits.map { .define($0) } + [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)

// With SERVICE=1: the example of a server, which needs Hummingbird too.
if Context.environment["SERVICE"] == "1" {
    package.dependencies.append(.package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"))
    package.targets.append(
        .executableTarget(
            name: "service",
            dependencies: ["Martlet", "MartletBridges", "MartletMockServer"].map { .product(name: $0, package: "martlet") }
                + ["SwiftLog", "SwiftMetrics", "SwiftTracing", "SwiftServiceLifecycle"].compactMap { all[$0] }.flatMap { bridge in
                    bridge.products.map { .product(name: $0, package: identity(of: bridge.url)) }
                } + [.product(name: "Hummingbird", package: "hummingbird")],
            swiftSettings: [.treatAllWarnings(as: .error)]))
}
