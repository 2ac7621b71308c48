internal import MartletEssentials
internal import MartletSystem

/// The state shared by a server's thread, its tasks and its owner.
final class ServerControl: Sendable {
    /// A message from a task to the thread about a connection.
    enum Message: Sendable {
        /// The reply of the handler.
        case reply(MockReply)
        /// A wait is over.
        case resume
        /// A piece of a body. The promise reports whether it was written.
        case piece(Data, written: OneShot<Bool>)
        case bodyEnd
        case bodyFailure
        /// Steps that a test adds to the script of a WebSocket.
        case play([WebSocketStep])
    }

    let options: MockServer.Options
    let mailbox: Mailbox<(connection: Int, message: Message)>
    let script: ServerScript
    /// The start of the server, by its own time.
    let started: ContinuousClock.Instant
    let requests = Recorder<RecordedRequest>()
    let unexpected = Recorder<RecordedRequest>()
    let webSockets = Recorder<ServerWebSocket>()
    let failedHandshakes = Recorder<(connection: Int, reason: String)>()
    /// Increases with each request, and when the server ends.
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

    /// Sends a message about a connection to the thread.
    func post(_ message: Message, to connection: Int) {
        if !mailbox.post((connection, message)) { message.drop() }
    }

    // MARK: The thread's side

    /// Called by the thread when it ends.
    func end() {
        for (_, message) in mailbox.close() { message.drop() }
        changes.add(1)
        ended.set(())
    }

    // MARK: Stopping

    func waitUntilStopped() async {
        await ended.value()
        // Not cancelled with the caller's task: code that stops a server relies on its end.
        let gone = OneShot<Void>()
        Task { [tasks] in
            try? await tasks.wait { $0 == 0 }
            gone.set(())
        }
        await gone.value()
    }
}

extension ServerControl.Message {
    /// Reports to the sender that the message was not handled.
    func drop() {
        if case .piece(_, let written) = self { written.set(false) }
    }
}

extension HTTPError {
    /// Creates the error for a resource that the system does not provide.
    init(serverCannot failure: SystemFailure) { self = .networkError(NetworkFailure(.other, "MockServer can't start: \(failure)")) }
}
