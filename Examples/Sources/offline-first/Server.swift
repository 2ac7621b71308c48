import MartletMockServer

/// Starts a server whose list grows and whose responses are stale immediately.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    let headers: HTTPFields = [.cacheControl: "max-age=0"]
    server.on(
        .get("/birds"), .json(#"[{"name":"Common swift"}]"#, headers: headers),
        .json(#"[{"name":"Common swift"},{"name":"Alpine swift"}]"#, headers: headers))
    return server
}
