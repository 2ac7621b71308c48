import Foundation
import MartletCodings
import MartletTesting
import Testing

@testable import MartletConformance
@testable import MartletWire

/// `STRESS_CALLS=20000 swift test --filter ConformanceTests` runs the stress case at its size for releases.
// Serialized, because concurrent cases would disturb each other. Load is the subject of the stress case.
@Suite("WireTransport: conformance", .serialized, .timeLimit(.minutes(5)))
struct ConformanceTests {
    /// Whether a sanitizer makes the bound of `isolation` in real time unattainable.
    private static let isSlowed = ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] != nil
    /// Brotli and zstd are required only where their libraries are installed.
    private static let options = TransportConformance.Options(
        timeLimit: .seconds(120),
        capabilities: Set(TransportConformance.Capability.allCases)
            .subtracting(ContentCoding.available.contains(.brotli) ? [] : [.brotli])
            .subtracting(ContentCoding.available.contains(.zstd) ? [] : [.zstd])
            .subtracting(isSlowed ? [.isolation] : []),
        connectionsPerOrigin: TransportConfiguration().maxConnectionsPerOrigin,
        stressCalls: ProcessInfo.processInfo.environment["STRESS_CALLS"].flatMap { Int($0) } ?? 2000)

    @Test(
        "WireTransport fulfils the contract of a transport, with one engine and with three", arguments: TransportConformance.cases, [1, 3])
    func conforms(_ aCase: TransportConformance.Case, engines: Int) async throws {
        var configuration = TransportConfiguration()
        configuration.engines = engines
        try await aCase.check(options: Self.options) { [configuration] in WireTransport(configuration) }
    }

    /// With three engines, each call below begins on the next engine, which has connections of its own. Two cases need the same connection.
    private static let onExecutor =
        TransportConformance.cases.map { ($0, 1) }
        + TransportConformance.cases.filter { !["connections.reuse", "cancellation.after"].contains($0.id) }.map { ($0, 3) }

    @Test("Calls on the transport's own executor fulfil the contract too, with one engine and with three", arguments: onExecutor)
    func conformsOnExecutor(_ aCase: TransportConformance.Case, engines: Int) async throws {
        var configuration = TransportConfiguration()
        configuration.engines = engines
        try await aCase.check(options: Self.options) { [configuration] in OnItsExecutor(transport: WireTransport(configuration)) }
    }

    /// Sends each request on a thread of its engines.
    private struct OnItsExecutor: Transport {
        let transport: WireTransport
        var endsByDeadline: Bool { transport.endsByDeadline }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            try await withTaskExecutorPreference(transport.taskExecutor) { () throws(HTTPError) in try await transport.send(request) }
        }
    }
}
