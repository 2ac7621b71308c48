import MartletMockServer

/// Starts a server with two birds that accepts a third one.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/birds"), .json(#"[{"id":1,"name":"Common swift"},{"id":2,"name":"Alpine swift"}]"#))
    server.on(.post("/birds").json(["name": "Pallid swift"]), .json(#"{"id":3,"name":"Pallid swift"}"#, status: 201))
    server.on(.delete("/birds/{id}"), .status(204))
    server.on(.get("/birds/{id}"), .status(404))
    return server
}
