internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// One exchange, from the call to its single response or error.
final class WireExchange: QueuedTimer, AdmittedWork, CancellableWork, @unchecked Sendable {
    // Proof: the caller creates it and sets `caller.waiter` before it starts it. `stage`, `engine`, `timerEngine`, `place`, `hasOpening`
    // and `continueTimer` are accessed with the team's lock; `engine` does not change once the exchange is admitted. What concerns the
    // request and the response is accessed by one thread at a time: by the caller's until it has started the exchange; then with the
    // lock of the exchange's connection; and after the exchange has left its connection, by the thread that took it from there and ends
    // it. `caller.answer` is set before the caller is resumed, and then accessed only by the caller. Accesses to the properties are not
    // checked for overlaps: each is a read, an assignment, or a method of a value that never reaches the exchange.

    /// The way of an exchange to its connection and its end.
    enum Stage {
        case made
        case cancelledBeforeStart
        /// Waiting for a place among the opened files, or for its file.
        case opening(Admission.Ticket?)
        /// Waiting for a place among the connections.
        case waiting(Admission.Ticket)
        /// A connection is being opened.
        case dialing(Dial)
        case running(WireConnection)
        case finished
    }

    // MARK: The caller

    @exclusivity(unchecked) var caller = PendingAnswer()

    // MARK: The team

    let request: HTTPRequest
    /// The text of the URL, without user information.
    let url: String
    /// The scheme, host and port. Requests with the same value share connections.
    let origin: String
    let deadline: ContinuousClock.Instant?
    /// The file that the request sends.
    private let file: FilePump?
    private let team: WireTeam
    @exclusivity(unchecked) var stage = Stage.made
    /// The engine that runs the exchange, once it is admitted.
    @exclusivity(unchecked) var engine = 0
    /// The engine in whose queue the deadline waits.
    @exclusivity(unchecked) var timerEngine = 0
    /// Whether the exchange has a place among the opened files.
    @exclusivity(unchecked) var hasOpening = false
    /// The timer of a request that waits for permission to send its body.
    @exclusivity(unchecked) var continueTimer: ContinueTimer?
    /// The position in the queue of deadlines.
    @exclusivity(unchecked) var place = -1

    // MARK: The connection

    @exclusivity(unchecked) var sending: WireSending
    @exclusivity(unchecked) var reception: Reception
    /// The destination of a streamed body, once the head is complete.
    @exclusivity(unchecked) private(set) var pipe: BodyPipe?
    @exclusivity(unchecked) var time = WireTime()
    /// The fields after the body.
    @exclusivity(unchecked) var trailers = HTTPFields()
    /// The IP address of the server as text.
    @exclusivity(unchecked) var remoteAddress: String?

    init(_ request: HTTPRequest, url: String, origin: String, upload: Upload?, team: WireTeam) {
        self.request = request
        self.url = url
        self.origin = origin
        self.team = team
        deadline = request.context.streamsBody ? nil : request.context.deadline
        file = if case .file(let pump)? = upload?.source { pump } else { nil }
        sending = WireSending(request, upload)
        reception = Reception(
            Reception.Terms(
                request, sendsBody: upload != nil, expectsContinue: sending.expectsContinue,
                maxContentCodings: team.configuration.maxContentCodings))
    }

    /// Begins the exchange. The source of its body wakes the engine when it has bytes.
    func start() {
        switch sending.upload?.source {
        case .stream(let pump)?:
            if let body = request.body { pump.start(body, wake: wake) }
            team.start(self)
        case .file?: team.startOpening(self)
        case .data?, nil: team.start(self)
        }
    }

    /// Opens the file that the request sends. A file system may block for any time.
    func openFile() {
        file?.open(wake: wake) { [self] error in team.opened(self, error) }
    }

    private var wake: @Sendable () -> Void {
        { [weak self] in
            guard let self, team.isOfThisProcess else { return }
            team.post(.resumeSending(self), to: team.engine(of: self))
        }
    }

