internal import MartletEssentials

/// Reads an event stream over as many connections as necessary, and returns one signal for each step.
struct EventLoop {
    private enum Phase {
        case waiting(Duration)
        case connecting
        case reading(EventConnection)
        case finished
    }

    private let target: EventTarget
    private let options: EventOptions
    private let keepsComments: Bool
    private var phase: Phase
    private var decision: ReconnectionDecision
    private var lastEventID: String
    /// The last id that can be sent. Nil until the stream or the options have set one.
    private var sentEventID: String?
    private var number = 0
    /// The last request that was sent, if known.
    private var request: HTTPRequest?
    private let call: LongLivedCall
    private let reading: ObservedReading
    /// The head of the last response.
    private(set) var head = HTTPResponse(status: .ok, body: ())

    init(_ target: EventTarget, _ reading: ObservedReading, keepsComments: Bool = false) {
        self.reading = reading
        self.target = target
        options = target.options
        self.keepsComments = keepsComments
        phase = .waiting(options.initialDelay)
        call = LongLivedCall(target.calls)
        decision = ReconnectionDecision(options.reconnection)
        lastEventID = target.firstEventID
        if !options.lastEventID.isEmpty { sentEventID = EventFields.canSend(options.lastEventID) ? options.lastEventID : "" }
        options.control?.begin(lastEventID: lastEventID)
    }

    /// Returns the next signal, or nil at the end. After an error, the loop is finished.
    mutating func next() async throws(HTTPError) -> EventSignal? {
        do throws(HTTPError) {
            while true {
                if Task.isCancelled { throw .cancelled }
                if case .finished = phase {
                    call.end()
                    return nil
                }
                try call.check()
                if let signal = try await step() { return signal }
            }
        } catch {
            // Releases the connection, which closes it.
            phase = .finished
            call.end()
            throw error
        }
    }

    /// Returns the next event, or nil at the end.
    mutating func nextEvent() async throws(HTTPError) -> ServerSentEvent? {
        if let event = arrivedEvent() { return event }
        while let signal = try await next() {
            if case .event(let event) = signal { return event }
        }
        return nil
    }

    /// Returns the next event if it has arrived already. Returns nil also if something else comes first, which ``next()`` then does.
    ///
    /// Most events arrive together with others. They need no asynchronous call.
    mutating func arrivedEvent() -> ServerSentEvent? {
        guard !keepsComments, case .reading(let connection) = phase, !Task.isCancelled, !call.isCancelled,
            !(options.control?.wantsRestart ?? false), case .event(let event)? = connection.arrived()
        else { return nil }
        note(connection)
        return delivers(event, from: connection) ? event : nil
    }

    private mutating func step() async throws(HTTPError) -> EventSignal? {
        if options.control?.takeRestart() ?? false { return try restart() }
        switch phase {
        case .waiting(let wait):
            if wait > .zero { try await sleep(wait) }
            number += 1
            phase = .connecting
            return .connecting(number: number)
        case .connecting: return try await connect()
        case .reading(let connection):
            let outcome = await connection.next(interruptedBy: options.control)
            return try take(outcome, from: connection)
        case .finished: return nil
        }
    }

    // MARK: Waiting and connecting

    private func sleep(_ wait: Duration) async throws(HTTPError) {
        let time = target.time
        let outcome = await interruptible { () async throws(HTTPError) in
            do { try await time.sleep(for: wait) } catch { throw .cancelled }
        }
        // Otherwise a restart has ended the wait, and the next connection follows anyway.
        if case .failure = outcome, Task.isCancelled || call.isCancelled {
            throw .cancelled(ErrorContext(detail: "while waiting \(wait) for the next connection"))
        }
        _ = options.control?.takeRestart()
    }

    private mutating func connect() async throws(HTTPError) -> EventSignal? {
        let target = target, reading = reading, id = sentEventID, checks = options.checksContentType
        let outcome = await interruptible { () async throws(HTTPError) in
            let response = try await target.connect(id, reading.call)
            if checks, response.status != .noContent { try await EventStreamCheck.check(response, time: target.time) }
            return response
        }
        switch outcome {
        case .failure(let error): return try interrupted(by: error)
        case .success(let response) where response.status == .noContent:
            phase = .finished
            return nil
        case .success(let response):
            request = response.metadata.request ?? request
            head = response.map { _ in }
            reading.opened(head)
            decision.opened(at: target.time.instant)
            phase = .reading(EventConnection(response, lastEventID: lastEventID, options, keepsComments: keepsComments))
            return .open(head)
        }
    }

