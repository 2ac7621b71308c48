internal import MartletEssentials

/// An event stream as the source of a ``ReconnectingLoop``.
struct EventSource: ReconnectingSource {
    typealias Signal = EventSignal
    typealias Response = HTTPResponse<HTTPBody>
    typealias Connection = EventConnection
    typealias Failure = HTTPError

    private let target: EventTarget
    private let options: EventOptions
    private let keepsComments: Bool
    private let reading: ObservedReading
    private var lastEventID: String
    /// The last id that can be sent. Nil until the stream or the options have set one.
    private var sentEventID: String?
    /// The last request that was sent, if known.
    private var request: HTTPRequest?
    /// Whether the end marker has arrived.
    private var hasEnded = false
    /// The head of the last response.
    private(set) var head = HTTPResponse(status: .ok, body: ())

    init(_ target: EventTarget, _ reading: ObservedReading, keepsComments: Bool) {
        self.target = target
        self.reading = reading
        self.keepsComments = keepsComments
        options = target.options
        lastEventID = target.firstEventID
        if !options.lastEventID.isEmpty { sentEventID = EventFields.canSend(options.lastEventID) ? options.lastEventID : "" }
    }

    // MARK: Opening a connection

    /// Checks that the request can be sent again.
    func prepare(_ number: Int, after error: HTTPError?) throws(HTTPError) {
        guard number > 1, !target.isReplayable() else { return }
        throw .bodyNotReplayable(
            Explanation(
                "the event stream must be requested again, but the request's body is a stream that was already sent",
                context: ErrorContext(request: request, stage: .request, underlying: error)))
    }

    func connect() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        let response = try await target.connect(sentEventID, reading.call)
        if options.checksContentType, response.status != .noContent { try await EventStreamCheck.check(response, time: target.time) }
        return response
    }

    mutating func opened(_ outcome: Result<HTTPResponse<HTTPBody>, HTTPError>) -> ConnectionStep<EventSource> {
        switch outcome {
        case .failure(let error): return failed(error)
        case .success(let response) where response.status == .noContent: return .finished
        case .success(let response):
            hasEnded = false
            request = response.metadata.request ?? request
            head = response.map { _ in }
            reading.opened(head)
            let connection = EventConnection(response, lastEventID: lastEventID, options, keepsComments: keepsComments)
            return .opened(connection, .open(head), interruption: connection.interruption)
        }
    }

    // MARK: Reading

    mutating func arrived(on connection: EventConnection, noting history: inout ReconnectionHistory) -> EventSignal? {
        while !hasEnded, let item = connection.arrived() {
            note(connection, &history)
            if let signal = take(item, connection, &history) { return signal }
        }
        return nil
    }

    mutating func read(_ connection: EventConnection, noting history: inout ReconnectionHistory) async -> ConnectionStep<EventSource> {
        if hasEnded { return .finished }
        let outcome = await connection.next(telling: options.control)
        note(connection, &history)
        switch outcome {
        case .failure(let error): return failed(error)
        case .success(nil): return ended()
        case .success(let item?):
            if let signal = take(item, connection, &history) { return .signal(signal) }
            // At once, so that a restart that arrives after the end marker sends nothing.
            return hasEnded ? .finished : .nothing
        }
    }

    /// Copies the state that is needed after the connection.
    private mutating func note(_ connection: EventConnection, _ history: inout ReconnectionHistory) {
        if let time = connection.parser.reconnectionTime { history.set(serverDelay: time) }
        sentEventID = connection.parser.sendableID ?? sentEventID
        let id = connection.parser.lastEventID
        guard !id.hasSameBytes(as: lastEventID) else { return }
        lastEventID = id
        options.control?.setLastEventID(id)
    }

    /// Returns the signal of an item, or nil if the reader does not get it.
    private mutating func take(
        _ item: EventStreamParser.Item, _ connection: EventConnection, _ history: inout ReconnectionHistory
    ) -> EventSignal? {
        switch item {
        case .comment(let text):
            history.received()
            return .comment(text)
        case .event(let event):
            if let marker = options.endMarker, event.data.hasSameBytes(as: marker) {
                connection.finish(time: target.time)
                hasEnded = true
                return nil
            }
            history.broughtEvent()
            return options.types?.contains(event.type) ?? true ? .event(event) : nil
        }
    }

    // MARK: The end of a connection

    private mutating func failed(_ error: HTTPError) -> ConnectionStep<EventSource> {
        request = error.request ?? request
        return .lost(
            ConnectionLoss(
                .failed(error), error: error, because: error, isIdempotent: target.isIdempotent(), request: request))
    }

    private func ended() -> ConnectionStep<EventSource> {
        var error: HTTPError?
        if let marker = options.endMarker, options.requiresEndMarker {
            let context = ErrorContext(request: head.metadata.request, stage: .body)
            let words = "the event stream ended before its end marker, “\(Redaction.line(marker))”"
            error = .invalidResponse(Explanation(words, context: context))
        }
        return .lost(ConnectionLoss(.ended, error: error, because: nil, isIdempotent: target.isIdempotent(), request: request))
    }

    static func failure(_ error: HTTPError) -> HTTPError { error }
}

extension EventSignal: ReconnectionSignal {}

extension ReconnectingLoop where Source == EventSource {
    /// Creates a loop over an event stream. It resets the stream's control.
    init(_ target: EventTarget, _ reading: ObservedReading, keepsComments: Bool = false) {
        let options = target.options
        options.control?.begin(lastEventID: target.firstEventID)
        self.init(
            EventSource(target, reading, keepsComments: keepsComments), options.reconnection, after: options.initialDelay,
            call: LongLivedCall(target.calls), time: target.time, random: target.random,
            restarts: options.control.map { ($0.restarts, nil) })
    }

    /// Returns the next event if it has arrived already: see ``arrived()``.
    mutating func arrivedEvent() -> ServerSentEvent? { if case .event(let event)? = arrived() { event } else { nil } }

    /// Returns the next event, or nil at the end.
    mutating func nextEvent() async throws(HTTPError) -> ServerSentEvent? {
        if let event = arrivedEvent() { return event }
        while let signal = try await next() {
            if case .event(let event) = signal { return event }
        }
        return nil
    }
}
