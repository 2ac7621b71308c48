internal import CMartletCurl
internal import MartletEssentials
internal import MartletHTTP
internal import MartletSystem

/// One exchange on its way: what the engine knows of it, from the call to its one answer.
final class Transfer: @unchecked Sendable {
    // Proof: the caller's task makes it and sets `answer` before it posts `.start` to the inbox, whose lock hands everything over to
    // the engine's thread; from then on only that thread reads or writes it. A cancellation that is posted earlier changes `phase`
    // only, which the caller never touches.

    typealias Answer = Result<HTTPResponse<HTTPBody>, HTTPError>

    enum Phase {
        /// Made, and not known to the engine yet.
        case made
        case cancelledBeforeStart
        /// For its turn.
        case waiting
        case running
        case finished
    }

    var phase = Phase.made
    /// What runs it; nil while it waits among many, for whom there are not handles enough.
    private(set) var handle: EasyHandle?
    /// Where it stands while it waits.
    var ticket: Admission<Transfer>.Ticket?
    /// Where its file stands before it runs.
    var opening: FileOpenings.Stage?
    /// Scheme, host and port, as it waits in one line with others.
    let origin: String
    private let request: HTTPRequest
    private let url: String
    let route: Route
    /// The names to look up before libcurl gets the transfer.
    var lookups: [LookupTarget]
    var lookupStart: ContinuousClock.Instant?
    var lookupTime: Duration?
    /// The addresses found, as lines for libcurl.
    var addressLines: [String] = []
    private let made = ContinuousClock.now
    /// How long it waited for its turn.
    private var queued: Duration?
    var answer: UnsafeContinuation<Answer, Never>?
    /// What `answer` is resumed with when the batch is through.
    var outcome: Answer?
    /// What a callback found wrong: more exact than the code that libcurl then gives.
    var failure: HTTPError?

    /// Why an address was not connected to, or a connection not used.
    private var refusedAddress: String?
    /// Whether another address was, or was tried.
    private var mayReachAnAddress = false

    let limits: ResponseLimits
    private let followsRedirects: Bool
    /// Where the body ends for the caller, however long it is: it is that of a redirect which will be followed.
    var cut: Int?
    /// Whether the body was ended there.
    var isCut = false
    /// When a buffered exchange must have ended. A streamed one answers with its head, and is the client's to watch.
    let deadline: ContinuousClock.Instant?
    let isStreamed: Bool
    let mayBeSentAgain: Bool
    /// Whether the request leaves it to the transport to undo content codings.
    private var decodes = true
    /// Whether the body is held back until the server says that it may come.
    private let expectsContinue: Bool
    var upload: Upload?
    /// Whether libcurl has begun to take the body.
    var wasAskedForBody = false
    var isSendingPaused = false
    var isReceivingPaused = false

    var body = Data()
    /// The fields of the head, once it is complete.
    var headers = HTTPFields()
    /// The keep-alive timeout that the server announces, if any.
    private(set) var keepAliveTimeout: Duration?
    /// Undoes the body's codings, where there are any.
    var decoder: ContentDecoder?
    private var wasCoded = false
    let maxContentCodings: Int
    /// The transfer's share of the engine's round.
    var share = RoundBudget.Share()
    /// Whether the transfer continues in a later round of the engine.
    var isYielding = false
    /// How many bytes of an offer that was refused have been decoded already: libcurl makes it again.
    var decodedOfOffer = 0
    /// Where a streamed body goes, once the head is complete.
    var pipe: BodyPipe?
    let streamBufferSize: Int
    let demand: @Sendable (Transfer, BodyPipe.Demand) -> Void

    init(
        _ request: HTTPRequest, url: String, route: Route, lookups: [LookupTarget], handle: EasyHandle?, upload: Upload?,
        configuration: CurlTransport.Configuration, demand: @escaping @Sendable (Transfer, BodyPipe.Demand) -> Void
    ) {
        limits = request.context.limits
        followsRedirects = request.context.followsRedirects
        isStreamed = request.context.delivery == .streamed
        deadline = isStreamed ? nil : request.context.deadline
        mayBeSentAgain = request.isIdempotent
        expectsContinue = upload != nil && request.expectsContinue
        // libcurl keeps the connections to a proxy that makes no tunnel together, whatever the origin.
        origin = route.proxy.map { url.lowercased().hasPrefix("http:") ? "via \($0.url.absoluteString)" : url.originPart } ?? url.originPart
        self.request = request
        self.url = url
        self.route = route
        self.lookups = lookups
        self.upload = upload
        streamBufferSize = configuration.streamBufferSize
        maxContentCodings = max(1, configuration.maxContentCodings)
        self.demand = demand
        if let handle { prepare(handle) }
    }

    /// Takes a handle and sets it up.
    func prepare(_ handle: EasyHandle) {
        handle.prepare(request, url: url, upload: upload, route: route)
        decodes = handle.isDecoding
        self.handle = handle
    }

    /// Its turn has come.
    func begin() {
        phase = .running
        queued = .now - made - (lookupTime ?? .zero)
    }

