import Foundation
import MartletMockServer

/// Starts a server with two birds and a photo.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.get("/birds"), .json("[]"))
    server.on(.post("/birds"), .status(201))
    server.on(.get("/birds/{id}"), .json("{}"))
    server.on(.get("/birds/3"), .status(404))
    server.on(.get("/birds/{id}/photo"), .data(Data(count: 10), contentType: "image/jpeg"))
    return server
}
