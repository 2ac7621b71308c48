import Foundation
import MartletMockServer

/// Starts a server that writes one sentence.
func startServer() async throws -> MockServer {
    let server = try await MockServer.start()
    server.on(.post("/v1/chat/completions").header(.authorization, "Bearer s3cret"), story())
    return server
}

/// Returns the sentence as a stream of events, a word at a time.
func story() -> MockReply {
    let words = ["A", " bird", " that", " never", " lands."].map { #"data: {"choices":[{"delta":{"content":"\#($0)"}}]}"# + "\n\n" }
    let pieces = (words + ["data: [DONE]\n\n"]).map { Data($0.utf8) }
    return .stream(pieces, headers: [.contentType: "text/event-stream"]).piecesDelayed(by: .milliseconds(30))
}
