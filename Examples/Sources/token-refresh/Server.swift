import MartletMockServer

/// Starts a server whose first token has expired before its first use.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.post("/login"), .json(#"{"access_token":"t1","refresh_token":"r1"}"#))
    server.on(.post("/refresh").form(["refresh_token": "r1"]), .json(#"{"access_token":"t2","refresh_token":"r2"}"#))
    server.on(.get("/orders/{id}"), .status(401))
    server.on(.get("/orders/{id}").header(.authorization, "Bearer t2")) { _, path in .json(#"{"id":\#(path["id"] ?? "0")}"#) }
    return server
}

/// Makes the server refuse the session's tokens.
func endSession(on server: MockServer) {
    server.on(.get("/orders/{id}"), .status(401))
    server.on(.post("/refresh"), .status(403))
}
