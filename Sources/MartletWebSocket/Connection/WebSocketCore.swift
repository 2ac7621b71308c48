internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem
internal import MartletWebSocketProtocol

/// The state of one open connection: the messages that wait to be read, the pings that wait for pongs, and the end.
///
/// A ``WebSocketLink`` receives and sends for it. The core outlives the socket only while the link reads.
final class WebSocketCore: Sendable {
    fileprivate struct State {
        var queue: [WebSocketMessage] = []
        /// The number of messages at the start of the queue that were read.
        var taken = 0
        var queuedBytes = 0
        /// Set when a message, or the end, has arrived.
        var arrival: OneShot<Void>?
        /// Set when the queue has room.
        var room: OneShot<Void>?
        var pings: [Data: (began: ContinuousClock.Instant, pong: OneShot<Result<Duration, WebSocketError>>)] = [:]
        var pingCount: UInt64 = 0
        var keepAlive: (any ScheduledTimer)?
        var closing: (any ScheduledTimer)?
        /// The Close frame that this side has sent.
        var sentClose: WebSocketClosure?
        /// The end: how the connection was closed, or why it failed.
        var end: WebSocketError?
        /// Whether the app has ended the connection, so that its end is no error for the reader.
        var isExpected = false
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

    /// Begins to receive.
    func start() {
        monitor.onCancel { [weak self] in self?.fail(.cancelled(ErrorContext(stage: .body))) }
        scheduleKeepAlive()
        link.start(self)
    }

    // MARK: Reading

    /// Returns the next message, or nil after a normal end. Throws the end otherwise.
    func next() async throws(WebSocketError) -> WebSocketMessage? {
        while true {
            let (message, room, arrival, end) = state.withLock { $0.take(options) }
            room?.set(())
            if let message { return message }
            if let end {
                if end.isExpected { return nil }
                throw end.error
            }
            guard let arrival else { continue }
            if Task.isCancelled { throw cancelledByReader() }
            await withTaskCancellationHandler {
                await arrival.value()
            } onCancel: {
                _ = cancelledByReader()
            }
            if Task.isCancelled { throw cancelledByReader() }
        }
    }

    private func cancelledByReader() -> WebSocketError {
        let error = HTTPError.cancelled(ErrorContext(stage: .body))
        fail(error, closingWith: .goingAway)
        return .failed(error)
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        if let end = state.withLock({ $0.end ?? $0.sentClose.map { .closed($0) } }) { throw end }
        if Task.isCancelled { throw .failed(.cancelled(ErrorContext(stage: .body))) }
        do throws(HTTPError) { try await link.send(message) } catch { throw state.withLock { $0.end } ?? .failed(error) }
        monitor.sent(message)
    }

    /// Sends a ping and returns the time until its pong.
    func ping() async throws(WebSocketError) -> Duration {
        let pong = OneShot<Result<Duration, WebSocketError>>()
        let instant = time.instant
        let (payload, end) = state.withLock { state -> (Data, WebSocketError?) in
            state.pingCount += 1
            let payload = withUnsafeBytes(of: state.pingCount.bigEndian) { Data($0) }
            let end = state.end ?? state.sentClose.map { .closed($0) }
            if end == nil { state.pings[payload] = (instant, pong) }
            return (payload, end)
        }
        if let end { throw end }
        link.ping(payload)
        let result = await withTaskCancellationHandler {
            await pong.value()
        } onCancel: {
            pong.set(.failure(.failed(.cancelled(ErrorContext(stage: .body)))))
        }
        _ = state.withLock { $0.pings.removeValue(forKey: payload) }
        return try result.get()
    }

    // MARK: Closing

    /// Sends a Close frame and waits for the server's, at most for the close timeout. Returns how the connection ended.
    func close(_ code: WebSocketCloseCode, _ reason: String) async -> WebSocketError {
        beginClose(WebSocketClosure(code: code, reason: reason, side: .client))
        return await withTaskCancellationHandler {
            await ended.value()
        } onCancel: {
            fail(.cancelled(ErrorContext(stage: .body)))
        }
    }

    func beginClose(_ closure: WebSocketClosure) {
        let isFirst = state.withLock { state in
            state.isExpected = true
            guard state.end == nil, state.sentClose == nil else { return false }
            state.sentClose = closure
            return true
        }
        guard isFirst else { return }
        link.close(closure.code, reason: closure.reason)
        let timer = time.timer(at: time.instant + options.closeTimeout) { [weak self] in
            self?.fail(.timeout(ErrorContext(stage: .body, detail: "the server did not close the WebSocket")))
        }
        let isLate = state.withLock { state in
            state.closing = timer
            return state.end != nil
        }
        if isLate { timer.cancel() }
    }

    /// Ends the connection without waiting. A Close frame is sent if that is possible at once.
    func fail(_ error: HTTPError, closingWith code: WebSocketCloseCode? = nil) {
        if let code, state.withLock({ $0.end == nil && $0.sentClose == nil }) { link.close(code, reason: "") }
        end(.failed(error))
    }

    private func end(_ error: WebSocketError) {
        let (released, isFirst) = state.withLock { state -> (Released, Bool) in
            guard state.end == nil else { return (Released(), false) }
            state.end = error
            return (state.release(), true)
        }
        guard isFirst else { return }
        released.resume(error)
        ended.set(error)
        monitor.ended(error)
        release()
    }

    /// Closes the connection when the Close frame has been written. A server that does not read gets the close timeout for that.
    private func release() {
        guard !link.release() else { return }
        _ = time.timer(at: time.instant + options.closeTimeout) { [link] in link.abort() }
    }

    deinit { link.abort() }
}

// What the link reports.
extension WebSocketCore {
    /// Queues a message.
    func received(_ message: WebSocketMessage) {
        monitor.received(message)
        let arrival = state.withLock { state -> OneShot<Void>? in
            guard state.end == nil else { return nil }
            state.queue.append(message)
            state.queuedBytes += message.byteCount
            return state.arrival.take()
        }
        arrival?.set(())
    }

