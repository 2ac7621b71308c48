internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// What receives and sends the messages of a ``WebSocketCore``: frames over bytes, or a transport that speaks WebSocket itself.
protocol WebSocketLink: AnyObject, Sendable {
    /// Begins to receive for a core, which it does not keep beyond the end.
    func start(_ core: WebSocketCore)
    /// Sends a message, and returns when the connection has accepted it or it may wait. Returns false after a Close frame. `willSend` is
    /// called before the message is written, unless another task is writing just then.
    func send(_ message: WebSocketMessage, willSend: () -> Void) async throws(HTTPError) -> Bool
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
    fileprivate struct State {
        var machine: WebSocketConnectionMachine
        /// Whether a task writes the output, or is about to.
        var isWriting = false
        /// Whether a message was sent since bytes arrived. The next one then waits for others, to be written together with them.
        var isBurst = false
        /// The senders of the output, if they wait until it is written.
        var senders: [OneShot<HTTPError?>] = []
        /// The senders of the output that the system has not taken at once, and its size.
        var writing: [OneShot<HTTPError?>] = []
        var writingBytes = 0
        var isReleased = false
        /// The limit for writing what remains after the release.
        var limit: (any ScheduledTimer)?
        var failure: HTTPError?
    }

    private let connection: any ByteConnection
    private let maxUnsentBytes: Int
    private let core = Locked(WeakCore())
    private let state: Locked<State>

    init(_ connection: any ByteConnection, _ machine: sending WebSocketConnectionMachine, maxUnsentBytes: Int) {
        self.connection = connection
        self.maxUnsentBytes = maxUnsentBytes
        state = Locked(State(machine: machine))
    }

    // MARK: Receiving

    func start(_ core: WebSocketCore) {
        self.core.withLock { $0.core = core }
        #if os(Linux)
        // Without compression and observers, the work for the received bytes is in proportion to them: it may be done where they arrive.
        let executor = core.isObserved || state.withLock { $0.machine.isCompressed } ? nil : connection.executor
        Task(executorPreference: executor) { [self, weak core] in await receive(for: { core }) }
        #else
        Task { [self, weak core] in await receive(for: { core }) }
        #endif
    }

    private func receive(for core: () -> WebSocketCore?) async {
        do throws(HTTPError) {
            while let bytes = try await connection.read() {
                guard let core = core(), await take(bytes, core) else { return await drain() }
            }
            core()?.lost(nil)
        } catch { core()?.lost(error) }
    }

    /// Reads on after a Close frame of this side until the server's, the end of the connection or the close timeout: closing a connection
    /// with unread bytes resets it, and the server might never see the Close frame (RFC 6455 §7.1.1).
    private func drain() async {
        guard state.withLock({ $0.awaitsClose }) else { return }
        while let bytes = try? await connection.read() {
            let isClosed = state.withLock { state in
                state.machine.receive(bytes)
                while state.machine.next() != nil {}
                return !state.awaitsClose
            }
            if isClosed { break }
        }
        state.withLock { $0.limit.take() }?.cancel()
        connection.close()
    }

