internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// One exchange in the engine, from the call to its single response or error.
final class Transfer: QueuedTimer, CancellableWork, @unchecked Sendable {
    // Proof: the caller's task creates it and sets `waiter` before it posts `.start` to the inbox, whose lock hands everything over to the
    // engine's thread. After that only the engine's thread accesses it, or the thread of the engine to whose inbox that one posts it, with
    // two exceptions: a cancellation reads `entrance` on any thread, which no longer changes; and the caller takes `answer`, which the
    // engine's thread sets before it resumes the caller and never afterwards, because `waiter` is then nil. A cancellation posted earlier
    // changes only `phase`, which the caller never touches. `inbox` is set before each of these posts. The properties that every call
    // accesses often are not checked for overlapping accesses: each access is a read, an assignment, or a method of a value that never
    // reaches the transfer.

    typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

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
        case queued(Admission<Transfer>.Ticket)
        /// The engines' admission has admitted the transfer to the engine that gets it.
        case granted
    }

    // MARK: The caller

    /// The caller, until it is resumed.
    @exclusivity(unchecked) var waiter: UnsafeContinuation<Void, Never>?
    /// The result for the caller, set only before the caller is resumed and then accessed only by it. As the result of the continuation it
    /// would take more memory in each waiting call.
    @exclusivity(unchecked) var answer: Answer?
    #if DEBUG
    let order = Locked(0)
    #endif

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
    @exclusivity(unchecked) var queueTime = QueueTime()

    // MARK: The request

    let outgoing: OutgoingRequest
    @exclusivity(unchecked) var lookups: PendingLookups
    @exclusivity(unchecked) var addresses = AddressCheck()
    /// The state of the file before the transfer runs.
    var opening: FileOpenings.Stage?
    @exclusivity(unchecked) var sending: Sending

    // MARK: The response

    /// The error that a callback found. It is more exact than libcurl's code.
    @exclusivity(unchecked) var failure: HTTPError?
    let limits: ResponseLimits
    private let followsRedirects: Bool
    /// The number of bytes after which the body of a redirect that will be followed is cut off; nil for other responses.
    var cut: Int?
    /// Whether the body was cut off, or is not wanted.
    var isCut = false
    let isStreamed: Bool
    /// Whether the transport decodes content codings for this request.
    @exclusivity(unchecked) private var decodes = true
    var isReceivingPaused = false

    @exclusivity(unchecked) var body = BodyBuffer()
    /// The fields of the head, once it is complete.
    @exclusivity(unchecked) var headers = HTTPFields()
    /// The keep-alive timeout that the server announces, if any.
    @exclusivity(unchecked) private(set) var keepAliveTimeout: Duration?
    /// Decodes the body; nil if it has no content coding.
    @exclusivity(unchecked) var decoder: ContentDecoder?
    private var wasCoded = false
    let maxContentCodings: Int
    /// The transfer's share of the engine's round.
    var share = RoundBudget.Share()
    /// Whether the transfer continues in a later round of the engine.
    var isYielding = false
    /// The number of bytes of a refused offer that were already decoded. libcurl offers the bytes again.
    var decodedOfOffer = 0
    /// The destination of a streamed body, once the head is complete.
    @exclusivity(unchecked) var pipe: BodyPipe?
    let streamBufferSize: Int

    init(
        _ outgoing: OutgoingRequest, lookups: [LookupTarget], handle: EasyHandle?, upload: Upload?,
        configuration: CurlTransport.Configuration
    ) {
        let context = outgoing.request.context
        limits = context.limits
        followsRedirects = context.followsRedirects
        isStreamed = context.delivery == .streamed
        deadline = isStreamed ? nil : context.deadline
        self.outgoing = outgoing
        self.lookups = PendingLookups(lookups)
        sending = Sending(outgoing.request, upload)
        streamBufferSize = configuration.streamBufferSize
        maxContentCodings = max(1, configuration.maxContentCodings)
        if let handle { prepare(handle) }
    }

    /// The scheme, host and port, or the proxy: transfers with the same value share a queue.
    var origin: String { outgoing.origin }

    /// Sets up a handle for the request and keeps it.
    func prepare(_ handle: EasyHandle) {
        handle.prepare(outgoing, upload: sending.upload)
        sending.begin()
        decodes = handle.isDecoding
        body = BodyBuffer(handle.bodies)
        self.handle = handle
    }

    /// Marks the transfer as running.
    func begin() {
        phase = .running
        queueTime.end(at: .now, lookup: lookups.duration)
    }

    /// The file to open before the exchange begins.
    var file: FilePump? { if case .file(let pump)? = sending.upload?.source { pump } else { nil } }

    /// Cancels the transfer, from any thread.
    func cancel() { entrance?.post(.cancel(self)) }

    /// Removes and returns the handle after the transfer has ended.
    func takeHandle() -> EasyHandle? { handle.take() }

    /// Whether the request may be sent to an address. Nil means that the connection has no IP address.
    func mayConnect(to address: IPAddress?) -> Bool { addresses.allows(address, by: outgoing.route.addresses) }

    /// Whether the transfer may continue. An objection is its failure.
    func mayContinue(unless objection: HTTPError?) -> Bool {
        if failure == nil { failure = objection }
        return objection == nil
    }

    // MARK: What libcurl's callbacks report

    /// Reads the final head. Returns false to stop the transfer.
    func headIsComplete(_ head: inout ResponseHead) -> Bool {
        headers = head.takeFields()
        keepAliveTimeout = headers.keepAliveTimeout
        // The announced body will not be sent. The server may take the next request for it (RFC 9110 §10.1.1).
        if sending.isWithheld { handle?.forbidReuse() }
        // After a 417 libcurl would ignore the body and send the request again without calling back.
        if sending.expectsContinue, head.status.rawValue == 417 {
            if isStreamed { answerWithStream(head, length: nil) }
            isCut = true
            return false
        }
        var length: Int64?
        do throws(HTTPError) {
            length = try headers.declaredContentLength()
            if !hasNoBody(head.status) { try headers.checkTransferCoding() }
        } catch {
            failure = error
            return false
        }
        if decodes, !hasNoBody(head.status), let codings = ContentCoding.applied(to: headers) {
            guard codings.count <= maxContentCodings else {
                failure = hasTooManyCodings(codings.count)
                return false
            }
            decoder = ContentDecoder(codings)
            wasCoded = true
            headers.remove(.contentEncoding)
            headers.remove(.contentLength)
            length = nil
        }
        guard !isStreamed else {
            answerWithStream(head, length: length)
            return true
        }
        if followsRedirects, head.status.isRedirect, headers.contains(.location) { cut = limits.redirectBodyBytes }
        guard cut == nil, let bytes = length, !hasNoBody(head.status) else { return true }
        guard bytes <= Int64(limits.bodyBytes) else {
            failure = .responseTooLarge(SizeLimitFailure(.body, limit: limits.bodyBytes))
            return false
        }
        body.announce(Int(bytes))
        return true
    }

    func headHasTooManyFields() { failure = .responseTooLarge(SizeLimitFailure(.fields, limit: limits.fieldCount)) }

    func headIsMalformed(_ fault: ResponseHead.Fault) {
        failure = .invalidResponse(Explanation(fault.rawValue, context: ErrorContext(stage: .exchange)))
    }

    func headIsTooLarge() { failure = .responseTooLarge(SizeLimitFailure(.head, limit: limits.headBytes)) }

    /// Ends the exchange: stores the result in `answer`, or ends the streamed body.
    func finish(_ result: Result<Void, HTTPError>) {
        phase = .finished
        sending.close()
        let result = regardingCodings(result)
        decoder = nil
        if let pipe {
            pipe.end(result)
            self.pipe = nil
            return
        }
        defer { body = BodyBuffer() }
        guard waiter != nil else { return }
        switch result {
        case .failure(let error): answer = .failure(error)
        case .success:
            guard let handle, handle.head.isComplete else {
                // libcurl reports success if the connection ends directly after a status line.
                let words = "the connection ended within the head of the response"
                answer = .failure(.networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .exchange))))
                return
            }
            let trailers = handle.head.takeFields()
            answer = .success(response(handle.head, body: HTTPBody(body.take()), trailers: trailers))
        }
    }

    private func answerWithStream(_ head: ResponseHead, length: Int64?) {
        var body = HTTPBody.empty
        if !hasNoBody(head.status) {
            let pipe = BodyPipe(capacity: streamBufferSize, pending: BodyBuffer(handle?.bodies, readLength: handle?.streamedRead ?? 0)) {
                [weak self] wanted in self?.follow(wanted)
            }
            self.pipe = pipe
            let owner = OwnerProcess()
            let reader = PipeReader(pipe) { () throws(HTTPError) in try owner.check("this body was received") }
            body = HTTPBody(reader: reader, length: length)
        }
        if waiter != nil { answer = .success(response(head, body: body)) }
        resume()
    }

    /// Passes on what the reader of the body requires, from any thread.
    private func follow(_ demand: BodyPipe.Demand) {
        switch demand {
        case .resume: inbox?.post(.resumeReceiving(self))
        case .cancel: inbox?.post(.cancel(self))
        }
    }

    private func hasNoBody(_ status: HTTPStatus) -> Bool { handle?.isHead == true || status.forbidsContent }

    private func response(
        _ head: borrowing ResponseHead, body: consuming HTTPBody, trailers: consuming HTTPFields = [:]
    ) -> HTTPResponse<HTTPBody> {
        var metadata = ResponseMetadata()
        metadata.version = head.version
        metadata.wasContentCoded = wasCoded
        metadata.trailers = trailers
        handle?.record(queued: queueTime.duration, lookup: lookups.duration, hasEnded: phase == .finished, in: &metadata)
        return HTTPResponse(status: head.status, headers: headers, body: body, metadata: metadata)
    }
}

/// The time between the creation of a transfer and its start, without the name lookup.
struct QueueTime {
    private let made = ContinuousClock.now
    /// The time; nil before the start.
    private(set) var duration: Duration?

    /// Records the start.
    mutating func end(at now: ContinuousClock.Instant, lookup: Duration?) { duration = now - made - (lookup ?? .zero) }
}
