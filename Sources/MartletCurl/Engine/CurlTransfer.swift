internal import CMartletCurl
internal import MartletEngine
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// One exchange in the engine, from the call to its single response or error.
///
/// It holds the handle and performs what its values decide: ``Sending`` for the request, ``Reception`` for the response.
final class CurlTransfer: QueuedTimer, AdmittedWork, CancellableWork, @unchecked Sendable {
    // Proof: the caller's task creates it and sets `caller.waiter` before it posts `.start` to the inbox, whose lock hands everything
    // over to the engine's thread. After that only the engine's thread accesses it, or the thread of the engine to whose inbox that one
    // posts it, with two exceptions: a cancellation reads `entrance` on any thread, which no longer changes; and the caller takes
    // `caller.answer`, which the engine's thread sets before it resumes the caller and never afterwards, as `caller.waiter` is then nil.
    // A cancellation posted earlier changes only `phase`, which the caller never touches. `inbox` is set before each of these posts. The
    // properties that every call accesses often are not checked for overlapping accesses: each access is a read, an assignment, or a
    // method of a value that never reaches the transfer.

    enum Phase {
        /// Created, and not yet known to the engine.
        case made
        case cancelledBeforeStart
        /// Waiting for a name, a file or a connection.
        case waiting
        case running
        case finished
    }

    /// The place among the connections that the limits allow.
    enum Slot {
        case none
        case queued(Admission.Ticket)
        /// The engines' admission has admitted the transfer to the engine that gets it.
        case granted
    }

    // MARK: The caller

    @exclusivity(unchecked) var caller = PendingAnswer()

    // MARK: The engines

    @exclusivity(unchecked) var phase = Phase.made
    /// The inbox of the engine that gets the transfer first, and its cancellation. Set before the transfer is shared.
    @exclusivity(unchecked) var entrance: EngineInbox?
    /// The inbox of the engine that has the transfer, or to which it was posted.
    @exclusivity(unchecked) var inbox: EngineInbox?
    @exclusivity(unchecked) var slot = Slot.none
    /// The handle that runs the transfer; nil while it waits because all handles are in use.
    @exclusivity(unchecked) private(set) var handle: EasyHandle?
    /// The deadline of a buffered exchange. A streamed exchange returns with its head, and the client enforces its deadlines.
    let deadline: ContinuousClock.Instant?
    /// The position in the queue of the deadlines.
    @exclusivity(unchecked) var place = -1
    @exclusivity(unchecked) private var exchangeTime = ExchangeTime()

    // MARK: The request

    let outgoing: OutgoingRequest
    @exclusivity(unchecked) var lookups: PendingLookups
    @exclusivity(unchecked) var addresses = TriedAddresses()
    /// The state of the file before the transfer runs.
    var opening: FileOpenings.Stage?
    @exclusivity(unchecked) var sending: Sending
    /// The upgrade that the request asks for; nil for an ordinary request.
    let upgrade: PendingUpgrade?

    // MARK: The response

    @exclusivity(unchecked) var reception: Reception
    /// The destination of a streamed body, once the head is complete.
    @exclusivity(unchecked) private(set) var pipe: BodyPipe?

    init(
        _ outgoing: OutgoingRequest, lookups: [LookupTarget], handle: EasyHandle?, upload: Upload?, maxContentCodings: Int,
        upgrade: PendingUpgrade? = nil
    ) {
        self.outgoing = outgoing
        deadline = outgoing.request.context.streamsBody ? nil : outgoing.request.context.deadline
        self.lookups = PendingLookups(lookups)
        self.upgrade = upgrade
        sending = Sending(outgoing.request, upload)
        reception = Reception(
            Reception.Terms(
                outgoing.request, sendsBody: upload != nil, expectsContinue: sending.expectsContinue, maxContentCodings: maxContentCodings))
        if let handle { prepare(handle) }
    }

    /// The scheme, host and port, or the proxy: transfers with the same value share a queue.
    var origin: String { outgoing.origin }

    /// The file to open before the exchange begins.
    var file: FilePump? { if case .file(let pump)? = sending.upload?.source { pump } else { nil } }

    /// Sets up a handle for the request and keeps it.
    func prepare(_ handle: EasyHandle) {
        handle.prepare(outgoing, upload: sending.upload)
        if upgrade != nil { handle.prepareForUpgrade(outgoing) }
        sending.begin()
        reception.begin(decodes: handle.isDecoding, into: BodyBuffer(handle.setup.bodies))
        self.handle = handle
    }

    /// Marks the transfer as running.
    func begin() {
        phase = .running
        exchangeTime.begins(at: .now, lookup: lookups.duration)
    }

    /// Cancels the transfer, from any thread.
    func cancel() { entrance?.post(.cancel(self)) }

    /// Removes and returns the handle after the transfer has ended.
    func takeHandle() -> EasyHandle? { handle.take() }

    /// Releases the handle of an upgrade, which is not used again, and the place unless the connection is open.
    func releaseHandle() {
        let handle = takeHandle()
        if handle?.transfer === self { handle?.transfer = nil }
        if reception.status.rawValue != 101 { upgrade?.place.leave() }
    }

    // MARK: What libcurl's callbacks ask

    /// Whether the request may be sent to an address. Nil means that the connection has no IP address.
    func mayConnect(to address: IPAddress?) -> Bool { addresses.allows(address, by: outgoing.route.addresses) }

    /// Records the start of a response to a request with a body. An interim response is followed by another one.
    func responseBegins() { exchangeTime.responseBegins(at: .now) }

    /// Whether the transfer continues. An objection ends it.
    func continues(unless objection: HTTPError?) -> Bool {
        if let objection { reception.fail(objection) }
        return objection == nil
    }

