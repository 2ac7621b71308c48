import Foundation
import Measuring

/// Repeats one work for some seconds, `inFlight` calls at a time, and measures the time, CPU time and memory that it takes.
struct Measurement: Sendable {
    let client: any Contender
    let work: Work
    let inFlight: Int

    /// The line of JSON.
    struct Figures: Encodable {
        /// The number of calls, or of events.
        let requests: Int
        let seconds: Double
        let cpu: Double
        let bytes: Int
        /// KiB before the first calls, and at most.
        let idle: Int, peak: Int
        let `protocol`: String
    }

    func run(seconds: Double) async throws -> Figures {
        let spoken = try await client.spokenProtocol()
        let idle = try Memory.resident()
        let clock = ContinuousClock()
        // Opens the connections.
        _ = try await drive(work == .download || work == .events ? .small : work, until: clock.now + .seconds(seconds / 4))
        let began = clock.now, cpu = ProcessorTime.seconds()
        let (requests, bytes) = try await drive(work, until: began + .seconds(seconds))
        let took = (clock.now - began) / .seconds(1)
        return Figures(
            requests: requests, seconds: took, cpu: ProcessorTime.seconds() - cpu, bytes: bytes, idle: idle, peak: try Memory.peak(),
            protocol: spoken)
    }

    /// Makes calls until a time and waits for them. Returns their number, or the number of events, and the bytes of their bodies.
    private func drive(_ work: Work, until end: ContinuousClock.Instant) async throws -> (Int, Int) {
        try await withTaskExecutorPreference(client.executor) { try await repeatCalls(work, until: end) }
    }

    private func repeatCalls(_ work: Work, until end: ContinuousClock.Instant) async throws -> (Int, Int) {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var count = 0, bytes = 0
                    repeat {
                        let result = try await client.call(work)
                        count += result.count
                        bytes += result.bytes
                    } while ContinuousClock.now < end
                    return (count, bytes)
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
    }
}