    /// Runs an operation that a restart may cancel.
    private func interruptible<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async -> Result<Value, HTTPError> {
        let call = call
        let task = Task { () async -> Result<Value, HTTPError> in await call.run(operation) }
        options.control?.arm { task.cancel() }
        defer { options.control?.disarm() }
        return await task.resultCancelledByCaller().get()
    }

    // MARK: Reading

    private mutating func take(
        _ outcome: Result<EventStreamParser.Item?, HTTPError>, from connection: EventConnection
    ) throws(HTTPError) -> EventSignal? {
        note(connection)
        switch outcome {
        case .failure(let error): return try interrupted(by: error)
        case .success(nil): return try ended(connection.head)
        case .success(.comment(let text)?):
            decision.received()
            return .comment(text)
        case .success(.event(let event)?): return delivers(event, from: connection) ? .event(event) : nil
        }
    }

    /// Notes an event. Returns whether the reader gets it.
    private mutating func delivers(_ event: ServerSentEvent, from connection: EventConnection) -> Bool {
        if let marker = options.endMarker, event.data == marker {
            connection.finish(time: target.time)
            phase = .finished
            return false
        }
        decision.broughtEvent()
        return options.types?.contains(event.type) ?? true
    }

    /// Copies the state that is needed after the connection.
    private mutating func note(_ connection: EventConnection) {
        if let time = connection.parser.reconnectionTime { decision.set(serverDelay: time) }
        sentEventID = connection.parser.sendableID ?? sentEventID
        let id = connection.parser.lastEventID
        guard id != lastEventID else { return }
        lastEventID = id
        options.control?.setLastEventID(id)
    }

    // MARK: What follows

    private mutating func restart() throws(HTTPError) -> EventSignal {
        // Before the first connection, nothing has been sent.
        if number > 0 { try checkReplay(nil) }
        phase = .waiting(.zero)
        return .reconnecting(after: .zero, because: .restarted)
    }

    private mutating func ended(_ head: HTTPResponse<Void>) throws(HTTPError) -> EventSignal? {
        if isRepeated { return try reconnect(after: nil) }
        phase = .finished
        guard let marker = options.endMarker, options.requiresEndMarker else { return nil }
        let context = ErrorContext(request: head.metadata.request, stage: .body)
        throw .invalidResponse(Explanation("the event stream ended before its end marker, “\(Redaction.line(marker))”", context: context))
    }

    private mutating func interrupted(by error: HTTPError) throws(HTTPError) -> EventSignal? {
        request = error.request ?? request
        if error == .cancelled, !Task.isCancelled, options.control?.takeRestart() ?? false { return try restart() }
        guard isRepeated, !Task.isCancelled else { throw error }
        return try reconnect(after: error)
    }

    private mutating func reconnect(after error: HTTPError?) throws(HTTPError) -> EventSignal? {
        let asked = error?.response.flatMap { ServerWait.asked(by: $0.map { _ in }, now: target.time.now) }
        let wait = decision.wait(after: error, asked: asked, at: target.time.instant, random: target.random)
        guard let wait else {
            if let error { throw error }
            phase = .finished
            return nil
        }
        if TaskDeadline.isReached(by: wait, time: target.time) {
            throw error
                ?? .timeout(
                    ErrorContext(
                        request: request, stage: .request,
                        detail: "the stream ended, and the deadline of the task leaves no time for another connection"))
        }
        try checkReplay(error)
        phase = .waiting(wait)
        return .reconnecting(after: wait, because: error.map { .failed($0) } ?? .ended)
    }

    private var isRepeated: Bool {
        switch options.reconnection.rule {
        case .whenIdempotent: target.isIdempotent()
        case .always: true
        case .never: false
        }
    }

    private func checkReplay(_ error: HTTPError?) throws(HTTPError) {
        guard !target.isReplayable() else { return }
        throw .bodyNotReplayable(
            Explanation(
                "the event stream must be requested again, but the request's body is a stream that was already sent",
                context: ErrorContext(request: request, stage: .request, underlying: error)))
    }
}
