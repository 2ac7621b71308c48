/// The end of the chain: one exchange with the transport, checked before and completed after.
struct Exchange: Sendable {
    let transport: any Transport
    let time: any TimeSource

    /// Sends a request that the interceptors are done with.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var request = request
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
            request.context.attempt = request.context.attempts?.increment() ?? request.context.attempt + 1
            var response = try await withinAttemptTimeout(request, pulse)
            response.metadata.request = request
            response.body = watched(response.body, request)
            return response
        } catch { throw error.completed(request: request, stage: .exchange) }
    }

    private func withinAttemptTimeout(_ request: HTTPRequest, _ pulse: Pulse?) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let timeout = request.context.attemptTimeout else { return try await withinSilence(request, pulse) }
        return try await race(
            { () throws(HTTPError) in try await withinSilence(request, pulse) }, until: time.instant + timeout, time: time
        ) {
            ErrorContext(stage: .exchange, detail: "no answer within the attempt timeout of \(timeout)")
        }
    }

    /// Of a body whose progress is watched, that is the sign of life: it may take as long as it moves.
    private func withinSilence(_ request: HTTPRequest, _ pulse: Pulse?) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        guard let pulse, let timeout = request.context.idleTimeout else { return try await transport.send(request) }
        return try await race(
            { () throws(HTTPError) in try await transport.send(request) },
            against: { IdleTimer(limit: timeout, pulse: pulse, time: time, isSilent: $0) }
        ) {
            ErrorContext(stage: .exchange, detail: "nothing was taken of the body, and no answer came, for the idle timeout of \(timeout)")
        }
    }

    /// A streamed body whose errors name the request, and which ends with one when it is silent for too long, or too long.
    private func watched(_ body: HTTPBody, _ request: HTTPRequest) -> HTTPBody {
        guard var reader = reader(of: body, request) else { return body }
        if request.context.delivery == .streamed, let limit = request.context.limits.streamBytes {
            let context = ErrorContext(request: request, stage: .body, attempts: request.context.attempt)
            let failure = SizeLimitFailure(.body, limit: Int(clamping: limit), context: context)
            reader = LimitedReader(reader, length: body.length, limit: limit, failure: .responseTooLarge(failure))
        }
        if let timeout = request.context.idleTimeout {
            let detail = "nothing came for the idle timeout of \(timeout)"
            let failure = HTTPError.timeout(
                ErrorContext(request: request, stage: .body, attempts: request.context.attempt, detail: detail))
            reader = IdleTimeoutReader(reader, timeout: timeout, time: time, failure: failure)
        }
        return HTTPBody(reader: reader, length: body.length).answering(request)
    }

    /// What reads a streamed body, and one in memory that was given for a stream and is too long for one.
    private func reader(of body: HTTPBody, _ request: HTTPRequest) -> (any HTTPBodyReader)? {
        switch body.storage {
        case .stream(let stream): return stream.releaseReader()
        // Made anew for each reader, which nobody needs of an answer; and watched like any other stream.
        case .source(let source) where request.context.delivery == .streamed:
            do { return try source.make() } catch { return ClosureBodyReader { throw error } }
        default: break
        }
        guard request.context.delivery == .streamed, let limit = request.context.limits.streamBytes, body.length ?? 0 > limit else {
            return nil
        }
        // It says how long it is, which is too long: none of it will be asked for.
        return ClosureBodyReader { nil }
    }
}
