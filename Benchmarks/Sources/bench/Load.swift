import Foundation

#if canImport(Glibc)
import Glibc
#endif

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
        let cpu = Load.cpuSeconds()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<inFlight {
                let share = requests / inFlight + (worker < requests % inFlight ? 1 : 0)
                group.addTask { for _ in 0..<share { try await send() } }
            }
            try await group.waitForAll()
        }
        let took = (clock.now - began) / .seconds(1)
        return Figures(
            perSecond: Double(requests) / took, cpuMicroseconds: (Load.cpuSeconds() - cpu) / Double(requests) * 1_000_000)
    }

    /// Returns the CPU time of this process, user and system.
    private static func cpuSeconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
