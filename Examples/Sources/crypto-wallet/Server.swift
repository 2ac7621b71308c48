import MartletMockServer

let scriptedKey = "k3y"

/// Starts an exchange with two coins and a wallet. The first transfer fails with a 503, so that it is sent again.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.any, .status(401))
    func signed(_ matcher: RequestMatcher) -> RequestMatcher { matcher.header("X-API-Key", scriptedKey) }

    server.on(signed(.get("/coins")), .json(#"[{"id":"btc","name":"Bitcoin"},{"id":"eth","name":"Ether"}]"#))
    server.on(
        signed(.get("/prices/eur")), .json(#"[{"coin":"btc","amount":"60000.50"},{"coin":"eth","amount":"2500"}]"#),
        .json(#"[{"coin":"btc","amount":"61000"},{"coin":"eth","amount":"2400"}]"#))
    server.on(signed(.get("/wallet/balances")), .json(#"[{"coin":"btc","amount":"0.1"},{"coin":"eth","amount":"3"}]"#))
    server.on(
        signed(.get("/wallet/transfers?status=pending")),
        .json(#"[{"id":7,"coin":"eth","amount":"0.2","status":"pending"},{"id":8,"coin":"btc","amount":"1","status":"reviewed"}]"#))
    server.on(
        signed(.post("/wallet/transfers")), .status(503), .json(#"{"id":9,"coin":"eth","amount":"0.5","status":"pending"}"#, status: 201))
    server.on(
        signed(.post("/wallet/transfers").json(containing: ["coin": "btc"])),
        .json(#"{"code":"insufficient_funds","missing":"0.9"}"#, status: 422))
    return server
}
