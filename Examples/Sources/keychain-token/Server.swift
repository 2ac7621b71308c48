import MartletMockServer

/// Starts a server that accepts one token, that of the user Ada.
func startServer(accepting token: String) async throws -> MockServer {
    try await MockServer.start { request in
        request.headers[.authorization] == "Bearer \(token)" ? .json(#"{"name":"Ada"}"#) : .status(401)
    }
}
