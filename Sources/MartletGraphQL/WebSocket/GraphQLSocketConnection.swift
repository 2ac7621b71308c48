internal import MartletEssentials
internal import MartletSystem
internal import MartletWebSocketProtocol

/// One connection of GraphQL over WebSocket, which any number of operations share.
///
/// It is open while an operation or a pool holds it, and until it has been idle for some time.
///
/// ### When it is read
/// While an operation waits for a message, or no operation has many unread ones. So a single slow reader slows the server down, and several
/// operations never wait for each other. An operation that is not read while others are fails when its messages reach a limit.
final class GraphQLSocketConnection: Sendable {
    /// What the sender does next.
    private enum Outgoing {
        case text(String), close
        /// The reply to a ping, with the payload that the server has chosen.
        case reply(String)

        var replyBytes: Int { if case .reply(let text) = self { text.utf8.count } else { 0 } }
    }

    private struct State {
        var session: GraphQLSocketSession
        var inbox = GraphQLSocketInbox()
        var outbox: [Outgoing] = []
        var isSending = false
        /// Whether no operation can begin any more.
        var isClosed = false
        /// What the reader waits for before it reads on, or nil while it reads.
        var gate: OneShot<Void>?
        var lastReceived: ContinuousClock.Instant
        var idleTimer: (any ScheduledTimer)?
        var keepAliveTimer: (any ScheduledTimer)?

        /// The number of bytes of waiting replies from which on nothing more is read.
        static let maxReplyBytes = 64 << 10

        mutating func takeTimers() -> [any ScheduledTimer] { [idleTimer.take(), keepAliveTimer.take()].compactMap(\.self) }

        /// Whether the next message should be read.
        var mayRead: Bool {
            if isClosed { return true }
            // A server that sends pings without reading their replies must not fill the memory, also before it has acknowledged the
            // connection.
            guard outbox.count < 64, outbox.reduce(0, { $0 + $1.replyBytes }) < State.maxReplyBytes else { return false }
            return !session.isOpen || inbox.wantsMore
        }

        /// Returns the gate of the reader if it may read on.
        mutating func openGate() -> OneShot<Void>? { mayRead ? gate.take() : nil }
    }

    private let socket: any GraphQLSocket
    private let settings: GraphQLSocketSettings
    private let time: any TimeSource
    private let state: Locked<State>
    private let acknowledged = OneShot<GraphQLError?>()
    private let ended = OneShot<Void>()
    private let onEnd: @Sendable (GraphQLSocketConnection) -> Void

    /// The head of the handshake's response.
    let response: HTTPResponse<Void>?

    private init(
        _ socket: any GraphQLSocket, _ settings: GraphQLSocketSettings, time: any TimeSource, response: HTTPResponse<Void>?,
        onEnd: @escaping @Sendable (GraphQLSocketConnection) -> Void
    ) {
        self.socket = socket
        self.settings = settings
        self.time = time
        self.response = response
        self.onEnd = onEnd
        let selected = socket.selectedProtocol.flatMap { GraphQLSocketProtocol(rawValue: $0) }
        let session = GraphQLSocketSession(selected ?? settings.protocols.first ?? .graphQLTransportWS)
        state = Locked(State(session: session, lastReceived: time.instant))
    }

    deinit {
        let (timers, gate) = state.withLock { state in (state.takeTimers(), state.gate.take()) }
        for timer in timers { timer.cancel() }
        socket.close(code: 1000, reason: "")
        ended.set(())
        gate?.set(())
    }

    // MARK: Opening

