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

/// Frames of RFC 6455 over a connection of bytes. ``FrameOutput`` decides what to write and which senders wait.
final class FrameLink: WebSocketLink {
    private let connection: any ByteConnection
    private let core = Locked(WeakCore())
    private let output: Locked<FrameOutput>
    /// The limit for writing what remains after the release.
    private let limit = Locked<(any ScheduledTimer)?>(nil)

    init(_ connection: any ByteConnection, _ machine: sending WebSocketConnectionMachine, maxUnsentBytes: Int) {
        self.connection = connection
        output = Locked(FrameOutput(machine, maxUnsentBytes: maxUnsentBytes))
    }

    // MARK: Receiving

    func start(_ core: WebSocketCore) {
        self.core.withLock { $0.core = core }
        #if os(Linux)
        // Without compression and observers, the work for the received bytes is in proportion to them: it may be done where they arrive.
        let executor = core.isObserved || output.withLock { $0.machine.isCompressed } ? nil : connection.executor
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
        guard output.withLock({ $0.awaitsClose }) else { return }
        while let bytes = try? await connection.read() {
            let isClosed = output.withLock { output in
                output.received(bytes)
                while output.machine.next() != nil {}
                return !output.awaitsClose
            }
            if isClosed { break }
        }
        end()
    }

    /// Passes on what has arrived, as many messages at a time as there is room for. Returns false at the end of the connection.
    private func take(_ bytes: Data, _ core: WebSocketCore) async -> Bool {
        output.withLock { $0.received(bytes) }
        while true {
            let room = await core.room()
            let (messages, event, wasPinged) = output.withLock { $0.machine.next(room) }
            if !messages.isEmpty { core.received(messages) }
            if wasPinged { write() }
            switch event {
            case nil: return true
            case .message, .ping: break
            case .pong(let payload): core.receivedPong(payload)
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
        var isAdmitted = false
        while true {
            switch output.withLock({ $0.send(message, isAdmitted: isAdmitted) }) {
            case .refused: return false
            case .failed(let error): throw error
            case .full(let sender):
                if let error = await value(of: sender, ifCancelled: "the message was not sent") {
                    output.withLock { $0.leaveCrowd(sender) }?.set(nil)
                    throw error
                }
                isAdmitted = true
            case .queued(let sender, let writing):
                willSend()
                switch writing {
                case .now: writeRest()
                case .later: writeLater()
                case .underWay: break
                }
                if let sender, let error = await value(of: sender, ifCancelled: "the message may have been sent") { throw error }
                return true
            }
        }
    }

    private func value(of sender: FrameOutput.Sender, ifCancelled detail: String) async -> HTTPError? {
        // Most messages are accepted at once.
        if let result = sender.early { return result }
        return await withTaskCancellationHandler {
            await sender.value()
        } onCancel: {
            sender.set(.cancelled(ErrorContext(stage: .body, detail: detail)))
        }
    }

    func ping(_ payload: Data) {
        _ = output.withLock { $0.machine.ping(payload) }
        write()
    }

    func close(_ code: WebSocketCloseCode, reason: String) {
        output.withLock { $0.machine.close(code: code, reason: reason) }
        write()
    }

    func abort() { connection.close() }

    func release(within limit: (_ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer) {
        let (senders, isDone) = output.withLock { ($0.release(), $0.isDone) }
        leave(senders)
        if isDone { return connection.close() }
        let timer = limit { [connection] in connection.close() }
        self.limit.withLock { $0 = timer }
        // The last write may have ended meanwhile.
        if output.withLock({ $0.isDone }) { end() }
    }

    /// Writes the output, unless another task does.
    private func write() {
        if output.withLock({ $0.begin() }) { writeRest() }
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
        for _ in 0..<16 {
            let (step, isDone) = output.withLock { ($0.next(), $0.isDone) }
            for sender in step.admitted { sender.set(nil) }
            switch step.next {
            case .write(let bytes, let senders):
                let isTaken = connection.write(bytes) { [self] error in
                    finish(senders, error)
                    writeRest()
                }
                // Bytes that the system takes immediately are sent, whatever happens meanwhile.
                guard isTaken else { return leave(output.withLock { $0.block(senders) }) }
                finish(senders, nil)
            case .stop(let senders, let failure):
                for sender in senders { sender.set(failure) }
                if isDone { end() }
                return
            }
        }
        writeLater()
    }

    private func finish(_ senders: [FrameOutput.Sender], _ error: HTTPError?) {
        if let error { output.withLock { $0.fail(error) } }
        for sender in senders { sender.set(error) }
        if let error { core.withLock { $0.core }?.cannotSend(error) }
    }

    /// Resumes senders that do not wait for the rest after the release.
    private func leave(_ senders: [FrameOutput.Sender]) {
        for sender in senders { sender.set(.cancelled(ErrorContext(stage: .body))) }
    }

    private func end() {
        limit.withLock { $0.take() }?.cancel()
        connection.close()
    }
}

extension WebSocketConnectionMachine {
    /// Returns the messages that have arrived, as many as there is room for, and the event after them. That is the last message if more may
    /// follow when there is room again, and nil if no more have arrived.
    ///
    /// Several pings among them get one pong (RFC 6455 §5.5.3): otherwise a server that sends little else could make this side write for
    /// each two bytes.
    fileprivate mutating func next(
        _ room: WebSocketCore.Room
    ) -> (messages: [WebSocketMessage], event: WebSocketEvent?, wasPinged: Bool) {
        var messages: [WebSocketMessage] = [], room = room, wasPinged = false
        while let event = next() {
            switch event {
            case .ping: wasPinged = true
            case .message(let message):
                messages.append(message)
                room.messages -= 1
                room.bytes -= message.byteCount
                if room.isEmpty { return (messages, event, wasPinged) }
            default: return (messages, event, wasPinged)
            }
        }
        return (messages, nil, wasPinged)
    }
}
