/// The innermost step of a call: checks the request, sends it through the transport, and completes the response.
struct Exchange: Transport {
    let transport: any Transport
    let time: any TimeSource

    /// A request that is being sent.
    ///
    /// With the transport in it, the compiler keeps the value in one place, instead of each of its words, of which a frame would have several.
    private struct Running {
        var transport: any Transport
        var request: HTTPRequest
        var attempt: RunningAttempt?
        /// The pulse of the call, which the exchange holds.
        var callPulse: Pulse?
    }

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

    @inline(never)
    private func begin(_ running: inout Running) throws(HTTPError) {
        try running.request.check()
        if Task.isCancelled { throw HTTPError.cancelled }
        var pulse: Pulse?
        if let observer = running.request.context.bodyObserver {
            let observed = Pulse(time: time)
            running.request.body = running.request.body?.observed(by: observer.beating(observed))
            // Errors and responses keep the request, and must not keep the observer.
            running.request.context.bodyObserver = nil
            pulse = observed
        }
        if pulse != nil || running.request.context.attemptTimeout != nil {
            running.transport = TimedExchange(transport: transport, time: time, pulse: pulse)
        }
        // The exchange has its own time limits.
        if let callPulse = running.request.context.callPulse {
            running.request.context.callPulse = nil
            callPulse.hold()
            running.callPulse = callPulse
        }
        if let body = running.request.body, body.isStream { running.request.body = body.sent() }
        running.attempt = running.request.context.record?.beginAttempt(running.request)
        running.request.context.attempt = running.attempt?.number ?? running.request.context.attempt + 1
    }

    @inline(never)
    private func complete(_ response: inout HTTPResponse<HTTPBody>, _ running: Running) {
        response.metadata.request = running.request
        response.body = watched(response.body, running.request)
        if let attempt = running.attempt, let record = running.request.context.record {
            if let notify = record.notify { observe(&response, attempt.number, notify) }
            record.endAttempt(attempt, of: running.request, .status(response.status), response.metadata)
        }
    }

    @inline(never)
    private func failed(_ error: HTTPError, _ running: Running) -> HTTPError {
        if let attempt = running.attempt {
            running.request.context.record?.endAttempt(attempt, of: running.request, CallTrace.Outcome(error))
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
    private func watched(_ body: HTTPBody, _ request: HTTPRequest) -> HTTPBody {
        guard var reader = reader(of: body, request) else { return body }
        if request.context.delivery == .streamed, let limit = request.context.limits.streamBytes {
            let context = ErrorContext(request: request, stage: .body)
            let failure = SizeLimitFailure(.body, limit: Int(clamping: limit), context: context)
            reader = LimitedReader(reader, length: body.length, limit: limit, failure: .responseTooLarge(failure))
        }
        if let timeout = request.context.idleTimeout {
            let detail = "no bytes arrived for the idle timeout of \(timeout)"
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
        case .source(let source) where request.context.delivery == .streamed:
            do { return try source.make() } catch { return ClosureBodyReader { throw error } }
        default: break
        }
        guard request.context.delivery == .streamed, let limit = request.context.limits.streamBytes, body.length ?? 0 > limit else {
            return nil
        }
        // The declared length exceeds the limit, so no byte of the body is read.
        return ClosureBodyReader { nil }
    }
}