    /// Initializes a connection over an open socket, and returns it when the server has acknowledged it.
    ///
    /// - Parameters:
    ///   - payload: The payload of `connection_init`, or nil for none.
    ///   - response: The response to the handshake, for the errors of operations.
    ///   - onEnd: Called once when no operation can begin any more, unless the connection is released before.
    /// - Throws: `.closed` if the server rejects it, or `.http`, which is `.timeout` if the acknowledgement is late.
    static func open(
        _ socket: any GraphQLSocket, _ settings: GraphQLSocketSettings, payload: Data?, response: HTTPResponse<Void>?,
        time: any TimeSource, onEnd: @escaping @Sendable (GraphQLSocketConnection) -> Void
    ) async throws(GraphQLError) -> GraphQLSocketConnection {
        let connection = GraphQLSocketConnection(socket, settings, time: time, response: response, onEnd: onEnd)
        connection.send(connection.state.withLock { $0.session.initialize(payload: payload) })
        connection.startReading()
        let limit = settings.acknowledgementTimeout
        let timer = time.timer(at: time.instant + limit) { [weak connection] in
            let context = ErrorContext(stage: .exchange, detail: "connection_ack did not arrive within \(limit.shortText)")
            connection?.fail(.http(.timeout(context)), closing: 4504, "Connection acknowledgement timeout")
        }
        defer { timer.cancel() }
        let error = await withTaskCancellationHandler {
            await connection.acknowledged.value()
        } onCancel: {
            connection.fail(.http(.cancelled), closing: 1000, "")
        }
        if let error { throw error }
        // Its opener begins the first operation soon, which a short time to be idle must not prevent.
        connection.startIdling(for: max(settings.idleTimeout, .seconds(10)))
        connection.keepAlive()
        return connection
    }

    /// Whether operations can begin.
    var isOpen: Bool { state.withLock { !$0.isClosed } }

    // MARK: Operations

    /// Starts an operation. Returns nil if the connection is closed: open another one.
    ///
    /// - Parameters:
    ///   - payload: The parameters of the request as JSON.
    ///   - maxBytes: The maximum size of a result.
    func start(payload: Data, maxBytes: Int) -> GraphQLSocketOperation? {
        let (started, timer) = state.withLock { state -> ((id: String, text: String)?, (any ScheduledTimer)?) in
            guard !state.isClosed, let started = state.session.start(payload: payload) else { return (nil, nil) }
            state.inbox.begin(started.id, maxBytes: maxBytes)
            return (started, state.idleTimer.take())
        }
        timer?.cancel()
        guard let started else { return nil }
        send(started.text)
        return GraphQLSocketOperation(self, id: started.id)
    }

    /// Returns the next message of an operation, or nil after the last one. One task at a time may call it.
    fileprivate func next(of id: String) async throws(GraphQLError) -> SubscriptionMessage? {
        let waiter = GraphQLSocketInbox.Waiter()
        let (wake, gate) = state.withLock { state in (state.inbox.read(id, waiter), state.openGate()) }
        wake?()
        gate?.set(())
        return try await waiter.value().get()
    }

    /// Ends an operation. The server is told unless it has ended the operation itself.
    fileprivate func leave(_ id: String) {
        let (wakes, text, gate) = state.withLock { state in (state.inbox.remove(id), state.session.stop(id), state.openGate()) }
        guard let wakes else { return }
        if let text { send(text) }
        startIdling(for: settings.idleTimeout)
        for wake in wakes { wake() }
        gate?.set(())
    }

    /// Closes the connection after some time unless an operation begins.
    private func startIdling(for limit: Duration) {
        guard state.withLock({ $0.inbox.isEmpty && !$0.isClosed }) else { return }
        let timer = time.timer(at: time.instant + limit) { [weak self] in self?.closeIfIdle() }
        let old = state.withLock { state in
            state.inbox.isEmpty && !state.isClosed ? exchange(&state.idleTimer, with: timer) : timer
        }
        old?.cancel()
    }

    private func closeIfIdle() {
        let timers = state.withLock { state -> [any ScheduledTimer]? in
            guard state.inbox.isEmpty, !state.isClosed else { return nil }
            state.isClosed = true
            let last = state.session.terminate()
            state.outbox += (last.map { [.text($0)] } ?? []) + [.close]
            return state.takeTimers()
        }
        guard let timers else { return }
        for timer in timers { timer.cancel() }
        onEnd(self)
        startSending()
    }

