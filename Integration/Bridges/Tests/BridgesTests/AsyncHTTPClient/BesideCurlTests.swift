#if AsyncHTTPClient
import AsyncHTTPClient
import Foundation
import Martlet
import MartletBridges
import MartletConformance
import MartletCurl
import MartletTesting
import Testing

/// Both transports in one process, at the same time: each must have the same outcomes, or a deviation that is asserted.
@Suite("Clients over libcurl and over async-http-client in one process", .serialized, .timeLimit(.minutes(5)))
struct BesideCurlTests {
    private static func bridge(_ configuration: TransportConfiguration = .init()) -> AsyncHTTPClientTransport {
        AsyncHTTPClientTransport(eventLoopGroup: AsyncHTTPClient::HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    @Test("Both give equal results for the conformance suite", arguments: TransportConformance.cases)
    func conformance(_ aCase: TransportConformance.Case) async throws {
        // Each is busy while the other is measured.
        let there = try AsyncHTTPClientConformanceTests.options(lacking: [.isolation])
        async let curl: Void = aCase.check(options: there) { CurlTransport() }
        async let bridge: Void = AsyncHTTPClientConformanceTests.check(aCase, lacking: [.trailers, .requestTrailers, .isolation]) { Self.bridge() }
        _ = try await (curl, bridge)
    }

    @Test(
        "Both give equal results with nginx and tinyproxy", .enabled(if: !RealServers.names.isEmpty, "scripts/bridges starts nginx"),
        arguments: Scenario.tls + Scenario.http2 + Scenario.exchanges)
    func realServers(_ scenario: Scenario) async throws {
        guard RealServers.names.contains(scenario.server) else { try Test.cancel("\(scenario.server) is not installed") }
        async let curl = scenario.run(TransportMaker { CurlTransport($0) })
        async let bridge = scenario.run(TransportMaker { Self.bridge($0) })
        let (one, other) = try await (curl, bridge)
        #expect(one == scenario.expected)
        #expect(other == scenario.deviation ?? scenario.expected)
    }
}
#endif