    /// Cancels the exchange, from any thread.
    func cancel() { team.cancel(self) }

    /// The memory of bodies.
    var bodies: BodyPool { team.bodies }

    /// The kept-alive connections that the exchange may use.
    ///
    /// - Parameter announced: The timeout that the server has announced on the connection.
    func reuse(_ announced: Duration?) -> ConnectionReuse {
        ConnectionReuse(
            isRepeatable: sending.isIdempotent, announced: announced, maxIdleTime: team.configuration.maxIdleTime,
            maxIdleTimeWhenNotIdempotent: team.configuration.maxIdleTimeWhenNotIdempotent)
    }

    // MARK: The response

    /// Performs an action of the reception. Returns whether the exchange continues.
    func perform(_ action: Reception.Action) -> Bool {
        switch action {
        case .proceed: return true
        case .respond(let hasBody, let length):
            caller.answer = .success(response(body: hasBody ? streamedBody(length) : .empty))
            return true
        case .respondAndStop:
            caller.answer = .success(response(body: .empty))
            return false
        case .stop: return false
        }
    }

    private func streamedBody(_ length: Int64?) -> HTTPBody {
        let pipe = BodyPipe(
            capacity: team.configuration.streamBufferSize, pending: BodyBuffer(team.bodies, readLength: WireEngine.readLength)
        ) { [weak self] demand in
            guard let self else { return }
            switch demand {
            case .resume: team.post(.resumeReceiving(self), to: engine)
            case .cancel: cancel()
            }
        }
        self.pipe = pipe
        return pipe.receivedBody(length: length)
    }

    /// Whether the caller can be resumed with the head of the response.
    var hasEarlyAnswer: Bool { caller.waiter != nil && caller.answer != nil }

    /// Ends the exchange: stores the result for the caller, or ends the streamed body.
    func settle(_ result: Result<Void, HTTPError>) {
        sending.close()
        let result = reception.end(result)
        if let pipe = pipe.take() { return pipe.end(result) }
        guard caller.waiter != nil, caller.answer == nil else { return }
        switch result {
        case .failure(let error): caller.answer = .failure(error)
        case .success:
            time.ended = .now
            caller.answer = .success(response(body: HTTPBody(reception.takeBody())))
        }
    }

    private func response(body: consuming HTTPBody) -> HTTPResponse<HTTPBody> {
        var metadata = ResponseMetadata()
        metadata.version = reception.version
        metadata.wasContentCoded = reception.wasCoded
        metadata.trailers = trailers
        metadata.record(time.timings, remoteAddress: remoteAddress, isConnectionReused: sending.isOnKeptConnection)
        return HTTPResponse(status: reception.status, headers: reception.headers, body: body, metadata: metadata)
    }

    /// Resumes the caller, unless it has been resumed before.
    func resume() { caller.takeWaiter()?.resume() }

    /// Returns the result to the caller, which has been resumed. Not inlined: its temporaries would be part of the caller's frame.
    @inline(never)
    func takeAnswer() throws(HTTPError) -> HTTPResponse<HTTPBody> { try caller.takeAnswer() }
}

/// The moments of an exchange.
struct WireTime {
    private let made = ContinuousClock.now
    /// When the request was given a connection, or one was opened for it.
    var began: ContinuousClock.Instant?
    /// The duration of the lookup of the name, and of connecting, of a new connection.
    var lookup: Duration?
    var connect: Duration?
    var firstByte: ContinuousClock.Instant?
    var ended: ContinuousClock.Instant?

    var timings: ResponseMetadata.Timings {
        var timings = ResponseMetadata.Timings(queued: began.map { $0 - made })
        timings.nameLookup = lookup
        timings.connect = connect
        if let began {
            timings.firstByte = firstByte.map { $0 - began }
            timings.total = ended.map { $0 - began }
        }
        return timings
    }
}
