#if SwiftLog && SwiftMetrics && SwiftTracing
import CoreMetrics
import Foundation
import Logging
import Martlet
import MartletBridges
import Tracing

/// Measures what the log, the metrics and the spans of calls cost: `cost ORIGIN [ROUNDS] [SECONDS] [VARIANT…]`. See `cost.py`.
/// `cost ORIGIN calls COUNT VARIANT` makes a number of calls and prints nothing, for valgrind.
///
/// The variants take turns in one process, with 64 calls of `GET /1k` in flight. It prints the calls per second and the CPU time of a call,
/// the medians of all rounds, and both in proportion to the first variant. `hand` and `quietHand` ask the same of the same backends without
/// an observer, so that the share of the bridges can be told from that of the backends.
@main
enum Command {
    private static let inFlight = 64

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
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let origin = arguments.first.flatMap({ URL(string: $0) }) else {
            fatalError("Usage: cost ORIGIN [ROUNDS] [SECONDS] [VARIANT…]")
        }
        if arguments.count == 4, arguments[1] == "calls", let count = Int(arguments[2]), let variant = Variant(rawValue: arguments[3]) {
            return try await make(count, variant.caller(origin))
        }
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 10
        let seconds = arguments.dropFirst(2).first.flatMap { Double($0) } ?? 2
        let named = arguments.dropFirst(3).compactMap { Variant(rawValue: $0) }.filter { $0 != .none }
        let variants = named.isEmpty ? Variant.allCases : [.none] + named
        let callers = variants.map { $0.caller(origin) }
        for caller in callers { _ = try await measure(caller, seconds: 0.5) }
        var results: [[Result]] = variants.map { _ in [] }
        for round in 0..<rounds {
            for offset in variants.indices {
                // In another order in each round, so that no variant always follows the same one.
                let index = (offset + round) % variants.count
                results[index].append(try await measure(callers[index], seconds: seconds))
            }
        }
        for (index, variant) in variants.enumerated() {
            let ratios = zip(results[index], results[0]).map { ($0.rate / $1.rate, $0.time / $1.time) }
            print(
                variant.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0),
                String(format: "%7.0f calls/s", median(results[index].map(\.rate))),
                String(format: "%6.1f µs CPU", median(results[index].map(\.time)) * 1e6),
                String(format: "  %.3f × calls/s", median(ratios.map(\.0))), String(format: "%.3f × CPU", median(ratios.map(\.1))))
        }
    }

    private struct Result {
        /// Calls in a second.
        let rate: Double
        /// Seconds of CPU time of a call.
        let time: Double
    }

    private static func measure(_ call: @escaping @Sendable () async throws -> Data, seconds: Double) async throws -> Result {
        let began = ContinuousClock.now, processor = ProcessorTime.seconds(), end = began + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        guard try await call().count == 1_024 else { throw CocoaError(.fileReadUnknown) }
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let passed = began.duration(to: .now) / .seconds(1)
        return Result(rate: Double(count) / passed, time: (ProcessorTime.seconds() - processor) / Double(count))
    }

    private static func make(_ count: Int, _ call: @escaping @Sendable () async throws -> Data) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    for _ in 0..<(count / inFlight) {
                        guard try await call().count == 1_024 else { throw CocoaError(.fileReadUnknown) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// What observes the calls.
private enum Variant: String, CaseIterable {
    case none
    /// An observer that does nothing.
    case empty
    case log
    case metrics
    /// Metrics of the process's factory, which is a struct, so that each call asks it for its handlers.
    case unkept
    case tracing
    /// Log, metrics and spans.
    case all
    /// What `all` asks of the backends, by hand.
    case hand
    /// Log, metrics and spans of a service at its usual settings: the logger at `info`, metrics, no trace sampled.
    case quiet
    /// What `quiet` asks of the backends, by hand.
    case quietHand

    func caller(_ origin: URL) -> @Sendable () async throws -> Data {
        switch self {
        case .hand, .quietHand:
            let client = HTTPClient(baseURL: origin)
            return self == .hand
                ? ByHand(client, origin, Variant.logger(.debug), DiscardingTracer()).call
                : ByHand(client, origin, Variant.logger(.info), UnsampledTracer()).call
        default:
            let client = client(origin)
            return { try await client.send(Request<Data>.get("1k")) }
        }
    }

    private static func logger(_ level: Logger.Level) -> Logger { Logger(label: "api") { _ in DiscardingHandler(logLevel: level) } }

    private func client(_ origin: URL) -> HTTPClient {
        var observers: [any CallObserver] = [], interceptors: [any Interceptor] = []
        if self == .empty { observers.append(EmptyObserver()) }
        if [.log, .all, .quiet].contains(self) {
            observers.append(LoggingObserver(to: .logger(Variant.logger(self == .quiet ? .info : .debug))))
        }
        if [.metrics, .all, .quiet].contains(self) { observers.append(SwiftMetricsObserver(factory: DiscardingFactory())) }
        if self == .unkept {
            MetricsSystem.bootstrap(ValueFactory())
            observers.append(SwiftMetricsObserver())
        }
        if [.tracing, .all, .quiet].contains(self) {
            let tracing = self == .quiet ? TracingObserver(UnsampledTracer()) : TracingObserver(DiscardingTracer())
            observers.append(tracing)
            interceptors.append(tracing.interceptor())
        }
        return HTTPClient(baseURL: origin, interceptors: interceptors, observers: observers)
    }
}

private struct EmptyObserver: CallObserver {
    func observe(_ event: CallEvent, of call: CallInfo) {}
}

private enum ProcessorTime {
    static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
#else
@main
enum Command {
    static func main() { print("The traits SwiftLog, SwiftMetrics and SwiftTracing are needed.") }
}
#endif
