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
    /// If the task is cancelled, the text so far remains in the history, so that the next question can refer to it. After any other
    /// failure the question is removed, so that it can be asked again.
    ///
    /// - Parameter onToken: Called with each piece of the text as soon as it arrives.
    func ask(_ question: String, onToken: (String) -> Void) async throws(ChatError) -> Reply {
        messages.append(Message(role: .user, content: question))
        let chunks = api.events(
            CompleteChat(model: model, messages: messages), as: Chunk.self, options: EventOptions(endMarker: "[DONE]"))
        var text = ""
        do throws(ChatError) {
            for try await chunk in chunks {
                text += chunk.text
                onToken(chunk.text)
            }
            messages.append(Message(role: .assistant, content: text))
            return Reply(text: text, isComplete: true)
        } catch {
            guard error == .cancelled, !text.isEmpty else {
                messages.removeLast()
                throw error
            }
            messages.append(Message(role: .assistant, content: text))
            return Reply(text: text, isComplete: false)
        }
    }
}
