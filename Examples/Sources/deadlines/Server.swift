import MartletMockServer

/// Starts a server with a slow profile, suggestions that never arrive, and a busy service.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/profile"), .text("Wren").delayed(by: .milliseconds(200)))
    server.on(.get("/orders"), .json("[7, 9]"))
    server.on(.get("/suggestions"), .silence)
    server.on(.get("/busy"), .status(.serviceUnavailable, headers: [.retryAfter: "60"]))
    return server
}
