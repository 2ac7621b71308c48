import MartletMockServer

/// Starts a server whose reply depends on the number of messages that it receives.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start(), calls = Recorder<Void>()
    server.on(.post("/v1/chat/completions").header(.authorization, "Bearer s3cret")) { request, _ in
        calls.append(())
        switch request.json?["messages"]?.arrayValue?.count {
        case 2 where calls.count == 1: return .status(429, headers: ["Retry-After": "2"])
        case 2: return words("A martlet is", " a bird that", " never lands.")
        case 4: return words("It is a", " common swift.")
        case 6: return words("Swifts sleep", " in the air", " and").piecesDelayed(by: .seconds(60))  // until the user stops it
        case 8: return words("They come down", " to nest.")
        case 10 where calls.count == 6: return words("Under", " the roof").disconnecting(afterBodyBytes: 60)
        default: return .json(#"{"error":{"message":"Overloaded"}}"#, status: 429, headers: ["Retry-After": "120"])
        }
    }
    return server
}

/// Returns pieces of a text as a stream of events.
private func words(_ pieces: String...) -> MockReply {
    let chunks = pieces.map { #"{"choices":[{"delta":{"content":"\#($0)"}}]}"# }
    return .events(chunks + ["[DONE]"]).piecesDelayed(by: .milliseconds(20))
}
