import MartletMockServer

/// Starts a server that fails three times and then recovers, and that takes some time for `/nests`.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    let down = MockReply.status(.serviceUnavailable)
    server.on(.get("/birds"), down, down, down, .json(#"["swift","martin"]"#))
    server.on(.get("/nests"), .json("12").delayed(by: .milliseconds(200)))
    server.on(.get("/songs"), .json("3"))
    return server
}
