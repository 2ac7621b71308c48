import MartletTesting

/// Starts a server with two movies. The subscription's first connection breaks after one review.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    func operation(_ name: String, _ variables: JSONValue) -> RequestMatcher {
        .post("/graphql").header(.authorization, "Bearer t0ken").json(containing: ["variables": variables])
            .where(name) { $0.json?["query"]?.stringValue?.contains(" \(name)(") == true }
    }

    server.on(
        operation("Movie", ["id": "1"]),
        .json(
            #"""
            {"data":{"movie":{"title":"Winged Migration","boxOffice":null,"reviews":[{"id":"r1","stars":5,"text":"Birds!"}]}},
             "errors":[{"message":"no right to read it","path":["movie","boxOffice"],"extensions":{"code":"FORBIDDEN"}}]}
            """#))
    server.on(operation("Movie", ["id": "2"]), .json(#"{"data":{"movie":null}}"#))
    server.on(
        operation("AddReview", ["input": ["movie": "1", "stars": 4]]),
        .json(#"{"data":{"addReview":{"id":"r2","stars":4,"text":null}}}"#),
        .json(#"{"data":null,"errors":[{"message":"once only","extensions":{"code":"ALREADY_REVIEWED"}}]}"#))
    server.on(operation("ReviewAdded", ["movie": "1"]), .events([review(3, retry: .seconds(1))]))
    server.on(
        operation("ReviewAdded", ["movie": "1"]).header("Last-Event-ID", "3"),
        .events([review(4), review(5), MockReply.Event("", type: "complete")]))
    return server
}

/// Returns the event of a new review, whose number is also the event's ID.
private func review(_ number: Int, retry: Duration? = nil) -> MockReply.Event {
    let json = #"{"data":{"reviewAdded":{"id":"r\#(number)","stars":\#(number % 5 + 1),"text":"Again!"}}}"#
    return MockReply.Event(json, type: "next", id: "\(number)", retry: retry)
}
