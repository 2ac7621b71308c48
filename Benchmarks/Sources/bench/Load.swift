import Foundation
import Measuring

/// Sends `requests` requests, `inFlight` at a time, and measures the time and CPU time they take.
struct Load: Sendable {
    let requests: Int
    let inFlight: Int

    struct Figures: Sendable {
        let perSecond: Double
        let cpuMicroseconds: Double
    }

    func run(_ send: @escaping @Sendable () async throws -> Void) async throws -> Figures {
        let clock = ContinuousClock()
        let began = clock.now
        let cpu = ProcessorTime.seconds()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = requests / inFlight + (worker < requests % inFlight ? 1 : 0)
                group.addTask { for _ in 0..<share { try await send() } }
            }
            try await group.waitForAll()
        }
        let took = (clock.now - began) / .seconds(1)
        return Figures(
            perSecond: Double(requests) / took, cpuMicroseconds: (ProcessorTime.seconds() - cpu) / Double(requests) * 1_000_000)
    }
}
