import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@testable import MartletConformance

@Suite("Recording is a transport like the one within", .timeLimit(.minutes(5))) struct RecordingConformanceTests {
    private func failures(_ make: @escaping @Sendable () -> any Transport) async -> [String] {
        let cases = TransportConformance.cases
        var options = TransportConformance.Options(timeLimit: .seconds(120), stressCalls: 200)
        options.maxBodyBytes = 5_000_000
        // It is a bound in real time, which the tests beside this one can exceed on a busy machine; the transports' own suites hold it.
        options.capabilities.remove(.isolation)
        do throws(TransportConformance.Failure) {
            try await TransportConformance.check(cases, options: options, make)
            return []
        } catch {
            return error.cases.map { "\($0)" }
        }
    }

    @Test("Whatever case of the contract the transport passes, it passes when it is recorded")
    func conforms() async throws {
        let folder = try TemporaryFolder()
        let alone = await failures { ownTransport() }
        let recorded = await failures { RecordingTransport(wrapping: ownTransport(), to: folder.file(UUID().uuidString)) }
        #expect(recorded == alone)
        #expect(alone == [])
    }
}
