import Foundation
import Martlet
import MartletCurl
import MartletTesting
import Testing

@Suite("OpenTelemetry: exported spans are valid OTLP", .serialized, .timeLimit(.minutes(5)))
struct OpenTelemetryTests {
    private func collector(_ path: String) throws -> URL { try Servers.url("OTLP", path, scheme: "http") }

    /// Returns the spans of a trace that the collector has accepted.
    private func spans(of trace: String) async throws -> [JSONValue] {
        let all = try await HTTPClient(transport: CurlTransport()).send(Request<JSONValue>.get(url: collector("/spans")))
        return all.arrayValue?.filter { $0["traceId"]?.stringValue == trace } ?? []
    }

    @Test("A collector that checks the schema accepts the spans of calls of every outcome")
    func schema() async throws {
        let server = try await MockServer.start { request in
            switch request.path {
            case "/old": .status(302, headers: ["Location": "/new?token=hunter2"])
            case "/gone": .disconnect
            case "/busy": .status(503)
            default: .json(#"{"name":"Ada"}"#)
            }
        }
        let exporter = OTLPExporter(
            url: try collector("/v1/traces"), service: "tests", resource: ["host.cpu": 2, "test": true, "ratio": 0.5],
            transport: CurlTransport())
        let tracing = TracingObserver(SpanTracer(exporter))
        let client = HTTPClient(
            baseURL: server.url, transport: CurlTransport(),
            interceptors: [tracing.interceptor(), RetryInterceptor(RetryPolicy(maxAttempts: 2, backoff: .constant(.milliseconds(1))))],
            observers: [tracing])
        let trace = TraceID(random: .system).description
        let parent = try #require(
            TraceContext(headers: ["traceparent": "00-\(trace)-00f067aa0ba902b7-01", "tracestate": "rojo=1,congo=2"]))
        await TraceContext.$current.withValue(parent) {
            _ = await client.result(of: Request<JSONValue>.get("old").tag("\u{1F600} \"x\""))
            _ = await client.result(of: Request<Int>.get("new"))
            _ = await client.result(of: Request<Int>.get("gone"))
            _ = await client.result(of: Request<Int>.post("busy", body: .json(["pin": 1])).named("Söndag"))
        }
        await exporter.shutdown()
        await server.stop()

        #expect(exporter.statistics.lastFailure == nil)
        #expect(exporter.statistics.dropped == 0)
        let spans = try await spans(of: trace)
        #expect(spans.count == exporter.statistics.sent && spans.filter { $0["kind"] == 1 }.count == 4)
        #expect(spans.allSatisfy { $0["traceState"] == "rojo=1,congo=2" })
        #expect(spans.contains { $0["name"] == "Söndag" && $0["status"]?["code"] == 2 })
        #expect(!"\(spans)".contains("hunter2"))
    }

    @Test("A batch arrives once after the collector was unavailable")
    func unavailable() async throws {
        let exporter = OTLPExporter(
            url: try collector("/v1/traces"), service: "tests", transport: CurlTransport(), time: ManualTime())
        let control = HTTPClient(transport: CurlTransport())
        try await control.send(Request<Void>.post(url: collector("/fail?status=503&count=2")))
        let span = SpanTracer(exporter).startSpan("late", kind: .internal, parent: nil, attributes: [], start: Date())
        span.end(at: Date())
        await exporter.flush()
        #expect(exporter.statistics.sent == 1)
        let context = try #require(span.context as? TraceContext)
        #expect(try await spans(of: "\(context.traceID)").count == 1)
    }
}
