internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// The state of one open connection: the messages that wait to be read, the pings that wait for pongs, and the end.
///
/// A ``WebSocketLink`` receives and sends for it. The core outlives the socket only while the link reads.
final class WebSocketCore: Sendable {
    fileprivate typealias SentPing = (began: ContinuousClock.Instant, pong: OneShot<Result<Duration, WebSocketError>>)

    fileprivate struct State {
        var queue: [WebSocketMessage] = []
        /// The number of messages at the start of the queue that were read.
        var taken = 0
        var queuedBytes = 0
        /// Set when a message, or the end, has arrived.
        var arrival: OneShot<Void>?
        /// Set when the queue has room again.
        var roomier: OneShot<Void>?
        /// The pings that wait for their pongs, by their numbers.
        var pings: [UInt64: SentPing] = [:]
        var pingCount: UInt64 = 0
        /// The number of the first ping to which no pong has come.
        var firstPing: UInt64 = 1
        /// The time until the next ping that keeps the connection alive, or that for its pong.
        var keepAlive: (any ScheduledTimer)?
        /// Whether such a ping waits for its pong.
        var isPongDue = false
        /// Whether nothing was received for a while since the time for the pong began.
        var wasPaused = false
        /// The time for the server's Close frame.
        var closingLimit: (any ScheduledTimer)?
        /// The Close frame that this side has sent.
        var sentClose: WebSocketClosure?
        /// The end: how the connection was closed, or why it failed.
        var end: WebSocketError?
        /// Whether the app has ended the connection, so that its end is no error for the reader.
        var isExpected = false

        /// Why nothing more can be sent, or nil.
        var closing: WebSocketError? { end ?? sentClose.map { .closed($0) } }
    }

    private let state = Locked(State())
    private let link: any WebSocketLink
    private let options: WebSocketOptions
    private let time: any TimeSource
    /// Tells observers of messages and of the end.
    private let monitor: WebSocketMonitor
    let ended = OneShot<WebSocketError>()

    init(_ link: any WebSocketLink, _ options: WebSocketOptions, time: any TimeSource, monitor: WebSocketMonitor) {
        self.link = link
        self.options = options
        self.time = time
        self.monitor = monitor
    }

    /// Whether observers are told of messages.
    var isObserved: Bool { monitor.isObserved }

    /// Begins to receive.
    func start() {
        scheduleKeepAlive()
        link.start(self)
    }

    /// Ends the connection when its call is cancelled.
    func endWithCall() { monitor.onCancel { [weak self] in self?.leave() } }

    // MARK: Reading

    /// Returns the next message, or nil after a normal end. Throws the end otherwise.
    func next() async throws(WebSocketError) -> WebSocketMessage? {
        while true {
            let arrival: OneShot<Void>
            switch try arrived() {
            case .message(let message): return message
            case .end: return nil
            case .nothing(let later): arrival = later
            }
            await withTaskCancellationHandler {
                await arrival.value()
            } onCancel: {
                _ = cancelledByReader()
            }
        }
    }

    /// Returns the next message or the end if it has arrived, without waiting.
    func arrived() throws(WebSocketError) -> Arrival {
        if Task.isCancelled { throw cancelledByReader() }
        let (arrival, room) = state.withLock { $0.take(options) }
        room?.set(())
        return try arrival.get()
    }

    private func cancelledByReader() -> WebSocketError {
        leave()
        return .failed(.cancelled(ErrorContext(stage: .body)))
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        if let closing = state.withLock({ $0.closing }) { throw closing }
        if Task.isCancelled { throw .failed(.cancelled(ErrorContext(stage: .body))) }
        let isSent: Bool
        do throws(HTTPError) { isSent = try await link.send(message, willSend: { monitor.sent(message) }) } catch {
            throw state.withLock { $0.end } ?? .failed(error)
        }
        guard isSent else {
            // A Close frame came first. The end is being noted.
            if let closing = state.withLock({ $0.closing }) { throw closing }
            throw await ended.value()
        }
    }

    /// Sends a ping and returns the time until its pong.
    func ping() async throws(WebSocketError) -> Duration {
        let pong = OneShot<Result<Duration, WebSocketError>>()
        let instant = time.instant
        let (number, closing) = state.withLock { state -> (UInt64, WebSocketError?) in
            state.pingCount += 1
            if state.closing == nil { state.pings[state.pingCount] = (instant, pong) }
            return (state.pingCount, state.closing)
        }
        if let closing { throw closing }
        link.ping(withUnsafeBytes(of: number.bigEndian) { Data($0) })
        let result = await withTaskCancellationHandler {
            await pong.value()
        } onCancel: {
            pong.set(.failure(.failed(.cancelled(ErrorContext(stage: .body)))))
        }
        _ = state.withLock { $0.pings.removeValue(forKey: number) }
        return try result.get()
    }

    // MARK: Closing

