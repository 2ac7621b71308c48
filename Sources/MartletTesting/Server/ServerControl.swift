#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a server's thread, its tasks and its owner share.
final class ServerControl: Sendable {
    /// What a task tells the thread about a connection.
    enum Message: Sendable {
        /// The handler's answer.
        case reply(MockReply)
        /// A wait is over.
        case resume
        /// A piece of a body; the promise tells whether it was written.
        case piece(Data, written: Promise<Bool>)
        case bodyEnd
        case bodyFailure
    }

    enum Answer {
        case scripted(MockReply)
        case handler(@Sendable (RecordedRequest) async throws -> MockReply)
        case none
    }

    private struct State {
        var messages: [(connection: Int, message: Message)] = []
        var replies: ArraySlice<MockReply> = []
        var isStopping = false
        var hasEnded = false
    }

    let options: MockServer.Options
    let wakeup: Wakeup
    let requests = Recorder<RecordedRequest>()
    let accepted = Tally()
    let open = Tally()
    let written = Tally()

    private let handler: (@Sendable (RecordedRequest) async throws -> MockReply)?
    private let state = Locked(State())
    private let ended = Promise<Void>()
    private let tasks = Tally()

    init(
        options: MockServer.Options, handler: (@Sendable (RecordedRequest) async throws -> MockReply)?
    ) throws(HTTPError) {
        self.options = options
        self.handler = handler
        wakeup = try Wakeup()
    }

    // MARK: Replies

    func enqueue(_ replies: [MockReply]) { state.withLock { $0.replies += replies } }

    func nextAnswer() -> Answer {
        if let reply = state.withLock({ $0.replies.popFirst() }) { return .scripted(reply) }
        return handler.map(Answer.handler) ?? .none
    }

    /// Takes the next reply when it is one that does not wait for the request's body.
    func nextAnswerBeforeBody() -> MockReply? {
        state.withLock { state in
            guard let first = state.replies.first, first.isBeforeBody else { return nil }
            return state.replies.popFirst()
        }
    }

    // MARK: Tasks

    /// Runs a task that ``waitUntilStopped()`` waits for.
    func run(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        tasks.add(1)
        return Task { [tasks] in
            await operation()
            tasks.add(-1)
        }
    }

    /// Tells the thread something about a connection.
    func post(_ message: Message, to connection: Int) {
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.messages.append((connection, message))
            return (true, state.messages.count == 1)
        }
        if isFirst { wakeup.signal() }
        if !isTaken { message.drop() }
    }

    // MARK: The thread's side

    var isStopping: Bool { state.withLock { $0.isStopping } }

    func takeMessages() -> [(connection: Int, message: Message)] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// The thread's last words.
    func end() {
        let left = state.withLock { state in
            state.hasEnded = true
            defer { state.messages = [] }
            return state.messages
        }
        for (_, message) in left { message.drop() }
        ended.keep(())
    }

    // MARK: Stopping

    func requestStop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    func waitUntilStopped() async {
        await ended.value
        // Also when the caller's task is cancelled: whoever stops a server counts on its being gone.
        let gone = Promise<Void>()
        Task { [tasks] in
            try? await tasks.wait { $0 == 0 }
            gone.keep(())
        }
        await gone.value
    }
}

extension ServerControl.Message {
    /// Tells whoever sent it that nobody heard.
    func drop() {
        if case .piece(_, let written) = self { written.keep(false) }
    }
}
