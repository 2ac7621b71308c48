import Foundation
import Martlet
import MartletTesting
import Testing

/// Tests with three processes that share a rate limit through a redis-server, which is killed and restarted.
///
/// The server of the requests records for each request an interval that contains its permission: from the beginning of the claim, as the
/// process notes it, to the arrival. Both are read from the machine's monotonic clock. For any two instants, the number of requests whose
/// whole interval is between them must be at most the burst plus the rate for that time. Nothing is added for delays: one makes an interval
/// longer, which is then in fewer windows.
@Suite("A rate that three processes share through Redis", .timeLimit(.minutes(3)))
struct RedisFleetTests {
    private struct Sent: Sendable {
        let claimed: UInt64
        let arrived: UInt64
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the largest excess over the rate, in requests: the burst that would be needed. O(n²).
    private static func neededBurst(_ sent: [Sent], rate: Double) -> Double {
        let sent = sent.sorted { $0.arrived < $1.arrived }
        var most = 0.0
        for first in sent {
            var count = 0.0
            for last in sent where last.claimed >= first.claimed {
                count += 1
                guard last.arrived > first.claimed else { continue }
                most = max(most, count - rate * Double(last.arrived - first.claimed) / 1e9)
            }
        }
        return most
    }

    @Test(
        "The fleet stays within the limit while Redis is killed, restarted, suspended and resumed",
        arguments: ["wait", "\(1.0 / 3)"])
    func limit(fallback: String) async throws {
        let rate = 20, burst = 30
        let redis = try await RedisServer.start(), sent = Recorder<Sent>()
        var options = MockServer.Options()
        options.keepsRequests = false
        let server = try await MockServer.start(options: options) { request in
            let arrived = RedisFleetTests.now
            if let claimed = request.headers["Claimed"].flatMap({ UInt64($0) }) { sent.append(Sent(claimed: claimed, arrived: arrived)) }
            return .status(200)
        }
        let fleet = try (0..<3).map { _ in
            try FleetProcess([server.url.absoluteString, redis.socket, "\(rate)", "\(burst)", fallback])
        }
        defer { for process in fleet { process.kill() } }
        /// Waits for more requests, as the proof that the fleet works.
        func wait(for count: Int) async throws {
            let goal = sent.values.count + count
            for _ in 0..<3_000 where sent.values.count < goal { try await Task.sleep(for: .milliseconds(10)) }
            #expect(sent.values.count >= goal, "the fleet has sent too little within 30 s")
        }
        try await wait(for: 10)
        // The fleet is idle until the bucket is full, and uses its burst. A restart must not give another one.
        for process in fleet { process.suspend(true) }
        try await Task.sleep(for: .seconds(2))
        for process in fleet { process.suspend(false) }
        try await wait(for: 28)
        redis.kill()
        try await redis.start()
        try await wait(for: 40)
        redis.kill()
        if fallback == "wait" { try await Task.sleep(for: .milliseconds(900)) } else { try await wait(for: 30) }
        try await redis.start()
        try await wait(for: 40)
        if fallback == "wait" {
            // With its data. A process with a share would add it to what the server gives: see `SharedTrafficState`.
            redis.hang(true)
            try await Task.sleep(for: .seconds(1))
            redis.hang(false)
            try await wait(for: 40)
        }
        for process in fleet { process.kill() }
        await server.stop()
        let needed = RedisFleetTests.neededBurst(sent.values, rate: Double(rate))
        print("fleet (\(fallback)): \(sent.values.count) requests; a burst of \(needed) would have been enough")
        #expect(needed <= Double(burst))
    }

    @Test("A fleet that exceeds its limit is noticed")
    func check() {
        let spaced = (0..<100).map { Sent(claimed: UInt64($0) * 100_000_000, arrived: UInt64($0) * 100_000_000 + 5_000_000) }
        #expect(RedisFleetTests.neededBurst(spaced, rate: 10) <= 1)
        #expect(RedisFleetTests.neededBurst(spaced, rate: 9) > 2)
        #expect(RedisFleetTests.neededBurst(spaced + spaced.suffix(3), rate: 10) > 3)
    }
}

/// A process of the program `fleet`. It is killed on deinit.
final class FleetProcess {
    private let process = Process()

    init(_ arguments: [String]) throws {
        process.executableURL = FleetProcess.program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    /// Suspends the process, or resumes it.
    func suspend(_ isSuspended: Bool) { _ = Foundation.kill(process.processIdentifier, isSuspended ? SIGSTOP : SIGCONT) }

    func kill() {
        guard process.isRunning else { return }
        // SIGKILL, because the process inherits the blocked signals of the thread that started it.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The program, which is built beside the tests.
    private static let program: URL = {
        #if os(Linux)
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #else
        let tests = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("fleet")
    }()
}
