import MartletCore
import MartletTesting
import Testing

@testable import MartletCurl

@Suite("CurlTransport: conformance")
struct ConformanceTests {
    /// Brotli and zstd are undone where their libraries are installed.
    private static let options = TransportConformance.Options(
        capabilities: Set(TransportConformance.Capability.allCases)
            .subtracting(ContentCoding.available.contains(.brotli) ? [] : [.brotli])
            .subtracting(ContentCoding.available.contains(.zstd) ? [] : [.zstd]),
        connectionsPerOrigin: CurlTransport.Configuration().maximumConnectionsPerOrigin)

    @Test("It does what a transport owes", arguments: TransportConformance.cases)
    func conforms(_ aCase: TransportConformance.Case) async throws {
        try await aCase.check(options: Self.options) { CurlTransport() }
    }
}
