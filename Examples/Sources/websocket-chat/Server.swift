import MartletMockServer

/// Starts a server with a chat room. Its first connection breaks after two posts.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/rooms/7"), .status(401))
    server.on(
        .get("/rooms/7").header(.authorization, "Bearer t0ken"),
        .webSocket(.expect(json: ["name": "Wren", "after": 0]), post(1, "Ada", "Hello"), post(2, "Ada", "Is anyone there?"), .drop()),
        .webSocket(
            .expect(json: ["name": "Wren", "after": 2]), post(3, "Bob", "I am"), .expect(json: ["text": "I was away"]),
            post(4, "Wren", "I was away"), .close()))
    return server
}

private func post(_ id: Int, _ author: String, _ text: String) -> WebSocketStep {
    .send(json: ["id": JSONValue(id), "author": .string(author), "text": .string(text)])
}
