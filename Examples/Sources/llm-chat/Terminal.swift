import CommandLineSupport
import Foundation

/// The conversation in a terminal. Ctrl-C stops a reply; without a reply, it ends the program.
@MainActor
final class Terminal {
    let conversation: Conversation
    private var reply: Task<Conversation.Reply, any Error>?
    private var hasPrintedText = false

    init(_ conversation: Conversation) {
        self.conversation = conversation
        let interrupts = signals(SIGINT)
        Task { [weak self] in
            for await _ in interrupts {
                guard let reply = self?.reply else { exit(130) }
                reply.cancel()
            }
        }
    }

    /// Asks a question and prints the reply as it arrives. Prints the message of a failure and returns nil.
    func ask(_ question: String, onToken: @escaping (String) -> Void = { _ in }) async -> Conversation.Reply? {
        hasPrintedText = false
        let task = Task {
            try await conversation.ask(question) { token in
                print(token, terminator: "")
                fflush(nil)  // without a line break, standard output would keep the token
                hasPrintedText = true
                onToken(token)
            }
        }
        reply = task
        defer { reply = nil }
        do {
            let reply = try await task.value
            print(reply.isComplete ? "" : " … (stopped)")
            return reply
        } catch {
            if let message = (error as? ChatError)?.errorDescription { print(hasPrintedText ? "\n\(message)" : message) }
            return nil
        }
    }

    /// Answers the lines of standard input until it ends.
    func run() async {
        print("> ", terminator: "")
        fflush(nil)
        for await line in Terminal.lines() {
            if !line.isEmpty { _ = await ask(line) }
            print("> ", terminator: "")
            fflush(nil)
        }
        print()
    }

    /// The lines of standard input, read on a thread of their own, because reading blocks.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