    /// Performs an action of the reception. Returns whether the transfer continues.
    func perform(_ action: Reception.Action) -> Bool {
        switch action {
        case .proceed: return true
        case .respond(let hasBody, let length):
            respond(with: hasBody ? streamedBody(length) : .empty)
            return true
        case .respondAndStop:
            respond(with: .empty)
            return false
        case .stop: return false
        }
    }

    /// Receives bytes of the body. A part of them may be taken again in a later round.
    func receive(_ bytes: UnsafeRawBufferPointer, in round: EngineRound) -> Reception.Received {
        reception.receive(bytes, into: pipe, within: &round.work, scratch: round.scratch)
    }

    private func streamedBody(_ length: Int64?) -> HTTPBody {
        let pipe = BodyPipe(
            capacity: handle?.setup.configuration.streamBufferSize ?? 0,
            pending: BodyBuffer(handle?.setup.bodies, readLength: handle?.setup.streamedRead ?? 0)
        ) { [weak self] demand in self?.follow(demand) }
        self.pipe = pipe
        return pipe.receivedBody(length: length)
    }

    /// Passes on what the reader of the body requires, from any thread.
    private func follow(_ demand: BodyPipe.Demand) {
        switch demand {
        case .resume: inbox?.post(.resumeReceiving(self))
        case .cancel: inbox?.post(.cancel(self))
        }
    }

    private func respond(with body: consuming HTTPBody) {
        if caller.waiter != nil { caller.answer = .success(response(body: body)) }
        resume()
    }

    // MARK: The end

    /// Ends the exchange: stores the result for the caller, or ends the streamed body.
    func finish(_ result: Result<Void, HTTPError>) {
        phase = .finished
        sending.close()
        let result = reception.end(result)
        if let pipe = pipe.take() { return pipe.end(result) }
        guard caller.waiter != nil else { return }
        switch result {
        case .failure(let error): caller.answer = .failure(error)
        case .success:
            let trailers = handle?.head.takeFields() ?? HTTPFields()
            caller.answer = .success(response(body: HTTPBody(reception.takeBody()), trailers: trailers))
        }
    }

    private func response(body: consuming HTTPBody, trailers: consuming HTTPFields = [:]) -> HTTPResponse<HTTPBody> {
        var metadata = ResponseMetadata()
        metadata.version = reception.version
        metadata.wasContentCoded = reception.wasCoded
        metadata.trailers = trailers
        handle?.record(exchangeTime, lookup: lookups.duration, hasEnded: phase == .finished, in: &metadata)
        return HTTPResponse(status: reception.status, headers: reception.headers, body: body, metadata: metadata)
    }

    /// Resumes the caller, unless it has been resumed before.
    func resume() { caller.takeWaiter()?.resume() }

    /// Returns the result to the caller, which has been resumed. Not inlined: its temporaries would be part of the caller's frame.
    @inline(never)
    func takeAnswer() throws(HTTPError) -> HTTPResponse<HTTPBody> { try caller.takeAnswer() }

    /// The result of an exchange that libcurl ended with `code`, if the reception has none.
    func result(_ handle: EasyHandle, _ code: Int) -> Result<Void, HTTPError> {
        guard code != CURLE_OK.code, !reception.isOver else { return .success(()) }
        if let why = addresses.refusal(after: code) {
            return .failure(.addressRefused(Explanation(why, context: ErrorContext(stage: .connect))))
        }
        let functions = handle.options.functions, words = handle.words
        let failure = CurlFailure(
            code: code, systemError: Int32(truncatingIfNeeded: ccurl_get_long(functions, handle.curl, Int32(CURLINFO_OS_ERRNO.code))),
            text: words.isEmpty ? functions.pointee.easy_strerror(Int32(code)).map { String(cString: $0) } ?? "" : words,
            headHasBegun: reception.hasBegun, isWithinHead: handle.head.isWithinBlock, headIsComplete: reception.isHeadComplete,
            headLimit: reception.terms.limits.headBytes, hasLargeHead: sending.delivery.hasLargeHead,
            isThroughProxy: outgoing.route.proxy != nil,
            challenge: handle.takeChallenge(), trust: handle.setup.configuration.tls.trust)
        let error = failure.error
        // An earlier attempt was sent, and only the connection for the next one could not be made.
        if error.stage == .connect, sending.wasAttempted, let objection = sending.objection { return .failure(objection) }
        return .failure(error)
    }

    /// Whether a transfer that libcurl has given up starts again.
    func startsAgain(_ handle: EasyHandle, _ code: Int) -> Bool {
        guard !reception.hasBegun, code != CURLE_OK.code else { return false }
        let isReused = handle.options.number(CURLINFO_NUM_CONNECTS) == 0
        guard sending.isGivenUp(code, handle.words, isReused: isReused, handle.round.retired) else { return false }
        return continues(unless: sending.restart())
    }
}

/// The times of an exchange that libcurl does not measure, or not as callers understand them.
struct ExchangeTime {
    private let made = ContinuousClock.now
    private var began: ContinuousClock.Instant?
    /// The time between the creation of the transfer and its start, without the name lookup; nil before the start.
    private(set) var queued: Duration?
    /// The time from the start to the first line of the response to a request with a body; nil for other requests.
    ///
    /// libcurl's own time begins with the first byte of the body that it sends (seen with 7.88), which says nothing about the server.
    private(set) var firstLine: Duration?

    /// Records the start.
    mutating func begins(at now: ContinuousClock.Instant, lookup: Duration?) {
        began = now
        queued = now - made - (lookup ?? .zero)
    }

    /// Records the start of a response, which replaces that of an interim response.
    mutating func responseBegins(at now: ContinuousClock.Instant) { firstLine = began.map { now - $0 } }
}
