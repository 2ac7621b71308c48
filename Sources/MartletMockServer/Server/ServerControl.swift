internal import MartletEssentials
internal import MartletSystem

/// What a server's thread, its tasks and its owner share.
final class ServerControl: Sendable {
    /// What a task tells the thread about a connection.
    enum Message: Sendable {
        /// The handler's answer.
        case reply(MockReply)
        /// A wait is over.
        case resume
        /// A piece of a body; the promise tells whether it was written.
        case piece(Data, written: OneShot<Bool>)
        case bodyEnd
        case bodyFailure
    }

    let options: MockServer.Options
    let mailbox: Mailbox<(connection: Int, message: Message)>
    let script: ServerScript
    /// When the server was started, by its own time.
    let started: ContinuousClock.Instant
    let requests = Recorder<RecordedRequest>()
    let unexpected = Recorder<RecordedRequest>()
    let failedHandshakes = Recorder<MockServer.FailedHandshake>()
    /// Grows whenever a request comes, and when the server ends.
    let changes = Tally()
    let accepted = Tally()
    let open = Tally()
    let written = Tally()

    private let ended = OneShot<Void>()
    private let tasks = Tally()

    init(
        options: MockServer.Options, handler: (@Sendable (RecordedRequest) async throws -> MockReply)?
    ) throws(HTTPError) {
        self.options = options
        script = ServerScript(handler: handler)
        started = options.time.instant
        do throws(SystemFailure) { mailbox = try Mailbox() } catch { throw HTTPError(serverCannot: error) }
    }

    // MARK: Requests

    func record(_ request: RecordedRequest) {
        if options.keepsRequests { requests.append(request) }
        changes.add(1)
    }

    func recordUnexpected(_ request: RecordedRequest) { if options.keepsRequests { unexpected.append(request) } }

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
        if !mailbox.post((connection, message)) { message.drop() }
    }

    // MARK: The thread's side

    /// The thread's last words.
    func end() {
        for (_, message) in mailbox.close() { message.drop() }
        changes.add(1)
        ended.set(())
    }

    // MARK: Stopping

    func waitUntilStopped() async {
        await ended.value()
        // Also when the caller's task is cancelled: whoever stops a server counts on its being gone.
        let gone = OneShot<Void>()
        Task { [tasks] in
            try? await tasks.wait { $0 == 0 }
            gone.set(())
        }
        await gone.value()
    }
}

extension ServerControl.Message {
    /// Tells whoever sent it that nobody heard.
    func drop() {
        if case .piece(_, let written) = self { written.set(false) }
    }
}

extension HTTPError {
    /// The system gives the server no more of something.
    init(serverCannot failure: SystemFailure) { self = .networkError(NetworkFailure(.other, "MockServer can't start: \(failure)")) }
}
