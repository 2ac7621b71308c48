import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import Martlet
import MartletBridges
import Metrics
import MetricsTestKit
import Tracing

/// Returns a client whose calls are logged, measured and traced by the backends of the process.
func makeClient(_ name: String, _ url: URL, over transport: any Transport) -> Martlet::HTTPClient {
    let tracing = TracingObserver(), retry = RetryInterceptor(RetryPolicy(backoff: .constant(.milliseconds(50))))
    return Martlet::HTTPClient(
        baseURL: url, transport: transport, interceptors: [tracing.interceptor(), retry],
        observers: [LoggingObserver(to: .logger(Logger(label: name), outcomeLevel: .info)), SwiftMetricsObserver(client: name), tracing])
}

/// Backends that keep everything in memory, in place of swift-otel or those of a vendor.
struct Backends {
    private let log = InMemoryLogHandler(), metrics = TestMetrics(), tracer = InMemoryTracer()

    func bootstrap() {
        LoggingSystem.bootstrap { [log] _ in log }
        MetricsSystem.bootstrap(metrics)
        InstrumentationSystem.bootstrap(tracer)
    }

    /// Prints what the backends have of the user's first request, and checks that both sides of it belong together.
    func check() {
        let server = tracer.finishedSpans.first { $0.kind == .server }
        let trace = tracer.finishedSpans.filter { $0.traceID == server?.traceID }
        for span in trace { print("span: \(span.kind) \(span.operationName)") }
        // That of the server, that of the call, and those of its two attempts.
        precondition(trace.count == 4 && trace.count { $0.parentSpanID == server?.spanID } == 1)

        let calls = log.entries.filter { $0.metadata["url.template"] == "/products/{}/price" }
        for entry in calls { print("log: \(entry.level) \(entry.metadata)") }
        precondition(calls.count == 2 && calls.allSatisfy { $0.metadata["hb.request.id"] != nil })

        let timers = Set(metrics.timers.map(\.label))
        print("timers: \(timers.sorted())")
        precondition(timers.isSuperset(of: ["http.client.request.duration", "http.server.request.duration"]))
    }
}