    /// Sends a Close frame and waits for the server's, at most for the close timeout. Returns how the connection ended.
    func close(_ code: WebSocketCloseCode, _ reason: String) async -> WebSocketError {
        beginClose(WebSocketClosure(code: code.maySend ? code : .noStatusReceived, reason: code.maySend ? reason : "", side: .client))
        return await withTaskCancellationHandler {
            await ended.value()
        } onCancel: {
            fail(.cancelled(ErrorContext(stage: .body)))
        }
    }

    func beginClose(_ closure: WebSocketClosure) {
        let (isFirst, room) = state.withLock { state -> (Bool, OneShot<Void>?) in
            state.isExpected = true
            guard state.closing == nil else { return (false, nil) }
            state.sentClose = closure
            return (true, state.roomier.take())
        }
        guard isFirst else { return }
        link.close(closure.code, reason: closure.reason)
        // The server's Close frame may be behind messages for which there is no room.
        room?.set(())
        limitClosing(.timeout(ErrorContext(stage: .body, detail: "the server did not close the WebSocket")))
    }

    /// Fails the connection unless it ends within the close timeout.
    private func limitClosing(_ error: HTTPError) {
        let timer = time.timer(at: time.instant + options.closeTimeout) { [weak self] in self?.abort(error) }
        let useless = state.withLock { state -> (any ScheduledTimer)? in
            guard state.end == nil, state.closingLimit == nil else { return timer }
            state.closingLimit = timer
            return nil
        }
        useless?.cancel()
    }

    /// Ends the connection, and writes nothing more.
    private func abort(_ error: HTTPError) {
        fail(error)
        link.abort()
    }

    /// Ends the connection because the app no longer reads it.
    func leave() { fail(.cancelled(ErrorContext(stage: .body)), closingWith: .goingAway) }

    /// Ends the connection without waiting. A Close frame is sent if that is possible at once.
    func fail(_ error: HTTPError, closingWith code: WebSocketCloseCode? = nil) {
        if let code, state.withLock({ $0.closing == nil }) { link.close(code, reason: "") }
        end(.failed(error))
    }

    private func end(_ error: WebSocketError) {
        let (released, isFirst) = state.withLock { state -> (Released, Bool) in
            guard state.end == nil else { return (Released(), false) }
            state.end = error
            return (state.release(), true)
        }
        guard isFirst else { return }
        monitor.ended(error)
        released.resume(error)
        ended.set(error)
        // A server that does not read gets the close timeout for the Close frame.
        link.release { time.timer(at: time.instant + options.closeTimeout, fire: $0) }
    }

    deinit { if state.withLock({ $0.end == nil }) { link.abort() } }
}

// What the link reports.
extension WebSocketCore {
    /// How much may be received before the queue is full.
    struct Room {
        var messages: Int
        var bytes: Int

        /// The room beside messages that wait.
        init(_ options: WebSocketOptions, messages: Int = 0, bytes: Int = 0) {
            self.messages = max(1, options.maxQueuedMessages) - messages
            self.bytes = max(0, options.maxQueuedBytes) - bytes
        }

        var isEmpty: Bool { messages <= 0 || bytes < 0 }
    }

    /// Queues messages.
    func received(_ messages: [WebSocketMessage]) {
        for message in messages { monitor.received(message) }
        let arrival = state.withLock { state -> OneShot<Void>? in
            guard state.end == nil else { return nil }
            for message in messages {
                // What does not fit while the connection is being closed is dropped.
                guard state.sentClose == nil || !state.isFull(options) else { break }
                state.queue.append(message)
                state.queuedBytes += message.byteCount
            }
            return state.arrival.take()
        }
        arrival?.set(())
    }

    /// Returns the room of the queue when there is any, or immediately when the connection is being closed.
    func room() async -> Room {
        while true {
            let (room, wait) = state.withLock { state -> (Room, OneShot<Void>?) in
                guard state.closing == nil else { return (Room(options), nil) }
                let room = state.room(options)
                guard room.isEmpty else { return (room, nil) }
                let wait = OneShot<Void>()
                state.roomier = wait
                state.wasPaused = true
                return (room, wait)
            }
            guard let wait else { return room }
            await wait.value()
        }
    }

    func receivedPong(_ payload: Data) {
        guard payload.count == 8 else { return }
        let instant = time.instant, number = payload.reduce(0) { $0 << 8 | UInt64($1) }
        // A peer may answer only the latest of several pings (RFC 6455 §5.5.3).
        let pings = state.withLock { $0.takePings(upTo: number) }
        for ping in pings { ping.pong.set(.success(ping.began.duration(to: instant))) }
    }

    /// The server's Close frame has arrived, or `side` has found that the connection must be closed.
    func closed(_ code: WebSocketCloseCode?, _ reason: String, by side: WebSocketClosure.Side) {
        let own = state.withLock { $0.sentClose }
        end(.closed(own ?? WebSocketClosure(code: code ?? .noStatusReceived, reason: reason, side: side)))
    }

