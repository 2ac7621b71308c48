import Martlet

/// A message of a conversation.
struct Message: Codable, Equatable {
    enum Role: String, Codable {
        case system, user, assistant
    }

    let role: Role
    let content: String
}

/// `POST /v1/chat/completions`, as many servers of language models offer it. The response is a stream of events.
struct CompleteChat: Endpoint {
    typealias ErrorBody = ChatProblem

    private struct Prompt: Encodable {
        let model: String
        let messages: [Message]
        let stream = true
    }

    let model: String
    let messages: [Message]

    var path: Path { "v1/chat/completions" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .json(Prompt(model: model, messages: messages)) }
}

/// The data of one event: the next piece of the text.
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

/// The body of an error response.
struct ChatProblem: Decodable {
    struct Details: Decodable {
        let message: String
        let code: String?
    }
    let error: Details
}