    /// Passes on what has arrived, as many messages at a time as there is room for. Returns false at the end of the connection.
    private func take(_ bytes: Data, _ core: WebSocketCore) async -> Bool {
        state.withLock { state in
            state.isBurst = false
            state.machine.receive(bytes)
        }
        while true {
            let room = await core.room()
            let (messages, event) = state.withLock { $0.machine.next(room) }
            if !messages.isEmpty { core.received(messages) }
            switch event {
            case nil: return true
            case .message: break
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
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage, willSend: () -> Void) async throws(HTTPError) -> Bool {
        let next = state.withLock { $0.send(message, maxUnsentBytes) }
        switch next {
        case .refused: return false
        case .failed(let error): throw error
        case .queued(let sender, let step):
            willSend()
            switch step {
            case .write: writeRest()
            case .writeLater: writeLater()
            case nil: break
            }
            if let sender, let error = await value(of: sender) { throw error }
            return true
        }
    }

    private func value(of sender: OneShot<HTTPError?>) async -> HTTPError? {
        // Most messages are accepted at once.
        if let result = sender.early { return result }
        return await withTaskCancellationHandler {
            await sender.value()
        } onCancel: {
            sender.set(.cancelled(ErrorContext(stage: .body, detail: "the message may have been sent")))
        }
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
        let (isDone, senders) = state.withLock { state in
            state.isReleased = true
            return (!state.isWriting && !state.awaitsClose, exchange(&state.senders, with: []) + exchange(&state.writing, with: []))
        }
        // They do not wait for the rest.
        for sender in senders { sender.set(.cancelled(ErrorContext(stage: .body))) }
        if isDone { return connection.close() }
        let timer = limit { [connection] in connection.close() }
        let isLate = state.withLock { state in
            state.limit = timer
            return !state.isWriting && !state.awaitsClose
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

    /// Writes the output in another task, so that the messages that are sent until then are written together.
    private func writeLater() {
        #if os(Linux)
        Task(executorPreference: connection.executor) { [self] in writeRest() }
        #else
        Task { [self] in writeRest() }
        #endif
    }

    private func writeRest() {
        // Others need the thread too, which may be that of the engine.
        var turns = 16
        while let (output, senders) = takeOutput() {
            let isTaken = connection.write(output) { [self] error in
                finish(senders, error)
                writeRest()
            }
            guard isTaken else { return leaveWaiting(senders) }
            finish(senders, nil)
            turns -= 1
            if turns == 0 { return writeLater() }
        }
    }

    /// Keeps the senders of bytes that the system did not take at once. Those that it takes at once are sent, whatever happens meanwhile.
    private func leaveWaiting(_ senders: [OneShot<HTTPError?>]) {
        let isReleased = state.withLock { state in
            state.writing.append(contentsOf: senders)
            return state.isReleased
        }
        // They do not wait for the rest.
        if isReleased { for sender in senders { sender.set(.cancelled(ErrorContext(stage: .body))) } }
    }

    private func finish(_ senders: [OneShot<HTTPError?>], _ error: HTTPError?) {
        if let error { state.withLock { $0.failure = error } }
        for sender in senders { sender.set(error) }
        if let error { core.withLock { $0.core }?.cannotSend(error) }
    }

    private func takeOutput() -> (Data, [OneShot<HTTPError?>])? {
        let (output, senders, failure, isDone, limit) = state.withLock { state in
            let senders = exchange(&state.senders, with: [])
            let output = state.failure == nil ? state.machine.takeOutput() : nil
            if output == nil { state.isWriting = false }
            state.writing = []
            state.writingBytes = output?.count ?? 0
            let isDone = output == nil && state.isReleased && !state.awaitsClose
            return (output, senders, state.failure, isDone, isDone ? state.limit.take() : nil)
        }
        if let output { return (output, senders) }
        for sender in senders { sender.set(failure) }
        limit?.cancel()
        if isDone { connection.close() }
        return nil
    }
}

extension FrameLink {
    /// What follows after a message was added to the output.
    fileprivate enum SendStep {
        case write, writeLater
    }

    fileprivate enum Sending {
        /// A Close frame was sent before.
        case refused
        case failed(HTTPError)
        /// The message is in the output. There is a sender if it has to wait.
        case queued(OneShot<HTTPError?>?, SendStep?)
    }
}

extension FrameLink.State {
    /// Whether this side has sent a Close frame, and the server may still be sending.
    fileprivate var awaitsClose: Bool { failure == nil && machine.hasSentClose && !machine.hasReceivedClose }

    /// Adds a message to the output. It waits to be written unless at most `maxUnsentBytes` do.
    fileprivate mutating func send(_ message: WebSocketMessage, _ maxUnsentBytes: Int) -> FrameLink.Sending {
        if let failure { return .failed(failure) }
        guard !isReleased, machine.send(message) else { return .refused }
        var sender: OneShot<HTTPError?>?
        if machine.outputBytes + writingBytes > maxUnsentBytes {
            let waits = OneShot<HTTPError?>()
            senders.append(waits)
            sender = waits
        }
        if isWriting { return .queued(sender, nil) }
        isWriting = true
        let isBurst = exchange(&isBurst, with: true)
        return .queued(sender, isBurst && sender == nil ? .writeLater : .write)
    }
}

extension WebSocketConnectionMachine {
    /// Returns the messages that have arrived, as many as there is room for, and the event after them. That is the last message if more may
    /// follow when there is room again, and nil if no more have arrived.
    fileprivate mutating func next(_ room: WebSocketCore.Room) -> (messages: [WebSocketMessage], event: WebSocketEvent?) {
        var messages: [WebSocketMessage] = [], room = room
        while let event = next() {
            guard case .message(let message) = event else { return (messages, event) }
            messages.append(message)
            room.messages -= 1
            room.bytes -= message.byteCount
            if room.isEmpty { return (messages, event) }
        }
        return (messages, nil)
    }
}
