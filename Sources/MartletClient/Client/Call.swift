internal import MartletEssentials

/// One running call: its request and its stages.
struct Call: Sendable {
    private(set) var request: HTTPRequest
    let validation: StatusValidation
    private let redirects: RedirectPolicy
    private let timeout: Duration?
    /// For a call without a timeout of its own, the longest continuous time that it may spend outside its exchanges.
    private let silenceTimeout: Duration?
    /// Whether the deadline is that of the task and not of the timeout.
    private let endsWithTask: Bool
    private let settings: HTTPClient.Settings
    /// The call's ticket in the client's group. The code that creates the call ends it.
    let ticket: CallTicket
    /// The body whose files must be examined before the request can be sent.
    private var unexaminedBody: RequestBody?
}

// In an extension, so that the memberwise initializer exists, which copies nothing.
extension Call {
    /// Begins the call of an endpoint. The caller must end it.
    ///
    /// Throws `.draining` if the client or its transport starts no new calls.
    ///
    /// - Parameter observed: The call that observers see, or nil without observers or if it is part of the call in the options.
    init(
        _ endpoint: some Endpoint, _ callOptions: CallOptions, _ ownObserved: ObservedCall?, accept: String, delivery: BodyDelivery,
        _ settings: HTTPClient.Settings
    ) throws(HTTPError) {
        let body = endpoint.body
        let options = endpoint.options.overridden(by: callOptions)
        var request = try HTTPRequest(
            endpoint, options, body: body, examinesFiles: false, base: settings.base, accept: accept, encoder: settings.components.encoder,
            defaults: settings.defaults, harmless: settings.components.configuration.harmlessFields)
        let hasFiles = body?.hasFiles ?? false
        if !hasFiles { try request.check() }
        // A call with an observed body may take any time while its body makes progress. The idle timeout limits each exchange, and the
        // total timeout limits the time that interceptors spend around the exchanges.
        let isObserved = request.context.bodyObserver != nil
        let total = callOptions.timeout ?? endpoint.timeout ?? options.timeout
        let timeout = (total ?? (isObserved ? nil : settings.components.configuration.totalTimeout))?.ifLimited
        let idleTimeout = (options.idleTimeout ?? settings.components.configuration.idleTimeout)?.ifLimited
        let silenceTimeout = isObserved && total == nil ? settings.components.configuration.totalTimeout ?? idleTimeout : nil
        // A context that was copied from another call's request contains that call's pulse.
        if silenceTimeout != nil || request.context.callPulse != nil {
            request.context.callPulse = silenceTimeout.map { _ in Pulse(time: settings.components.time) }
        }
        let redirects = options.redirects.isClientDefault ? settings.components.configuration.redirects : options.redirects
        let validation = callOptions.validation(of: endpoint)
        let instant = settings.components.time.instant
        var deadline = timeout.map { instant + $0 }
        var endsWithTask = false
        if let scope = TaskDeadline.current, deadline.map({ scope < $0 }) ?? true {
            guard instant < scope else {
                throw TaskDeadline.hasPassed.completed(request: request, stage: .request)
            }
            deadline = scope
            endsWithTask = true
        }
        let ticket: CallTicket
        do { ticket = try settings.calls.beginCall() } catch { throw error.completed(request: request, stage: .request) }
        if let ownObserved { request.context[only: ObservedCall.self] = ownObserved }
        let observed = ownObserved ?? request.context.observedCall
        let laterRequest = observed?.hasStarted == true ? CallRecord(time: settings.components.time, began: instant) : nil
        let record = observed?.record ?? CallRecord(time: settings.components.time, began: instant)
        // Time outside the exchanges of an observed upload is limited only by the race, as is that of a streamed call.
        let endsByItself =
            delivery == .buffered && settings.callsEndByThemselves && (request.context.callPulse == nil || settings.chain.isEmpty)
        let callOfExchanges = endsByItself ? ticket : nil
        request.context.change {
            $0.delivery = delivery
            $0.services = settings.services
            $0.attemptTimeout = (options.attemptTimeout ?? settings.components.configuration.attemptTimeout)?.ifLimited
            $0.idleTimeout = idleTimeout
            if let wait = options.expectContinue { $0.expectContinue = wait }
            $0.limits = options.limits ?? settings.components.configuration.limits
            $0.record = record
            $0.laterRequest = laterRequest
            $0.deadline = deadline
            $0.followsRedirects = redirects.followsAll
            $0.call = callOfExchanges
        }
        observed?.started(request)
        self.init(
            request: consume request, validation: validation, redirects: redirects, timeout: timeout, silenceTimeout: silenceTimeout,
            endsWithTask: endsWithTask, settings: settings, ticket: ticket, unexaminedBody: hasFiles ? body : nil)
    }
}

