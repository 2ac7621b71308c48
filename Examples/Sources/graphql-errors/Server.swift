import MartletMockServer

/// Starts a server with one complete bird, one whose nest is a secret, and one that cannot be loaded.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    func reply(to id: String, _ json: String) {
        server.on(.post("/graphql").json(containing: ["variables": ["id": .string(id)]]), .json(json))
    }
    reply(to: "1", #"{"data":{"bird":{"name":"Common swift","nest":"under the roof"}}}"#)
    reply(
        to: "2",
        #"""
        {"data":{"bird":{"name":"Alpine swift","nest":null}},
         "errors":[{"message":"not for everybody","path":["bird","nest"],"extensions":{"code":"FORBIDDEN"}}]}
        """#)
    reply(to: "3", #"{"data":null,"errors":[{"message":"the database is busy"}]}"#)
    return server
}
