import Foundation
import Martlet
import MartletTesting
import Testing

@Suite("prometheus_client: metrics are valid in Prometheus's text format", .timeLimit(.minutes(5)))
struct PrometheusClientTests {
    private struct Sample: Decodable {
        var type: String
        var help: String
        var name: String
        var labels: [String: String]
        var value: Double
    }

    private func parsed(_ metrics: PrometheusMetrics) async throws -> [Sample] {
        let folder = try ToolFolder()
        try Data(metrics.text.utf8).write(to: folder.file("metrics.txt"))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../servers/check-metrics")
        let output = try await Tool.run("MARTLET_PROMETHEUS_PYTHON", [script.standardized.path, folder.file("metrics.txt").path])
        return try JSONDecoder().decode([Sample].self, from: output)
    }

    @Test("prometheus_client reads the metrics of calls with all kinds of outcomes")
    func calls() async throws {
        let server = try await MockServer.start { request in
            switch request.path {
            case "/users/1": .json(#"{"name":"Ada"}"#)
            case "/users/2": .status(404)
            case "/gone": .disconnect
            default: .json("[]")
            }
        }
        let metrics = PrometheusMetrics()
        let client = HTTPClient(baseURL: server.url, observers: [MetricsObserver(metrics)])
        for id in 1...3 { _ = await client.result(of: Request<[String: String]>.get("users/\(id)")) }
        _ = await client.result(of: Request<Data>.post("gone", body: .text("hello")))
        for try await _ in try await client.stream(Request<Data>.get("stream")).body {}
        await server.stop()

        let samples = try await parsed(metrics)
        let calls = samples.filter { $0.name == "http_client_calls_total" }
        #expect(
            Set(calls.map { "\($0.labels["method"] ?? "") \($0.labels["route"] ?? "") \($0.labels["outcome"] ?? "") \($0.value)" }) == [
                "GET /users/{} 2xx 1.0", "GET /users/{} 4xx 1.0", "GET /users/{} decoding 1.0", "POST /gone network 1.0",
                "GET /stream 2xx 1.0",
            ])
        let durations = samples.filter { $0.name == "http_client_call_duration_seconds_count" }
        #expect(durations.count == 5 && durations.allSatisfy { $0.type == "histogram" && $0.value == 1 && !$0.help.isEmpty })
        #expect(samples.filter { $0.name == "http_client_active_calls" }.allSatisfy { $0.value == 0 && $0.type == "gauge" })
    }

    @Test("prometheus_client reads hostile names, labels, help texts and numbers unchanged")
    func hostile() async throws {
        let metrics = PrometheusMetrics(), text = "a\\b\"c\nd\\n,}={ü\u{301}\t#"
        for value in ["", text, "\\", "\"", "a\\"] {
            metrics.record(1, of: CallMetric("a.b-c", .gauge, help: text), labels: [.init("url.template", value)])
        }
        for (index, value) in [0, -0.5, 1e-300, 1e300].enumerated() {
            metrics.record(value, of: CallMetric("n\(index)", .gauge, help: ""), labels: [])
        }
        let samples = try await parsed(metrics)
        let hostile = samples.filter { $0.name == "a_b_c" }
        #expect(Set(hostile.map { $0.labels["url_template"] ?? "" }) == ["", text, "\\", "\"", "a\\"])
        #expect(hostile.allSatisfy { Array($0.help.unicodeScalars) == Array(text.unicodeScalars) })
        #expect(samples.filter { $0.name.hasPrefix("n") }.map(\.value) == [0, -0.5, 1e-300, 1e300])
    }
}
