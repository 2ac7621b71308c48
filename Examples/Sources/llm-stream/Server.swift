import MartletMockServer

/// Starts a server that writes one sentence.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.post("/v1/chat/completions").header(.authorization, "Bearer s3cret"), story())
    return server
}

/// Returns the sentence as a stream of events, a word at a time.
func story() -> MockReply {
    let words = ["A", " bird", " that", " never", " lands."].map { #"{"choices":[{"delta":{"content":"\#($0)"}}]}"# }
    return .events(words + ["[DONE]"]).piecesDelayed(by: .milliseconds(30))
}
