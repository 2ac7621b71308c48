/// The innermost step of a call: checks the request, sends it through the transport, and completes the response.
struct Exchange: Sendable {
    let transport: any Transport
    let time: any TimeSource

    /// Sends a request after the last interceptor has passed it on.
    nonisolated(nonsending) func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = request
        var attempt: RunningAttempt?
        do throws(HTTPError) {
            try request.check()
            if Task.isCancelled { throw HTTPError.cancelled }
            var pulse: Pulse?
            if let observer = request.context.bodyObserver {
                let observed = Pulse(time: time)
                request.body = request.body?.observed(by: observer.beating(observed))
                // Errors and responses keep the request, and must not keep the observer.
                request.context.bodyObserver = nil
                pulse = observed
            }
            // The exchange has its own time limits.
            let callPulse = request.context.callPulse
            if callPulse != nil { request.context.callPulse = nil }
            callPulse?.hold()
            defer { callPulse?.release() }
            if let body = request.body, body.isStream { request.body = body.sent() }
            let record = request.context.record
            attempt = record?.beginAttempt(request)
            request.context.attempt = attempt?.number ?? request.context.attempt + 1
            var response = try await withinAttemptTimeout(request, pulse)
            response.metadata.request = request
            response.body = watched(response.body, request)
            if let attempt, let record {
                if let notify = record.notify { observe(&response, attempt.number, notify) }
                record.endAttempt(attempt, .status(response.status), response.metadata)
            }
            return response
        } catch {
            if let attempt { request.context.record?.endAttempt(attempt, CallTrace.Outcome(error)) }
            throw error.completed(request: request, stage: .exchange)
        }
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

    nonisolated(nonsending) private func withinAttemptTimeout(_ request: HTTPRequest, _ pulse: Pulse?) async throws(HTTPError)
        -> HTTPResponse<HTTPBody>
    {
        guard let timeout = request.context.attemptTimeout else { return try await withinSilence(request, pulse) }
        return try await race(
            { () throws(HTTPError) in try await withinSilence(request, pulse) }, until: time.instant + timeout, time: time
        ) {
            ErrorContext(stage: .exchange, detail: "no response within the attempt timeout of \(timeout)")
        }
    }

    /// Sends the request within the idle timeout if its body is observed. The timeout restarts with each progress of the body.
    nonisolated(nonsending) private func withinSilence(_ request: HTTPRequest, _ pulse: Pulse?) async throws(HTTPError) -> HTTPResponse<
        HTTPBody
    > {
        guard let pulse, let timeout = request.context.idleTimeout else { return try await transport.send(request) }
        return try await race(
            { () throws(HTTPError) in try await transport.send(request) },
            against: { IdleTimer(limit: timeout, pulse: pulse, time: time, isSilent: $0) }
        ) {
            ErrorContext(stage: .exchange, detail: "the server read no bytes and sent no response for the idle timeout of \(timeout)")
        }
    }

    /// Returns a streamed body with the limits for size and idle time, whose errors name the request.
    private func watched(_ body: HTTPBody, _ request: HTTPRequest) -> HTTPBody {
        guard var reader = reader(of: body, request) else { return body }
        if request.context.delivery == .streamed, let limit = request.context.limits.streamBytes {
            let context = ErrorContext(request: request, stage: .body, attempts: request.context.attempt)
            let failure = SizeLimitFailure(.body, limit: Int(clamping: limit), context: context)
            reader = LimitedReader(reader, length: body.length, limit: limit, failure: .responseTooLarge(failure))
        }
        if let timeout = request.context.idleTimeout {
            let detail = "no bytes arrived for the idle timeout of \(timeout)"
            let failure = HTTPError.timeout(
                ErrorContext(request: request, stage: .body, attempts: request.context.attempt, detail: detail))
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