    // MARK: Sending

    private func send(_ text: String) {
        state.withLock { $0.outbox.append(.text(text)) }
        startSending()
    }

    /// Sends what is in the outbox, unless another task does.
    private func startSending() {
        let starts = state.withLock { state in
            guard !state.isSending, !state.outbox.isEmpty else { return false }
            state.isSending = true
            return true
        }
        guard starts else { return }
        // The connection is kept until all is sent, also when its last operation has left. Not part of the call that begins it.
        Task.detached { [self] in
            while let outgoing = nextOutgoing() {
                let text: String
                switch outgoing {
                case .text(let message), .reply(let message): text = message
                case .close: return socket.close(code: 1000, reason: "")
                }
                // The reader learns why the connection has ended, such as the server's close code.
                do throws(HTTPError) { try await socket.send(text) } catch { return stopSending() }
            }
        }
    }

    /// Accepts no operations after a message could not be sent, and lets the reader go on to the end.
    private func stopSending() {
        let (isFirst, gate) = state.withLock { state in
            defer { state.isClosed = true }
            state.outbox = []
            return (!state.isClosed, state.gate.take())
        }
        if isFirst { onEnd(self) }
        gate?.set(())
    }

    private func nextOutgoing() -> Outgoing? {
        let (outgoing, gate) = state.withLock { state -> (Outgoing?, OneShot<Void>?) in
            guard !state.outbox.isEmpty else {
                state.isSending = false
                return (nil, nil)
            }
            let first = state.outbox.removeFirst()
            return (first, state.openGate())
        }
        gate?.set(())
        return outgoing
    }

    // MARK: Receiving

    private func startReading() {
        Task.detached { [socket, ended, weak self] in
            while true {
                // The connection is not kept open by its reader.
                if let gate = self?.gate() { await gate.value() }
                if ended.early != nil { return }
                do throws(HTTPError) {
                    let event = try await socket.receive()
                    guard let self, self.received(event) else { return }
                } catch {
                    self?.fail(.http(error), closing: 1000, "")
                    return
                }
            }
        }
    }

    /// Returns what the reader must wait for, or nil if it may read on.
    private func gate() -> OneShot<Void>? {
        state.withLock { state in
            guard !state.mayRead else { return nil }
            let gate = OneShot<Void>()
            state.gate = gate
            return gate
        }
    }

    /// Takes an event. Returns whether others may follow.
    private func received(_ event: GraphQLSocketEvent) -> Bool {
        switch event {
        case .text(let text): return take(text)
        case .closed(let code, let reason):
            fail(closure(code, reason), closing: nil, "")
            return false
        }
    }

    private func closure(_ code: UInt16?, _ reason: String) -> GraphQLError {
        guard let code, code != 1005, code != 1006 else {
            let words = "the server ended the connection without a reason"
            return .http(.networkError(NetworkFailure(.connectionLost, words, context: context(.body))))
        }
        let wasAcknowledged = acknowledged.early != nil
        var response = response
        // The server has accepted the credential, also if the handshake has renewed it, so it may be renewed when it expires.
        if wasAcknowledged, let credential = response?.metadata.credential {
            response?.metadata.credential = credential.withRenewal()
        }
        return .closed(
            GraphQLSocketClosure(
                code: WebSocketCloseCode(rawValue: code), reason: reason, wasAcknowledged: wasAcknowledged, response: response))
    }

    private func context(_ stage: ErrorContext.Stage) -> ErrorContext { ErrorContext(request: response?.metadata.request, stage: stage) }

