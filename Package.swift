// swift-tools-version: 6.2
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

// The arrows of the design point one way: a target knows only those it lists here.
let package = Package(
    name: "martlet",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Martlet", targets: ["Martlet"]),
        .library(name: "MartletJSON", targets: ["MartletJSON"]),
        .library(name: "MartletCore", targets: ["MartletCore"]),
        .library(name: "MartletCurl", targets: ["MartletCurl"]),
        .library(name: "MartletURLSession", targets: ["MartletURLSession"]),
        .library(name: "MartletKeychain", targets: ["MartletKeychain"]),
        .library(name: "MartletSQLite", targets: ["MartletSQLite"]),
        .library(name: "MartletGraphQL", targets: ["MartletGraphQL"]),
        .library(name: "MartletRedis", targets: ["MartletRedis"]),
        .library(name: "MartletTesting", targets: ["MartletTesting"]),
    ],
    targets: [
        .target(name: "MartletJSON", swiftSettings: strict),
        .target(name: "MartletCore", dependencies: ["MartletJSON"], swiftSettings: strict),
        .target(name: "CMartletCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "MartletCurl", dependencies: ["MartletCore", "CMartletCurl"], swiftSettings: strict),
        .target(name: "MartletURLSession", dependencies: ["MartletCore"], swiftSettings: strict),
        .target(name: "CMartletKeychain", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "MartletKeychain",
            dependencies: ["MartletCore", .target(name: "CMartletKeychain", condition: .when(platforms: [.linux]))],
            swiftSettings: strict),
        .target(
            name: "MartletSQLite", dependencies: ["MartletCore"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(name: "MartletGraphQL", dependencies: ["MartletCore"], swiftSettings: strict),
        .target(name: "MartletRedis", dependencies: ["MartletCore"], swiftSettings: strict),
        // On Linux it must not link FoundationNetworking.
        .target(
            name: "Martlet",
            dependencies: [
                "MartletCore", .target(name: "MartletCurl", condition: .when(platforms: [.linux])),
                .target(name: "MartletURLSession", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
            ],
            swiftSettings: strict),
        .target(name: "CMartletTesting", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "MartletTesting",
            dependencies: ["Martlet", "MartletGraphQL", .target(name: "CMartletTesting", condition: .when(platforms: [.linux]))],
            swiftSettings: strict),
        .executableTarget(name: "tour", dependencies: ["Martlet", "MartletGraphQL", "MartletTesting"], swiftSettings: strict),

        // Linked into the one test program there is: it limits how many tests run at a time.
        .target(name: "CTestSetup", path: "Tests/CTestSetup"),
        .testTarget(name: "MartletJSONTests", dependencies: ["MartletJSON"], swiftSettings: strict),
        .testTarget(name: "MartletCoreTests", dependencies: ["MartletCore", "MartletTesting", "CTestSetup"], swiftSettings: strict),
        .testTarget(name: "MartletTests", dependencies: ["Martlet", "MartletCore", "MartletTesting"], swiftSettings: strict),
        .testTarget(name: "MartletCurlTests", dependencies: ["MartletCurl", "Martlet", "MartletTesting"], swiftSettings: strict),
        .testTarget(name: "MartletURLSessionTests", dependencies: ["MartletURLSession", "MartletTesting"], swiftSettings: strict),
        .testTarget(name: "MartletKeychainTests", dependencies: ["MartletKeychain", "MartletTesting"], swiftSettings: strict),
        // A program that writes to a store until it is killed.
        .executableTarget(
            name: "SQLiteWriter", dependencies: ["MartletSQLite", "MartletCore"], path: "Tests/SQLiteWriter", swiftSettings: strict),
        .testTarget(name: "MartletSQLiteTests", dependencies: ["MartletSQLite", "MartletTesting", "SQLiteWriter"], swiftSettings: strict),
        .testTarget(
            name: "MartletGraphQLTests", dependencies: ["MartletGraphQL", "Martlet", "MartletCore", "MartletTesting"], swiftSettings: strict
        ),
        .testTarget(
            name: "MartletRedisTests", dependencies: ["MartletRedis", "MartletCore", "MartletTesting"], swiftSettings: strict),
        .testTarget(
            name: "MartletTestingTests",
            dependencies: [
                "MartletTesting", "Martlet", "MartletCore", "MartletGraphQL",
                .target(name: "MartletCurl", condition: .when(platforms: [.linux])),
                .target(name: "MartletURLSession", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ExampleTests", dependencies: ["MartletTesting", "Martlet", "MartletKeychain"], exclude: ["Recordings"],
            swiftSettings: strict),
        .testTarget(name: "TourTests", dependencies: ["tour", "MartletTesting"], swiftSettings: strict),
        .testTarget(name: "StructureTests", swiftSettings: strict),
    ]
)

// With APPLE_STUBS=1, on Linux: the Keychain's store over an emulation of Apple's Security, and its tests, and no more: scripts/check-keychain.
if Context.environment["APPLE_STUBS"] == "1" {
    let emulated = strict + [.define("APPLE_STUBS")]
    package.products = []
    package.targets = package.targets.filter { ["MartletJSON", "MartletCore", "CMartletKeychain"].contains($0.name) }
    package.targets += [
        .target(name: "EmulatedSecurity", path: "Tests/EmulatedSecurity", swiftSettings: strict),
        .target(name: "MartletKeychain", dependencies: ["MartletCore", "CMartletKeychain", "EmulatedSecurity"], swiftSettings: emulated),
        .testTarget(
            name: "MartletKeychainTests", dependencies: ["MartletKeychain", "EmulatedSecurity"],
            exclude: ["SecretService", "Platform"], swiftSettings: emulated),
    ]
}

// With FUZZ=1: one program for libFuzzer, which is told by MARTLET_FUZZ what to fuzz: scripts/fuzz.
if Context.environment["FUZZ"] == "1" {
    package.products.append(.executable(name: "fuzz", targets: ["Fuzz"]))
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["MartletCore", "MartletGraphQL", "MartletRedis", "MartletTesting", "MartletURLSession"],
            path: "Fuzz",
            exclude: ["Seeds"],
            swiftSettings: strict))
}