    /// Nothing more can be sent. What the server has sent before, such as its Close frame, may still arrive.
    func cannotSend(_ error: HTTPError) { limitClosing(error) }

    /// The connection has ended without a Close frame of the server.
    func lost(_ error: HTTPError?) {
        let words = "the connection ended without a Close frame"
        abort(error ?? .networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .body))))
    }
}

// Keep-alive.
extension WebSocketCore {
    private func scheduleKeepAlive() {
        guard let interval = options.pingInterval, interval > .zero else { return }
        let timer = time.timer(at: time.instant + interval) { [weak self] in self?.keepAlive() }
        let isLate = state.withLock { state in
            state.keepAlive = timer
            return state.end != nil
        }
        if isLate { timer.cancel() }
    }

    /// Whether so many messages wait that nothing is received.
    var isPaused: Bool { state.withLock { $0.isFull(options) } }

    private func keepAlive() {
        // While nothing is received, no pong can be.
        guard !isPaused else { return scheduleKeepAlive() }
        Task { [weak self] in await self?.checkLife() }
    }

    /// Sends a ping, and fails the connection if its pong is late.
    private func checkLife() async {
        state.withLock { $0.isPongDue = true }
        limitPong()
        let pong = try? await ping()
        let timer = state.withLock { state in
            state.isPongDue = false
            return state.keepAlive.take()
        }
        timer?.cancel()
        if pong != nil { scheduleKeepAlive() }
    }

    /// Begins the time for the pong. It begins again if it ends after a pause.
    private func limitPong() {
        let limit = options.pongTimeout
        let timer = time.timer(at: time.instant + limit) { [weak self] in
            guard let self else { return }
            let (isDue, isPaused) = state.withLock { ($0.isPongDue, $0.wasPaused) }
            guard isDue else { return }
            if isPaused { return limitPong() }
            abort(.timeout(ErrorContext(stage: .body, detail: "no pong within \(limit.shortText)")))
        }
        let isLate = state.withLock { state in
            state.wasPaused = state.isFull(options)
            guard state.end == nil, state.isPongDue else { return true }
            state.keepAlive = timer
            return false
        }
        if isLate { timer.cancel() }
    }
}

extension WebSocketCore.State {
    func room(_ options: WebSocketOptions) -> WebSocketCore.Room {
        WebSocketCore.Room(options, messages: queue.count - taken, bytes: queuedBytes)
    }

    func isFull(_ options: WebSocketOptions) -> Bool { room(options).isEmpty }

    /// Returns what the reader gets next, and what to tell the link.
    mutating func take(_ options: WebSocketOptions) -> (Result<WebSocketCore.Arrival, WebSocketError>, roomier: OneShot<Void>?) {
        guard taken < queue.count else {
            if let end { return (isExpected || end.closure?.code == .normalClosure ? .success(.end) : .failure(end), nil) }
            let arrival = self.arrival ?? OneShot<Void>()
            self.arrival = arrival
            return (.success(.nothing(until: arrival)), nil)
        }
        let message = queue[taken]
        taken += 1
        queuedBytes -= message.byteCount
        if taken == queue.count {
            queue.removeAll(keepingCapacity: true)
            taken = 0
        } else if taken >= 64 {
            queue.removeFirst(taken)
            taken = 0
        }
        return (.success(.message(message)), isFull(options) ? nil : roomier.take())
    }

    /// Removes and returns the pings up to a number, to which their pong has come. Each ping is looked at once, however many pongs come.
    mutating func takePings(upTo number: UInt64) -> [WebSocketCore.SentPing] {
        let last = min(number, pingCount)
        guard firstPing <= last else { return [] }
        defer { firstPing = last + 1 }
        return (firstPing...last).compactMap { pings.removeValue(forKey: $0) }
    }

    /// Removes the tasks that wait.
    mutating func release() -> WebSocketCore.Released {
        defer { (arrival, roomier, pings, keepAlive, closingLimit) = (nil, nil, [:], nil, nil) }
        return WebSocketCore.Released(
            waits: [arrival, roomier].compactMap(\.self), pongs: pings.values.map(\.pong),
            timers: [keepAlive, closingLimit].compactMap(\.self))
    }
}

extension WebSocketCore {
    /// What a reader gets.
    enum Arrival {
        case message(WebSocketMessage)
        case end
        case nothing(until: OneShot<Void>)
    }

    /// The tasks to resume at the end of the connection, outside the lock.
    fileprivate struct Released {
        var waits: [OneShot<Void>] = []
        var pongs: [OneShot<Result<Duration, WebSocketError>>] = []
        var timers: [any ScheduledTimer] = []

        func resume(_ error: WebSocketError) {
            for wait in waits { wait.set(()) }
            for pong in pongs { pong.set(.failure(error)) }
            for timer in timers { timer.cancel() }
        }
    }
}