    private func take(_ text: String) -> Bool {
        let now = time.instant
        let (step, wakes) = state.withLock { state -> (GraphQLSocketSession.Step, [GraphQLSocketInbox.Wake]) in
            state.lastReceived = now
            let step = state.session.receive(text)
            guard let event = step.event else { return (step, []) }
            let (wakes, stopped) = state.inbox.take(event)
            if let stopped, let text = state.session.stop(stopped) { state.outbox.append(.text(text)) }
            if let reply = step.reply { state.outbox.append(.reply(reply)) }
            return (step, wakes)
        }
        for wake in wakes { wake() }
        startSending()
        switch step.event {
        case .acknowledged: acknowledged.set(nil)
        case .refused(let errors):
            // The older protocol's form of the current one's 4403.
            let reason = errors.first?.message ?? ""
            fail(.closed(GraphQLSocketClosure(code: 4403, reason: reason, wasAcknowledged: false, response: response)), closing: 1000, "")
            return false
        case .violation(let code, let reason):
            fail(.http(.invalidResponse(Explanation(reason, context: context(.body)))), closing: code, reason)
            return false
        default: break
        }
        return true
    }

    // MARK: The end

    /// Ends the connection and its operations with an error.
    ///
    /// - Parameters:
    ///   - code: The code of the Close frame, or nil if the server has closed the connection.
    ///   - reason: The reason in the Close frame.
    private func fail(_ error: GraphQLError, closing code: UInt16?, _ reason: String) {
        let (isFirst, gate, timers, wakes) = state.withLock { state in
            let isFirst = !state.isClosed
            state.isClosed = true
            _ = state.session.terminate()
            state.outbox = []
            return (isFirst, state.gate.take(), state.takeTimers(), state.inbox.fail(error))
        }
        for timer in timers { timer.cancel() }
        ended.set(())
        if isFirst { onEnd(self) }
        acknowledged.set(error)
        socket.close(code: code ?? 1000, reason: reason)
        for wake in wakes { wake() }
        gate?.set(())
    }

    // MARK: Keeping alive

    /// Starts the pings of the protocol.
    private func keepAlive() {
        guard let interval = settings.keepAlive, interval > .zero else { return }
        let now = time.instant
        let last = state.withLock { state -> ContinuousClock.Instant? in
            guard state.session.ping != nil, !state.isClosed else { return nil }
            // Nothing arrives while nothing is read.
            return state.gate == nil ? state.lastReceived : now
        }
        guard let last else { return }
        let wait = max(interval - last.duration(to: now), .milliseconds(1))
        setKeepAlive(time.timer(at: now + wait) { [weak self] in self?.checkLife(interval) })
    }

    private func setKeepAlive(_ timer: any ScheduledTimer) {
        let old = state.withLock { state in state.isClosed ? timer : exchange(&state.keepAliveTimer, with: timer) }
        old?.cancel()
    }

    private func checkLife(_ interval: Duration) {
        let now = time.instant
        let (ping, isSilent) = state.withLock { state in
            (state.session.ping, state.gate == nil && state.lastReceived.duration(to: now) >= interval)
        }
        guard isSilent, let ping else { return keepAlive() }
        send(ping)
        let asked = time.instant, limit = settings.pongTimeout
        setKeepAlive(time.timer(at: asked + limit) { [weak self] in self?.checkReply(to: asked, interval) })
    }

    private func checkReply(to asked: ContinuousClock.Instant, _ interval: Duration) {
        let isSilent = state.withLock { $0.lastReceived < asked && $0.gate == nil }
        guard isSilent else { return keepAlive() }
        let words = "no reply to a ping within \(settings.pongTimeout.shortText)"
        var context = context(.body)
        context.detail = words
        fail(.http(.timeout(context)), closing: 4504, "no reply to a ping")
    }
}

/// One operation on a shared connection. Closing it tells the server that no more results are wanted.
final class GraphQLSocketOperation: SubscriptionConnection {
    private let connection: GraphQLSocketConnection
    private let id: String

    fileprivate init(_ connection: GraphQLSocketConnection, id: String) {
        self.connection = connection
        self.id = id
    }

    deinit { connection.leave(id) }

    var response: HTTPResponse<Void>? { connection.response }

    func next() async throws(GraphQLError) -> SubscriptionMessage? { try await connection.next(of: id) }

    func close() { connection.leave(id) }
}
