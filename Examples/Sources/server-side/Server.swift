import MartletMockServer

/// Starts a server of prices with one slow path.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/products/{id}/price")) { _, path in
        MockReply.json(#"{"amount":\#(path["id"] ?? "0")}"#).delayed(by: .milliseconds(5))
    }
    server.on(.get("/slow"), .json(#"{"amount":1}"#).delayed(by: .milliseconds(300)))
    return server
}
