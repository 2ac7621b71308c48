import MartletMockServer

/// Starts a server whose login form sets a session cookie and redirects to the profile. It also sets a cookie that must not be stored.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(
        .post("/login"),
        .status(
            .found,
            headers: [
                "Location": "/profile", "Set-Cookie": "session=s3cret; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600",
                "Set-Cookie": "everyone=1; Domain=com",
            ]))
    server.on(.get("/profile"), .status(.unauthorized))
    server.on(.get("/profile").header(.cookie, "session=s3cret"), .json(#"{"name":"Wren"}"#))
    server.on(.post("/logout"), .status(.noContent, headers: ["Set-Cookie": "session=; Path=/; Max-Age=0"]))
    return server
}
