// A chat with a language model in the terminal: tokens as they arrive, a history, Ctrl-C, and a server that is busy.
import CommandLineSupport
import Foundation
import Martlet
import MartletMockServer
import MartletTesting

let program = Program(
    "llm-chat", "Chats with a language model. The API key is read from LLM_API_KEY in the environment.",
    options: [
        .value("--model", "NAME", "The model. Default: small."),
        .value("--system", "TEXT", "The system prompt. Default: Reply in one sentence."),
    ])
let arguments = program.arguments()
let model = arguments["--model"] ?? "small", system = arguments["--system"] ?? "Reply in one sentence."

if let url = arguments.baseURL {
    let key = ProcessInfo.processInfo.environment["LLM_API_KEY"]  // a server on this machine may need none
    await Terminal(Conversation(baseURL: url, key: key, model: model, system: system)).run()
} else {
    let server = try await startServer(), time = ManualTime()
    let terminal = Terminal(Conversation(baseURL: server.url, key: "s3cret", model: model, system: system, time: time))

    /// Prints a question, as if the user had typed it, and the reply.
    @MainActor func ask(_ question: String, onToken: @escaping (String) -> Void = { _ in }) async -> Conversation.Reply? {
        print("> \(question)")
        return await terminal.ask(question, onToken: onToken)
    }

    // The server is busy and asks for two seconds. The client waits, and the user sees only the reply.
    var tokens: [String] = []
    let first = await ask("What is a martlet?") { tokens.append($0) }
    precondition(first?.text == "A martlet is a bird that never lands." && tokens.count == 3)
    precondition(time.sleeps == [.seconds(2)])

    let second = await ask("Which bird is it really?")
    precondition(second?.isComplete == true)

    // Ctrl-C after the first token. The connection is closed, and the text so far stays in the history.
    var openConnections = 0
    let third = await ask("How does it sleep?") { _ in
        openConnections = server.openConnectionCount
        kill(getpid(), SIGINT)
    }
    precondition(third == Conversation.Reply(text: "Swifts sleep", isComplete: false))
    try await server.waitForOpenConnections(atMost: openConnections - 1)

    let fourth = await ask("And when do they land?")
    precondition(fourth?.isComplete == true)
    let sent = server.requests.last?.json?["messages"]?.arrayValue?.compactMap { $0["role"]?.stringValue }
    precondition(sent == ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"])

    // A lost connection is an error, not a short reply. The question is not sent again by itself.
    let lost = await ask("Where do they nest?")
    precondition(lost == nil && terminal.conversation.messages.count == 9 && server.requests.count == 6)

    // A longer wait than thirty seconds is the user's decision. The question is not part of the history.
    let fifth = await ask("Where do they nest?")
    precondition(fifth == nil && terminal.conversation.messages.count == 9)
}