// The steps of a call.
extension Call {
    /// Whether the call needs no race: the transport and the interceptors end it, and its body is ready to be sent.
    var endsByItself: Bool { request.context.call != nil && unexaminedBody == nil }

    /// Sends the request, follows redirects, and returns the response with its body in memory.
    ///
    /// Only the transport and the interceptors end it: use ``valueWithinDeadline(as:)`` unless the call ``endsByItself``.
    nonisolated(nonsending) func response() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        do throws(HTTPError) {
            var response = try await settings.chain.send(request)
            if !isFinal(&response) { try await finish(&response) }
            return response
        } catch { throw failed(error) }
    }

    // These are not inlined: their temporaries would be part of the asynchronous frame, and take 5 KiB of each call that waits for its
    // response.

    /// Prepares the body of a call, sends the request within the deadline, and returns the value of its response.
    @inline(never)
    nonisolated(nonsending) func valueWithinDeadline<Value: Sendable>(
        as decoding: ResponseDecoding<Value>
    ) async throws(HTTPError) -> HTTPResponse<Value> {
        let call = try await examined()
        if call.endsByItself { return try call.value(of: try await call.response(), as: decoding) }
        return try await call.withinDeadline { () throws(HTTPError) in
            try call.value(of: try await call.response(), as: decoding)
        }
    }

    /// Completes the first response. Returns whether it is the last one and its body is in memory.
    @inline(never)
    private func isFinal(_ response: inout HTTPResponse<HTTPBody>) -> Bool {
        if !response.metadata.hasRequest { response.metadata.request = request }
        return response.status.kind != .redirection && response.body.isBuffered(upTo: request.context.limits.bodyBytes)
    }

    /// Follows redirects from a response, and collects the body of the last one.
    @inline(never)
    nonisolated(nonsending) private func finish(_ response: inout HTTPResponse<HTTPBody>) async throws(HTTPError) {
        try await followRedirects(from: &response)
        if !response.body.isBuffered(upTo: request.context.limits.bodyBytes) { response.body = HTTPBody(try await collect(response)) }
    }

    /// Runs an operation until the call's total deadline, or until the call is cancelled.
    func withinDeadline<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        do throws(HTTPError) {
            return try await race(operation, against: timer, endedBy: ticket) { ErrorContext(stage: .exchange) }
        } catch { throw failed(error) }
    }

    /// Returns the call with its body prepared. Files are examined on a lane and within the call's deadline, because their file system may
    /// hang.
    nonisolated(nonsending) func examined() async throws(HTTPError) -> Call {
        guard let body = unexaminedBody else { return self }
        let encoder = settings.components.encoder
        let examine = { @Sendable () async throws(HTTPError) -> HTTPBody in
            try await FileLanes.shared.run { () throws(HTTPError) in try body.encoded(with: encoder).body }
        }
        var call = self
        do throws(HTTPError) {
            call.unexaminedBody = nil
            call.request.body = try await race(examine, against: timer, endedBy: ticket) { ErrorContext(stage: .request) }
            try call.request.check()
            return call
        } catch { throw call.failed(error, .request) }
    }

    /// Completes the error of the call.
    @inline(never)
    private func failed(_ error: HTTPError, _ stage: ErrorContext.Stage = .exchange) -> HTTPError {
        explained(error).completed(request: request, stage: stage)
    }

    /// Returns the timer for the total deadline, for inactivity or for both, or nil if the call has no time limit.
    private func timer(_ fire: @escaping @Sendable () -> Void) -> (any ScheduledTimer)? {
        let deadline = request.context.deadline.map { settings.components.time.timer(at: $0, fire: fire) }
        guard let pulse = request.context.callPulse, let limit = silenceTimeout else { return deadline }
        let idle = IdleTimer(limit: limit, pulse: pulse, time: settings.components.time, isSilent: fire)
        return deadline.map { BothTimers(first: $0, second: idle) } ?? idle
    }

    /// Adds the total timeout to a timeout error that has no detail yet.
    private func explained(_ error: HTTPError) -> HTTPError {
        guard case .timeout(var context) = error, context.detail.isEmpty else { return error }
        if endsWithTask, let deadline = request.context.deadline, settings.components.time.instant >= deadline {
            context.detail = TaskDeadline.explanation
        } else if let timeout {
            context.detail = "no response within the total timeout of \(timeout)"
        } else if let silenceTimeout {
            context.detail = "an interceptor of an upload took longer than the total timeout of \(silenceTimeout)"
        }
        return .timeout(context)
    }

    /// Sends the request, and the requests that redirects lead to, through the interceptors.
    nonisolated(nonsending) func followingRedirects() async throws(HTTPError) -> HTTPResponse<HTTPBody> {
        var response = try await settings.chain.send(request)
        try await followRedirects(from: &response)
        return response
    }

    /// Sends the requests that redirects lead to. `response` is the first response and becomes the last one.
    nonisolated(nonsending) private func followRedirects(from response: inout HTTPResponse<HTTPBody>) async throws(HTTPError) {
        var request = request, hops: [URL] = []
        while try follow(&response, &request, &hops) {
            // Ends the transfer of the redirect, whose connection the next request may need.
            response.body = .empty
            response = try await settings.chain.send(request)
        }
    }

    /// Completes a response, and returns whether it is a redirect to follow. If so, `request` becomes the next request.
    private func follow(
        _ response: inout HTTPResponse<HTTPBody>, _ request: inout HTTPRequest, _ hops: inout [URL]
    ) throws(HTTPError) -> Bool {
        if !response.metadata.hasRequest { response.metadata.request = request }
        if !hops.isEmpty { response.metadata.redirects = hops }
        guard response.status.kind == .redirection else { return false }
        request.url = RedirectDecision.source(of: request.url, sentTo: response.metadata.url)
        switch RedirectDecision.decide(request: request, response: response.map { _ in }, count: hops.count, policy: redirects) {
        case .deliver: return false
        case .refuse(let error): throw error.completed(request: request, stage: .redirect)
        case .follow(var next):
            hops.append(next.url)
            request.context.record?.add(.redirect(CallTrace.Redirect(response.status, from: request, to: next)))
            if let origin = request.origin, origin != Origin(next.url) { next.context.passedOrigins.append(origin) }
            request = next
            return true
        }
    }

    /// Returns the body of a response. If it did not come from the transport, such as that of a cassette, it may wait for its bytes.
    nonisolated(nonsending) private func collect(_ response: HTTPResponse<HTTPBody>) async throws(HTTPError) -> Data {
        do {
            let body = response.body, limit = request.context.limits.bodyBytes
            return try await request.context.endingWithCall { () throws(HTTPError) in try await body.collect(upTo: limit) }
        } catch { throw error.completed(request: response.metadata.request ?? request, stage: .body) }
    }

    /// Returns the error for a streamed response whose status is not accepted. It has the start of the body unless that takes more than 5
    /// seconds.
    func refusal(of response: HTTPResponse<HTTPBody>) async -> HTTPError {
        let limit = min(request.context.limits.bodyBytes, 1_000_000)
        let start = await response.body.startForError(upTo: limit, time: settings.components.time)
        return .statusCode(response.map { _ in start })
    }

    /// Returns the response with its body, which is in memory, decoded. Throws `.statusCode` if the status is not accepted.
    // Not inlined, because the code of a generic function that handles a response is large.
    @inline(never)
    func value<Value: Sendable>(
        of response: consuming HTTPResponse<HTTPBody>, as decoding: ResponseDecoding<Value>
    ) throws(HTTPError) -> HTTPResponse<Value> {
        let isAccepted = validation.accepts(response.status)
        let response = response.map { $0.buffered ?? Data() }
        do throws(HTTPError) {
            guard isAccepted else { throw .statusCode(response) }
            return try decoding.value(of: consume response, with: settings.components.decoder)
        } catch { throw failed(error.completed(request: request, stage: .decoding)) }
    }
}

extension HTTPBody {
    /// Whether the body is in memory and has at most `limit` bytes.
    fileprivate func isBuffered(upTo limit: Int) -> Bool { buffered.map { $0.count <= limit } ?? false }
}
