// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that nothing else fetches the libraries that Martlet is compared with.
let package = Package(
    name: "peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "benchmarks", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.33.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/Alamofire/Alamofire.git", exact: "5.12.0"),
        .package(url: "https://github.com/kean/Get.git", exact: "2.2.1"),
    ],
    targets: [
        .executableTarget(
            name: "peer",
            dependencies: [
                .product(name: "Measuring", package: "benchmarks"), .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Alamofire", package: "Alamofire"), .product(name: "Get", package: "Get"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
