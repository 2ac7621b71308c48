// A service whose calls are measured and traced: the text that Prometheus reads, and spans for an OpenTelemetry collector.
import Foundation
import Martlet

struct Price: Codable, Sendable {
    let amount: Int
}

struct GetPrice: Endpoint {
    typealias Response = Price
    let product: Int
    var path: Path { "products/\(product)/price" }
}

/// A handler of the service. Its calls belong to the trace of the incoming request.
struct PriceHandler: Sendable {
    let prices: HTTPClient

    func respond(to fields: HTTPFields, product: Int) async -> String {
        await TraceContext.$current.withValue(TraceContext(headers: fields)) {
            switch await prices.result(of: GetPrice(product: product)) {
            case .success(let price): "\(price.amount)"
            case .failure(let error): "no price (\(error.stage?.rawValue ?? "unknown stage"))"
            }
        }
    }
}

let upstream = try await startPriceServer(), collector = try await startCollector()

let metrics = PrometheusMetrics()
let exporter = OTLPExporter(url: collector.url.appendingPathComponent("v1/traces"), service: "shop")
let tracing = TracingObserver(SpanTracer(exporter))
let retry = RetryInterceptor(RetryPolicy(backoff: .constant(.milliseconds(50))))
let handler = PriceHandler(
    prices: HTTPClient(
        baseURL: upstream.url, interceptors: [tracing.interceptor(), retry], observers: [MetricsObserver(metrics), tracing]))

let service = try await startService(handler, metrics)

// Two requests of a caller with a trace.
var settings = HTTPClient.Configuration()
settings.headers[.traceparent] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
let caller = HTTPClient(baseURL: service.url, configuration: settings)
let first = try await caller.send(Request<String>.get("prices/7"))
let second = try await caller.send(Request<String>.get("prices/9"))
print("responses: \(first), \(second)")
precondition(first == "42" && second == "no price (decoding)")

// Prometheus reads the metrics.
let text = try await HTTPClient(baseURL: service.url).send(Request<String>.get("metrics"))
for line in text.split(separator: "\n") where line.hasPrefix("http_client_calls_total") { print(line) }
for line in text.split(separator: "\n") where line.hasPrefix("http_client_attempts_total") { print(line) }
precondition(text.contains(#"http_client_calls_total{method="GET",outcome="2xx",route="/products/{}/price"} 1"#))
precondition(text.contains(#"http_client_calls_total{method="GET",outcome="decoding",route="/products/{}/price"} 1"#))
precondition(text.contains(#"http_client_attempts_total{method="GET",outcome="5xx",route="/products/{}/price"} 1"#))

// Each attempt passed the caller's trace on.
let traces = Set(upstream.requests.compactMap { TraceContext(headers: $0.headers)?.traceID.description })
precondition(upstream.requests.count == 3 && traces == ["4bf92f3577b34da6a3ce929d0e0e4736"])

// At the end, the last spans are sent: two calls and three attempts.
await exporter.shutdown()
print("spans: \(exporter.statistics.sent) sent, \(exporter.statistics.dropped) dropped")
precondition(exporter.statistics.sent == 5 && collector.requests.count == 1)
