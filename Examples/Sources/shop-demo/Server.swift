import MartletMockServer

/// Starts a shop that is busy for the first three requests, and checks the fields of orders.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    let products = #"[{"id":1,"name":"Nest box","cents":2450},{"id":2,"name":"Field guide","cents":3200}]"#
    server.on(.get("/products"), .status(503), .status(503), .status(503), .json(products))
    server.on(.post("/orders")) { request, _ in
        guard request.json?["email"]?.stringValue?.contains("@") == true else {
            return .json(#"{"errors":{"email":["must be an email address"],"street":["is required"]}}"#, status: 422)
        }
        return request.json?["products"] == [1] ? .json(#"{"number":"A-17"}"#, status: 201) : .status(409)
    }
    return server
}
