internal import MartletEssentials

/// The innermost step of a call: sends a request through the transport, with the client's checks, time limits, records and size limits.
struct Exchange: Transport {
    let transport: any Transport
    let time: any TimeSource

    /// Sends a request after the last interceptor has passed it on.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var running = Running(transport: transport, request: request)
        do throws(HTTPError) {
            try begin(&running)
            defer { running.callPulse?.release() }
            var response = try await running.transport.send(running.request)
            complete(&response, running)
            return response
        } catch { throw failed(error, running) }
    }

    // These are not inlined: their temporaries would be part of the asynchronous frame, and of each call that waits for its response.

    /// The steps before the exchange, in order.
    @inline(never)
    private func begin(_ running: inout Running) throws(HTTPError) {
        try running.request.check()
        try running.prepareUpgrade()
        if Task.isCancelled { throw HTTPError.cancelled }
        let pulse = running.observeBody(time)
        running.limitTime(time, pulse)
        running.holdCallPulse()
        running.markStreamAsSent()
        running.recordAttempt()
    }

    /// The steps after the exchange, in order.
    @inline(never)
    private func complete(_ response: inout HTTPResponse<HTTPBody>, _ running: Running) {
        response.metadata.request = running.request
        response.body = limited(response.body, running.request)
        guard let attempt = running.attempt, let record = running.request.context.record else { return }
        if let notify = record.notify { observe(&response, attempt.number, notify) }
        record.endAttempt(attempt, of: running.request, .status(response.status), response.metadata)
    }

    /// The steps after an exchange without a response.
    @inline(never)
    private func failed(_ error: HTTPError, _ running: Running) -> HTTPError {
        if let attempt = running.attempt {
            let context = running.request.context
            // The client cancels the attempt that is running at the deadline.
            let outcome = error == .cancelled && context.hasExpired ? .timeout : CallTrace.Outcome(error)
            context.record?.endAttempt(attempt, of: running.request, outcome, errorName: error.caseName)
        }
        return error.completed(request: running.request, stage: .exchange)
    }

    /// Tells observers of the response, now and while its body is read.
    private func observe(_ response: inout HTTPResponse<HTTPBody>, _ attempt: Int, _ notify: @escaping @Sendable (CallEvent) -> Void) {
        notify(.headReceived(attempt, response.map { _ in }))
        if let bytes = response.body.buffered {
            if !bytes.isEmpty { notify(.bodyReceived(attempt, bytes)) }
        } else if case .stream(let stream) = response.body.storage {
            let reader = stream.releaseReader(), length = response.body.length, request = response.metadata.request
            let observed = HTTPBody(reader: ObservedBodyReader(reader) { notify(.bodyReceived(attempt, $0)) }, length: length)
            response.body = request.map { observed.answering($0) } ?? observed
        }
    }

    /// Returns a streamed body with the limits for size and idle time, whose errors name the request.
    private func limited(_ body: HTTPBody, _ request: HTTPRequest) -> HTTPBody {
        guard var reader = reader(of: body, request) else { return body }
        if request.context.streamsBody, let limit = request.context.limits.streamBytes {
            let context = ErrorContext(request: request, stage: .body)
            let failure = SizeLimitFailure(.body, limit: Int(clamping: limit), context: context)
            reader = LimitedReader(reader, length: body.length, limit: limit, failure: .responseTooLarge(failure))
        }
        if let timeout = request.context.idleTimeout {
            let detail = "no bytes arrived for the idle timeout of \(timeout.shortText)"
            let failure = HTTPError.timeout(ErrorContext(request: request, stage: .body, detail: detail))
            reader = IdleTimeoutReader(reader, timeout: timeout, time: time, failure: failure)
        }
        return HTTPBody(reader: reader, length: body.length).answering(request)
    }

    /// Returns the reader for a streamed body, or for a body in memory that exceeds the limit for streams. Otherwise returns nil.
    private func reader(of body: HTTPBody, _ request: HTTPRequest) -> (any HTTPBodyReader)? {
        switch body.storage {
        case .stream(let stream): return stream.releaseReader()
        // A source can make several readers, but a response needs only one. The limits of a stream apply to it.
        case .source(let source) where request.context.streamsBody:
            do { return try source.make() } catch { return ClosureBodyReader { throw error } }
        default: break
        }
        guard request.context.streamsBody, let limit = request.context.limits.streamBytes, body.length ?? 0 > limit else {
            return nil
        }
        // The declared length exceeds the limit, so no byte of the body is read.
        return ClosureBodyReader { nil }
    }
}

