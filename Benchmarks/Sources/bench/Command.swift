import Dispatch
import Foundation

/// `bench URL BYTES [--in-flight N] [--requests N] [--rounds N] [--only NAME] [--shards N]`
///
/// Measures the contenders alternately in rounds, in one process, and prints each one's median and the ratio of the medians.
/// With `--shards` it compares one engine with several instead of URLSession.
@main struct Command {
    /// Waits on a semaphore, because an asynchronous `main` exits the main thread, which valgrind does not support.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { fatalError("\(error)") }
            end.signal()
        }
        end.wait()
    }

    private static func run() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let inFlight = option("--in-flight").flatMap { Int($0) } ?? 64
        let requests = option("--requests").flatMap { Int($0) } ?? 20_000
        let rounds = option("--rounds").flatMap { Int($0) } ?? 5
        let only = option("--only")
        let shards = option("--shards").flatMap { Int($0) } ?? 1
        guard arguments.count == 2, let url = URL(string: arguments[0]), let bytes = Int(arguments[1]) else {
            print("usage: bench URL BYTES [--in-flight N] [--requests N] [--rounds N] [--only NAME] [--shards N]")
            exit(2)
        }
        let contenders = [
            Contender.martlet(url, bytes: bytes),
            only == "standard"
                ? .standard(url, bytes: bytes)
                : shards > 1
                    ? .sharded(url, bytes: bytes, shards: shards) : .urlSession(url, bytes: bytes, inFlight: inFlight),
        ].filter { only == nil || $0.name == only }
        var figures: [String: [Load.Figures]] = [:]
        for _ in 0..<rounds {
            for contender in contenders {
                // URLSession is slower and gets fewer requests, so that all rounds take about as long.
                let share = contender.name != "URLSession" ? requests : max(inFlight, requests / 10)
                figures[contender.name, default: []].append(
                    try await Load(requests: only == nil ? share : requests, inFlight: inFlight).run(contender.get))
            }
        }
        report(contenders.map(\.name), figures, inFlight)
    }

    private static func report(_ names: [String], _ figures: [String: [Load.Figures]], _ inFlight: Int) {
        var medians: [Double] = []
        for name in names {
            let speeds = (figures[name] ?? []).map(\.perSecond).sorted()
            let costs = (figures[name] ?? []).map(\.cpuMicroseconds).sorted()
            guard let low = speeds.first, let high = speeds.last else { continue }
            let median = speeds[speeds.count / 2]
            medians.append(median)
            print(
                "\(name): \(Int(median)) requests/s (\(Int(low)) to \(Int(high))), \(Int(costs[costs.count / 2])) µs CPU each, \(inFlight) in flight"
            )
        }
        if medians.count == 2 { print("ratio \(names[0])/\(names[1]): \((medians[0] / medians[1] * 10).rounded() / 10)") }
    }
}
