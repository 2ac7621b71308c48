import MartletTesting

/// A partner with an authorization server. Orders from 100 on wait until they are released, and order 104 never gets a response.
struct Partner: Sendable {
    let server: MockServer
    let slowOrders = Recorder<Int>()
    let release = Recorder<Void>()

    static func start() async throws -> Partner {
        let partner = Partner(server: try await MockServer.start())
        partner.accept(token: "t1")
        partner.server.on(
            .post("/oauth/token").form(["grant_type": "client_credentials", "scope": "invoices"]),
            .json(#"{"access_token":"t1","token_type":"Bearer","expires_in":3600}"#),
            .json(#"{"access_token":"t2","token_type":"Bearer","expires_in":3600}"#))
        partner.server.on(
            .get("/rates"), .status(503),
            .json(#"{"EUR":1,"CHF":0.95}"#, headers: ["Cache-Control": "public, max-age=60"]))
        return partner
    }

    /// Accepts this token from now on, and no other one.
    func accept(token: String) {
        func signed(_ matcher: RequestMatcher) -> RequestMatcher { matcher.header(.authorization, "Bearer \(token)") }
        server.on(.get("/orders/{id}"), .status(401))
        server.on(.post("/invoices"), .status(401))
        server.on(signed(.get("/orders/{id}"))) { _, path in
            let id = path["id", default: "0"], number = Int(id) ?? 0
            if number >= 100 {
                slowOrders.append(number)
                _ = try await release.value(at: 0)
            }
            return number == 104 ? .silence : .json(#"{"id":\#(id),"cents":950,"currency":"\#(number % 2 == 0 ? "CHF" : "EUR")"}"#)
        }
        server.on(signed(.post("/invoices"))) { request, _ in
            let cents = request.json?["cents"]?.intValue ?? 0
            return .json(#"{"id":1,"cents":\#(cents)}"#, status: 201)
        }
    }
}
