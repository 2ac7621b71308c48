import Foundation
import Martlet
import MartletMockServer

/// Starts a server of prices that is busy once, and that sends a broken price for the product 9.
func startPriceServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/products/{id}/price"), .status(503), .json(#"{"amount": 42}"#))
    server.on(.get("/products/9/price"), .json(#"{"amount": "unknown"}"#))
    return server
}

/// Starts a server that accepts spans as an OpenTelemetry collector does.
func startCollector() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.post("/v1/traces"), .json("{}"))
    return server
}

/// Starts the service's own server, which takes the place of a web framework.
func startService(_ handler: PriceHandler, _ metrics: PrometheusMetrics) async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/prices/{id}")) { request, path in
        .text(await handler.respond(to: request.headers, product: Int(path["id"] ?? "") ?? 0))
    }
    server.on(.get("/metrics")) { _, _ in .data(Data(metrics.text.utf8), contentType: PrometheusMetrics.contentType) }
    return server
}
