import Foundation
import Martlet
import MartletWire
import Measuring
import Workloads

/// Sends many requests through one transport and fails if memory or descriptors grow.
///
/// Usage: soak URL [standard] [executor] [wire] [COUNT] [IN-FLIGHT] [ENGINES]
@main
enum Soak {
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isStandard = arguments.firstIndex(of: "standard").map { arguments.remove(at: $0) } != nil
        let usesExecutor = arguments.firstIndex(of: "executor").map { arguments.remove(at: $0) } != nil
        let usesWire = arguments.firstIndex(of: "wire").map { arguments.remove(at: $0) } != nil
        guard let url = arguments.first.flatMap({ URL(string: $0) }) else {
            print("usage: soak URL [standard] [executor] [wire] [COUNT] [IN-FLIGHT] [ENGINES]")
            exit(64)
        }
        let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 800_000
        let inFlight = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 64
        var configuration = TransportConfiguration()
        if let engines = arguments.dropFirst(3).first.flatMap({ Int($0) }) { configuration.engines = engines }
        let wire = usesWire ? WireTransport(configuration) : nil
        let transport = wire.map { PlatformTransport(configuration, plainHTTP: $0) } ?? PlatformTransport(configuration)
        let executor = wire?.taskExecutor ?? transport.taskExecutor
        let client = isStandard ? HTTPClient.standard(url, transport: transport) : HTTPClient(baseURL: url, transport: transport)
        let start = ContinuousClock.now
        var readings: [Reading] = []
        let steps = 8
        for step in 1...steps {
            try await withTaskExecutorPreference(usesExecutor ? executor : nil) {
                try await send(count / steps, inFlight, client)
            }
            let reading = try Reading.now()
            readings.append(reading)
            print("\(count / steps * step) requests: \(reading.kilobytes) KB resident, \(reading.descriptors) descriptors")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("\(configuration.engines) engines, \(count) requests in \(Int(seconds)) s, \(Int(Double(count) / seconds)) a second")
        guard let first = readings.first, let last = readings.last else { exit(64) }
        guard last.kilobytes <= first.kilobytes * 5 / 4, last.descriptors <= first.descriptors + 8 else {
            print("FAILED: resources grew from \(first) after an eighth of the requests to \(last) at the end")
            exit(1)
        }
    }

    private static func send(_ count: Int, _ inFlight: Int, _ client: HTTPClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<(count / inFlight) { _ = try await client.send(Request<Data>.get("")) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The memory and descriptors of this process.
    private struct Reading {
        let kilobytes: Int
        let descriptors: Int

        static func now() throws -> Reading {
            Reading(
                kilobytes: try Memory.resident(),
                descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
        }
    }
}
