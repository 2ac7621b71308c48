import Foundation
import Martlet
import MartletInspector
import MartletTesting
import Measuring

/// Measures what observers cost. Usage: observers VARIANT CALLS [memory]
///
/// Runs calls over a `MockTransport`, one after the other, and with `memory` prints the memory of the process and what the observer holds.
/// For the instructions of a call, it runs under callgrind with N and 2N calls. `scripts/observers` does both. Variants: see `Variant`.
@main
enum Command {
    /// Waits on a semaphore, because an asynchronous `main` exits the main thread, which valgrind does not support.
    static func main() {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { fatalError("\(error)") }
            done.signal()
        }
        done.wait()
    }

    private static func run() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let variant = Variant(rawValue: arguments[1]), let count = Int(arguments[2]) else {
            fatalError("Usage: observers \(Variant.allCases.map(\.rawValue).joined(separator: "|")) CALLS [memory]")
        }
        let setting = try await variant.setting()
        var left = count
        while left > 0 {
            // Another transport and client now and then: a `MockTransport` keeps all its requests.
            let calls = min(left, 10_000)
            let sample = SampleCall(setting.interceptors) { transport, interceptors in
                HTTPClient(
                    baseURL: URL(string: "https://api.example/v1/"), transport: transport, interceptors: interceptors,
                    observers: setting.observers)
            }
            try await sample.run(calls)
            left -= calls
        }
        guard arguments.count > 3 else { return }
        print("\(variant.rawValue): \(count) calls, resident \(try Memory.resident()) KB, peak \(try Memory.peak()) KB\(setting.report())")
    }
}

/// What observes the calls.
enum Variant: String, CaseIterable {
    /// No observer.
    case none
    /// An observer that does nothing.
    case empty
    /// `LoggingObserver` with basic details, to a sink that discards the entries.
    case logging
    /// `MetricsObserver` with `PrometheusMetrics`.
    case metrics
    /// `AnalyticsObserver` with a closure that discards the reports.
    case analytics
    /// `TracingObserver`, its interceptor, and `SpanTracer` with an exporter that discards the spans.
    case tracing
    /// `HARObserver` with its default limits.
    case har
    /// `HARObserver` that is limited only by its default 20 MB.
    case bytes
    /// `Inspector` with its default limits and without an open page.
    case inspector

    struct Setting {
        var observers: [any CallObserver] = []
        var interceptors: [any Interceptor] = []
        /// What the observer holds at the end.
        var report: () -> String = { "" }
    }

    func setting() async throws -> Setting {
        switch self {
        case .none: return Setting()
        case .empty: return Setting(observers: [EmptyObserver()])
        case .logging: return Setting(observers: [LoggingObserver(detail: .basic, maxDetailInRelease: .basic, to: LogSink { _ in })])
        case .metrics:
            let metrics = PrometheusMetrics()
            return Setting(observers: [MetricsObserver(metrics)]) { ", \(metrics.text.utf8.count) bytes of metrics" }
        case .analytics: return Setting(observers: [AnalyticsObserver { _ in }])
        case .tracing:
            let observer = TracingObserver(SpanTracer { _ in })
            return Setting(observers: [observer], interceptors: [observer.interceptor()])
        case .har:
            let observer = HARObserver()
            return Setting(observers: [observer]) { ", \(observer.callCount) calls kept, \(observer.har().count) bytes as HAR" }
        case .bytes:
            let observer = HARObserver(maxCalls: .max)
            return Setting(observers: [observer]) { ", \(observer.callCount) calls kept" }
        case .inspector:
            let inspector = try await Inspector.start(startsInReleaseBuilds: true)
            return Setting(observers: [inspector]) { ", \(inspector.har().count) bytes as HAR" }
        }
    }
}

private struct EmptyObserver: CallObserver {
    func observe(_ event: CallEvent, of call: CallInfo) {}
}
