import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletConformance

@Suite("A recording transport behaves like the wrapped one", .timeLimit(.minutes(5))) struct RecordingConformanceTests {
    private func failures(_ make: @escaping @Sendable () -> any Transport) async -> [String] {
        let cases = TransportConformance.cases
        var options = TransportConformance.Options(timeLimit: .seconds(120), stressCalls: 200)
        options.maxBodyBytes = 5_000_000
        // A limit in real time, which other tests can exceed on a busy machine. The suites of the transports check it.
        options.capabilities.remove(.isolation)
        do throws(TransportConformance.Failure) {
            try await TransportConformance.check(cases, options: options, make)
            return []
        } catch {
            return error.cases.map { "\($0)" }
        }
    }

    @Test("Each case of the contract that the transport passes also passes while recording")
    func conforms() async throws {
        let folder = try TemporaryFolder()
        let alone = await failures { ownTransport() }
        let recorded = await failures { RecordingTransport(wrapping: ownTransport(), to: folder.file(UUID().uuidString)) }
        #expect(recorded == alone)
        #expect(alone == [])
    }
}
