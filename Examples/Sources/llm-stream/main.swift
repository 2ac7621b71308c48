// Streaming a language model's text: server-sent events with one JSON chunk each, up to `data: [DONE]`.
import Foundation
import Martlet

struct Prompt: Encodable {
    struct Message: Encodable {
        let role: String
        let content: String
    }
    let model: String
    let messages: [Message]
    let stream = true
}

struct Chunk: Decodable {
    struct Choice: Decodable {
        struct Delta: Decodable {
            let content: String?
        }
        let delta: Delta
    }
    let choices: [Choice]

    var text: String { choices.first?.delta.content ?? "" }
}

let server = try await startServer()
let client = HTTPClient(baseURL: server.url, interceptors: [AuthInterceptor(StaticTokenProvider("s3cret"))])

let prompt = Prompt(model: "small", messages: [.init(role: "user", content: "What is a martlet?")])
let chunks = client.events(.post("v1/chat/completions", body: .json(prompt)), as: Chunk.self, options: .init(endMarker: "[DONE]"))
var text = ""
for try await chunk in chunks {
    print("+ \(chunk.text)")
    text += chunk.text
}
print(text)
precondition(text == "A bird that never lands.")

// A broken stream throws, and the text received so far remains. A POST is not resent.
server.on(.post("/v1/chat/completions"), faults: .always(.drop(atByte: 90)), story())
text = ""
do {
    for try await chunk in chunks { text += chunk.text }
    fatalError("the broken stream looked complete")
} catch {  // error is HTTPError
    print("broken after “\(text)”: \(error.errorDescription ?? "")")
}
precondition(server.requests.count == 2)