    /// The file to open before the exchange begins.
    var file: FilePump? { if case .file(let pump)? = upload?.source { pump } else { nil } }

    /// Gives up the handle, when it has ended.
    func takeHandle() -> EasyHandle? { handle.take() }

    // ThreadSanitizer does not see that a continuation orders what was before `resume` before what comes after `await` when it is
    // resumed before its task has suspended. A lock that both sides touch, in debug builds only, tells it.
    #if DEBUG
    private let order = Locked(0)
    func markHandOver() { order.withLock { $0 += 1 } }
    #else
    @inline(__always) func markHandOver() {}
    #endif

    /// Hands the answer over.
    func resume(_ answer: Answer) {
        let waiting = self.answer.take()
        markHandOver()
        waiting?.resume(returning: answer)
    }

    // MARK: What libcurl's callbacks report

    /// The final head is there; false stops the transfer.
    func headIsComplete(_ head: inout ResponseHead) -> Bool {
        headers = head.takeFields()
        keepAliveTimeout = headers.keepAliveTimeout
        // The body that was announced will not be sent: the server may take what comes next for it (RFC 9110 §10.1.1).
        if expectsContinue, !wasAskedForBody { handle?.forbidReuse() }
        // libcurl would ignore the body, and send the request again without asking.
        if expectsContinue, head.status.rawValue == 417 {
            if isStreamed { answerWithStream(head, length: nil) }
            isCut = true
            return false
        }
        var length: Int64?
        do throws(HTTPError) { length = try headers.declaredContentLength() } catch {
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
        body.reserveCapacity(Int(min(bytes, 1 << 20)))
        return true
    }

    /// Whether an address is one that the request may be sent to; nil is none.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard let policy = route.addresses else { return true }
        guard let address else {
            refusedAddress = "what is to be connected to is no IP address that could be looked at"
            return false
        }
        guard let why = policy.refusal(of: address) else {
            mayReachAnAddress = true
            return true
        }
        refusedAddress = why
        return false
    }

    /// Why nothing could be reached, when that is since no address may be: a host with an address that may is just down.
    func refusal(after code: Int) -> String? {
        switch code {
        case CURLE_ABORTED_BY_CALLBACK.code: refusedAddress
        case CURLE_COULDNT_CONNECT.code: mayReachAnAddress ? nil : refusedAddress
        default: nil
        }
    }

    func headHasTooManyFields() { failure = .responseTooLarge(SizeLimitFailure(.fields, limit: limits.fieldCount)) }

    func headIsTooLarge() { failure = .responseTooLarge(SizeLimitFailure(.head, limit: limits.headBytes)) }

    /// The exchange's end as it is with the content codings regarded: data that is not at its end was cut short.
    private func regardingCodings(_ result: Result<Void, HTTPError>) -> Result<Void, HTTPError> {
        if isCut { return .success(()) }
        guard case .success = result, let decoder else { return result }
        do throws(ContentDecoder.Fault) {
            try decoder.finish()
            return result
        } catch { return .failure(broken(error)) }
    }

    /// The exchange is over: leaves the answer in `outcome`, or ends the streamed body.
    func finish(_ result: Result<Void, HTTPError>) {
        phase = .finished
        upload?.close()
        upload = nil
        let result = regardingCodings(result)
        decoder = nil
        if let pipe {
            pipe.end(result)
            self.pipe = nil
            return
        }
        switch result {
        case .failure(let error): outcome = .failure(error)
        case .success:
            guard let handle, handle.head.isComplete else {
                // libcurl reports success if the connection ends directly after a status line.
                let words = "the connection ended within the head of the response"
                outcome = .failure(.networkError(NetworkFailure(.connectionLost, words, context: ErrorContext(stage: .exchange))))
                break
            }
            var response = response(handle.head, body: HTTPBody(body))
            response.metadata.trailers = handle.head.takeFields()
            outcome = .success(response)
        }
        body = Data()
    }

    private func answerWithStream(_ head: ResponseHead, length: Int64?) {
        var body = HTTPBody.empty
        if !hasNoBody(head.status) {
            let pipe = BodyPipe(capacity: streamBufferSize) { [weak self] wanted in
                if let self { demand(self, wanted) }
            }
            self.pipe = pipe
            let owner = OwnerProcess()
            let reader = PipeReader(pipe) { () throws(HTTPError) in try owner.check("this body was received") }
            body = HTTPBody(reader: reader, length: length)
        }
        resume(.success(response(head, body: body)))
    }

    private func hasNoBody(_ status: HTTPStatus) -> Bool { handle?.isHead == true || status.forbidsContent }

    private func response(_ head: ResponseHead, body: HTTPBody) -> HTTPResponse<HTTPBody> {
        var response = HTTPResponse(status: head.status, headers: headers, body: body)
        response.metadata.version = head.version
        response.metadata.wasContentCoded = wasCoded
        handle?.record(queued: queued, lookup: lookupTime, hasEnded: phase == .finished, in: &response.metadata)
        return response
    }
}