extension Exchange {
    /// A request that is being sent.
    ///
    /// With the transport in it, the compiler keeps the value in one place, instead of each of its words, of which a frame would have
    /// several.
    fileprivate struct Running {
        var transport: any Transport
        var request: HTTPRequest
        var attempt: RunningAttempt?
        /// The pulse of the call, which the exchange holds.
        var callPulse: Pulse?
    }
}

extension Exchange.Running {
    /// Adds the fields of a handshake to a request for an upgrade. Throws if the transport would send it as an ordinary request, or if a
    /// redirect leads to an origin that must not get the fields.
    mutating func prepareUpgrade() throws(HTTPError) {
        guard let upgrade = request.context.upgrade else { return }
        guard transport.opensWebSockets else {
            throw .engineUnavailable(
                Explanation(
                    "\(type(of: transport)) opens no WebSockets. CurlTransport does, and URLSessionTransport on Apple's platforms",
                    context: ErrorContext(request: request, stage: .request)))
        }
        upgrade.prepare(&request)
        guard !request.context.passedOrigins.isEmpty else { return }
        for name in upgrade.confinedFields.subtracting(request.context.harmlessFields) where request.headers.contains(name) {
            throw .redirectFailed(
                Explanation(
                    "to another origin, which must not get \(name): it may hold a token. If it does not, name it in `harmlessFields`",
                    context: ErrorContext(request: request, stage: .redirect)))
        }
    }

    /// Lets an observed body report its progress to a pulse, too. Returns the pulse, or nil if the body is not observed.
    mutating func observeBody(_ time: any TimeSource) -> Pulse? {
        guard let observer = request.context.bodyObserver else { return nil }
        let pulse = Pulse(time: time)
        request.body = request.body?.observed(by: observer.beating(pulse))
        // Errors and responses keep the request, and must not keep the observer.
        request.context.bodyObserver = nil
        return pulse
    }

    /// Limits the exchange to the attempt timeout, and to the idle timeout while an observed body is sent.
    mutating func limitTime(_ time: any TimeSource, _ pulse: Pulse?) {
        guard pulse != nil || request.context.attemptTimeout != nil else { return }
        transport = TimedExchange(transport: transport, time: time, pulse: pulse)
    }

    /// Stops the idle timer of the call, because the exchange has its own time limits.
    mutating func holdCallPulse() {
        guard let pulse = request.context.callPulse else { return }
        request.context.callPulse = nil
        pulse.hold()
        callPulse = pulse
    }

    /// Notes that a streamed body has been sent, so that a second exchange with it is refused.
    mutating func markStreamAsSent() {
        if let body = request.body, body.isStream { request.body = body.sent() }
    }

    /// Begins an attempt in the record of the call, and numbers it.
    mutating func recordAttempt() {
        attempt = request.context.record?.beginAttempt(request)
        request.context.attempt = attempt?.number ?? request.context.attempt + 1
    }
}

/// Sends requests through a transport within the attempt timeout, and within the idle timeout while an observed body is sent.
struct TimedExchange: Transport {
    let transport: any Transport
    let time: any TimeSource
    /// The progress of the observed body, or nil if the body is not observed.
    let pulse: Pulse?

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let timeout = request.context.attemptTimeout else { return try await sendWithinSilence(request) }
        return try await race(
            { () throws(HTTPError) in try await sendWithinSilence(request) }, until: time.instant + timeout, time: time
        ) {
            ErrorContext(stage: .exchange, detail: "no response within the attempt timeout of \(timeout.shortText)")
        }
    }

    /// Sends the request within the idle timeout if its body is observed. The timeout restarts with each progress of the body.
    private func sendWithinSilence(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let pulse, let timeout = request.context.idleTimeout else { return try await transport.send(request) }
        return try await race(
            { () throws(HTTPError) in try await transport.send(request) },
            against: { IdleTimer(limit: timeout, pulse: pulse, time: time, isSilent: $0) }
        ) {
            ErrorContext(
                stage: .exchange, detail: "the server read no bytes and sent no response for the idle timeout of \(timeout.shortText)")
        }
    }
}

/// Reads a body and tells observers of its pieces.
private final class ObservedBodyReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let tell: @Sendable (Data) -> Void

    init(_ reader: any HTTPBodyReader, tell: @escaping @Sendable (Data) -> Void) {
        self.reader = reader
        self.tell = tell
    }

    func next() async throws(HTTPError) -> Data? {
        let piece = try await reader.next()
        if let piece, !piece.isEmpty { tell(piece) }
        return piece
    }

    func skip(_ count: Int64) async throws(HTTPError) -> Int64 { try await reader.skip(count) }

    func cancel(_ reason: HTTPError) { reader.cancel(reason) }
}
