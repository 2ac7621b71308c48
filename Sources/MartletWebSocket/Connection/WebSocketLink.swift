internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// What receives and sends the messages of a ``WebSocketCore``: frames over bytes, or a transport that speaks WebSocket itself.
protocol WebSocketLink: AnyObject, Sendable {
    /// Begins to receive for a core, which it does not keep beyond the end.
    func start(_ core: WebSocketCore)
    /// Sends a message, and returns when the connection has accepted it. Returns false after a Close frame.
    func send(_ message: WebSocketMessage) async throws(HTTPError) -> Bool
    /// Sends a ping. Its pong is reported to the core.
    func ping(_ payload: Data)
    /// Sends a Close frame.
    func close(_ code: WebSocketCloseCode, reason: String)
    /// Closes the connection when what was sent has been written, or when the timer fires that `limit` sets.
    func release(within limit: (_ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer)
    /// Closes the connection at once.
    func abort()
}

/// The core to which a link reports.
struct WeakCore {
    weak var core: WebSocketCore?
}

/// Frames of RFC 6455 over a connection of bytes.
final class FrameLink: WebSocketLink {
    private struct State {
        var machine: WebSocketConnectionMachine
        /// Whether a task writes the output.
        var isWriting = false
        /// Who waits until the output is written.
        var senders: [OneShot<HTTPError?>] = []
        /// Who waits for the output that is being written.
        var writing: [OneShot<HTTPError?>] = []
        var isReleased = false
        /// The limit for writing what remains after the release.
        var limit: (any ScheduledTimer)?
        var failure: HTTPError?
    }

    private let connection: any ByteConnection
    private let core = Locked(WeakCore())
    private let state: Locked<State>

    init(_ connection: any ByteConnection, _ machine: sending WebSocketConnectionMachine) {
        self.connection = connection
        state = Locked(State(machine: machine))
    }

    // MARK: Receiving

    func start(_ core: WebSocketCore) {
        self.core.withLock { $0.core = core }
        #if os(Linux)
        // Without compression, the work for the received bytes is in proportion to them: it may be done where they arrive.
        let executor = state.withLock { $0.machine.isCompressed } ? nil : connection.executor
        Task(executorPreference: executor) { [self, weak core] in await receive(for: { core }) }
        #else
        Task { [self, weak core] in await receive(for: { core }) }
        #endif
    }

    private func receive(for core: () -> WebSocketCore?) async {
        do throws(HTTPError) {
            while let bytes = try await connection.read() {
                guard let core = core(), await take(bytes, core) else { return }
            }
            core()?.lost(nil)
        } catch { core()?.lost(error) }
    }

    /// Passes on what has arrived, each message when there is room. Returns false at the end of the connection.
    private func take(_ bytes: Data, _ core: WebSocketCore) async -> Bool {
        state.withLock { $0.machine.receive(bytes) }
        while let event = state.withLock({ $0.machine.next() }) {
            switch event {
            case .message(let message): if core.received(message) { await core.waitForRoom() }
            case .pong(let payload): core.receivedPong(payload)
            case .ping: write()
            case .close(let code, let reason):
                write()
                core.closed(code, reason, by: .server)
                return false
            case .failed(let violation):
                write()
                core.closed(violation.closeCode, "\(violation)", by: .client)
                return false
            }
        }
        return true
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(HTTPError) -> Bool {
        let sender = OneShot<HTTPError?>()
        let (failure, isSent) = state.withLock { state -> (HTTPError?, Bool) in
            if let failure = state.failure { return (failure, false) }
            guard !state.isReleased, state.machine.send(message) else { return (nil, false) }
            state.senders.append(sender)
            return (nil, true)
        }
        if let failure { throw failure }
        guard isSent else { return false }
        write()
        // Most messages are accepted at once.
        if let result = sender.early {
            if let error = result { throw error }
            return true
        }
        let error = await withTaskCancellationHandler {
            await sender.value()
        } onCancel: {
            sender.set(.cancelled(ErrorContext(stage: .body, detail: "the message may have been sent")))
        }
        if let error { throw error }
        return true
    }

    func ping(_ payload: Data) {
        _ = state.withLock { $0.machine.ping(payload) }
        write()
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        state.withLock { $0.machine.close(code: code, reason: reason) }
        write()
    }

    func abort() { connection.close() }

    func release(within limit: (_ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer) {
        let (isIdle, senders) = state.withLock { state in
            state.isReleased = true
            return (!state.isWriting, exchange(&state.senders, with: []) + exchange(&state.writing, with: []))
        }
        // They do not wait for the rest.
        for sender in senders { sender.set(.cancelled(ErrorContext(stage: .body))) }
        if isIdle { return connection.close() }
        let timer = limit { [connection] in connection.close() }
        let isLate = state.withLock { state in
            state.limit = timer
            return !state.isWriting
        }
        if isLate { timer.cancel() }
    }

    /// Writes the output, unless that is under way.
    private func write() {
        let begins = state.withLock { state in
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { writeRest() }
    }

    private func writeRest() {
        while let (output, senders) = takeOutput() {
            let isTaken = connection.write(output) { [self] error in
                finish(senders, error)
                writeRest()
            }
            guard isTaken else { return }
            finish(senders, nil)
        }
    }

    private func finish(_ senders: [OneShot<HTTPError?>], _ error: HTTPError?) {
        if let error { state.withLock { $0.failure = error } }
        for sender in senders { sender.set(error) }
        if let error { core.withLock { $0.core }?.cannotSend(error) }
    }

    private func takeOutput() -> (Data, [OneShot<HTTPError?>])? {
        let (output, senders, failure, isReleased, limit) = state.withLock { state in
            let senders = exchange(&state.senders, with: [])
            let output = state.failure == nil ? state.machine.takeOutput() : nil
            if output == nil { state.isWriting = false }
            state.writing = output == nil ? [] : senders
            return (output, senders, state.failure, state.isReleased, output == nil ? state.limit.take() : nil)
        }
        if let output { return (output, senders) }
        for sender in senders { sender.set(failure) }
        limit?.cancel()
        if isReleased { connection.close() }
        return nil
    }
}