    /// Returns when the queue has room, or immediately at the end.
    func waitForRoom() async {
        let room = state.withLock { state -> OneShot<Void>? in
            guard state.end == nil, state.isFull(options) else { return nil }
            let room = OneShot<Void>()
            state.room = room
            return room
        }
        await room?.value()
    }

    func receivedPong(_ payload: Data) {
        let instant = time.instant
        let ping = state.withLock { $0.pings.removeValue(forKey: payload) }
        ping?.pong.set(.success(ping.map { $0.began.duration(to: instant) } ?? .zero))
    }

    /// The server's Close frame has arrived, or `side` has found that the connection must be closed.
    func closed(_ code: WebSocketCloseCode?, _ reason: String, by side: WebSocketClosure.Side) {
        let own = state.withLock { $0.sentClose }
        end(.closed(own ?? WebSocketClosure(code: code ?? .noStatusReceived, reason: reason, side: side)))
    }

    /// The connection has ended without a Close frame of the server.
    func lost(_ error: HTTPError?) {
        let words = "the connection ended without a Close frame"
        end(.failed(error ?? .networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .body)))))
    }
}

// Keep-alive.
extension WebSocketCore {
    private func scheduleKeepAlive() {
        guard let interval = options.pingInterval else { return }
        let timer = time.timer(at: time.instant + interval) { [weak self] in self?.keepAlive() }
        let isLate = state.withLock { state in
            state.keepAlive = timer
            return state.end != nil
        }
        if isLate { timer.cancel() }
    }

    private func keepAlive() {
        // While nothing is received, no pong can be.
        let isPaused = state.withLock { $0.isFull(options) }
        guard !isPaused else { return scheduleKeepAlive() }
        Task { [weak self] in await self?.ping(within: self?.options.pongTimeout ?? .zero) }
    }

    private func ping(within limit: Duration) async {
        let timer = time.timer(at: time.instant + limit) { [weak self] in
            guard let self else { return }
            if state.withLock({ $0.isFull(options) }) { return }
            fail(.timeout(ErrorContext(stage: .body, detail: "no pong within \(limit.shortText)")))
        }
        let pong = try? await ping()
        timer.cancel()
        if pong != nil { scheduleKeepAlive() }
    }
}

extension WebSocketCore.State {
    func isFull(_ options: WebSocketOptions) -> Bool {
        queue.count - taken >= max(1, options.maxQueuedMessages) || queuedBytes > options.maxQueuedBytes
    }

    /// Returns the next message, what to tell the link, what to wait for, or the end.
    mutating func take(
        _ options: WebSocketOptions
    ) -> (WebSocketMessage?, room: OneShot<Void>?, arrival: OneShot<Void>?, end: (error: WebSocketError, isExpected: Bool)?) {
        guard taken < queue.count else {
            if let end { return (nil, nil, nil, (end, isExpected || end.closure?.code == .normalClosure)) }
            let arrival = self.arrival ?? OneShot<Void>()
            self.arrival = arrival
            return (nil, nil, arrival, nil)
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
        return (message, isFull(options) ? nil : room.take(), nil, nil)
    }

    /// Removes what waits.
    mutating func release() -> WebSocketCore.Released {
        defer { (arrival, room, pings, keepAlive, closing) = (nil, nil, [:], nil, nil) }
        return WebSocketCore.Released(
            waits: [arrival, room].compactMap(\.self), pongs: pings.values.map(\.pong), timers: [keepAlive, closing].compactMap(\.self))
    }
}

extension WebSocketCore {
    /// What waited for something that will not come. It is told outside the lock.
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
