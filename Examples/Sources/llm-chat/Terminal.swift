import CommandLineSupport
import Foundation

/// The conversation in a terminal. Ctrl-C stops an answer; without an answer, it ends the program.
@MainActor
final class Terminal {
    let conversation: Conversation
    private var answer: Task<Conversation.Answer, any Error>?

    init(_ conversation: Conversation) {
        self.conversation = conversation
        let interrupts = signals(SIGINT)
        Task { [weak self] in
            for await _ in interrupts {
                guard let answer = self?.answer else { exit(130) }
                answer.cancel()
            }
        }
    }

    /// Asks a question and prints the answer as it arrives. Returns nil, after a message, if there is none.
    func ask(_ question: String, onToken: @escaping (String) -> Void = { _ in }) async -> Conversation.Answer? {
        let task = Task {
            try await conversation.ask(question) { token in
                print(token, terminator: "")
                fflush(nil)  // without a line break, standard output would keep the token
                onToken(token)
            }
        }
        answer = task
        defer { answer = nil }
        do {
            let answer = try await task.value
            print(answer.isComplete ? "" : " … (stopped)")
            return answer
        } catch {
            if let message = (error as? ChatError)?.errorDescription { print(message) }
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
