import Foundation
import MartletTesting
import Testing

@testable import MartletConformance
@testable import MartletCurl

/// `STRESS_CALLS=20000 swift test --filter ConformanceTests` makes the stress case as large as before a release.
// One at a time: all at once they would be each other's bad day, which is the stress case's part.
@Suite("CurlTransport: conformance", .serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
    /// Whether a sanitizer makes the bound of 100 ms in real time unattainable.
    private static let isSlowed = ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] != nil
    /// Brotli and zstd are undone where their libraries are installed.
    private static let options = TransportConformance.Options(
        timeLimit: .seconds(120),
        capabilities: Set(TransportConformance.Capability.allCases)
            .subtracting(ContentCoding.available.contains(.brotli) ? [] : [.brotli])
            .subtracting(ContentCoding.available.contains(.zstd) ? [] : [.zstd])
            .subtracting(isSlowed ? [.isolation] : []),
        connectionsPerOrigin: CurlTransport.Configuration().maxConnectionsPerOrigin,
        stressCalls: ProcessInfo.processInfo.environment["STRESS_CALLS"].flatMap { Int($0) } ?? 2000)

    @Test("It does what a transport owes", arguments: TransportConformance.cases)
    func conforms(_ aCase: TransportConformance.Case) async throws {
        try await aCase.check(options: Self.options) { CurlTransport() }
    }
}
