import MartletMockServer

/// Starts a server that is silent, slow or fast, depending on the path.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/silent/{page}"), .silence)
    server.on(.get("/silent-once"), .silence, .text("at last"))
    server.on(.get("/mirrors/silent"), .silence)
    server.on(.get("/mirrors/slow"), .text("slow").delayed(by: .seconds(3)))
    server.on(.get("/mirrors/fast"), .text("fast").delayed(by: .milliseconds(50)))
    return server
}
