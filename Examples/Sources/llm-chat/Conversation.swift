import Martlet

/// A conversation with a language model. It keeps the history, because the server does not.
@MainActor
final class Conversation {
    /// A reply, or its beginning if the user stopped it.
    struct Reply: Equatable {
        let text: String
        let isComplete: Bool
    }

    private(set) var messages: [Message]
    private let model: String
    private let api: APIClient<ChatError>

    init(system: String, model: String, api: APIClient<ChatError>) {
        messages = [Message(role: .system, content: system)]
        self.model = model
        self.api = api
    }

    /// Asks a question and returns the reply.
    ///
    /// The question and the reply then become part of the history. If the task is cancelled, the text so far does, so that the next
    /// question can refer to it. After any other failure the history is unchanged, so that the question can be asked again.
    ///
    /// - Parameter onToken: Called with each piece of the text as soon as it arrives.
    func ask(_ question: String, onToken: (String) -> Void) async throws(ChatError) -> Reply {
        let question = Message(role: .user, content: question)
        let chunks = api.events(
            CompleteChat(model: model, messages: messages + [question]), as: Chunk.self, options: EventOptions(endMarker: "[DONE]"))
        var text = "", isComplete = true
        do throws(ChatError) {
            for try await chunk in chunks {
                text += chunk.text
                onToken(chunk.text)
            }
        } catch {
            guard error == .cancelled, !text.isEmpty else { throw error }
            isComplete = false
        }
        messages += [question, Message(role: .assistant, content: text)]
        return Reply(text: text, isComplete: isComplete)
    }
}
