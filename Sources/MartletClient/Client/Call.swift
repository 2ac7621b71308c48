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

    /// Begins the call of an endpoint and prepares its body. The caller must end the returned call.
    ///
    /// The files of the body are examined on a lane and within the call's deadline, because their file system may hang. Throws `.draining`
    /// if the client or its transport starts no new calls.
    ///
    /// - Parameter observed: The call that observers see, or nil without observers or if it is part of the call in the options.
    nonisolated(nonsending) static func begin(
        _ endpoint: some Endpoint, _ options: CallOptions, _ observed: ObservedCall?, accept: String, delivery: BodyDelivery,
        _ settings: HTTPClient.Settings
    ) async throws(HTTPError) -> Call {
        let body = endpoint.body
        var call = try Call(endpoint, options, observed, body, accept: accept, delivery: delivery, settings)
        if let body, body.hasFiles { try await call.examineFiles(of: body) }
        return call
    }

    private init(
        _ endpoint: some Endpoint, _ callOptions: CallOptions, _ ownObserved: ObservedCall?, _ body: RequestBody?, accept: String,
        delivery: BodyDelivery, _ settings: HTTPClient.Settings
    ) throws(HTTPError) {
        let configuration = settings.components.configuration
        let options = endpoint.options.overridden(by: callOptions)
        var request = try HTTPRequest(
            endpoint, options, body: body, examinesFiles: false, base: settings.base, accept: accept, encoder: settings.components.encoder,
            headers: configuration.headers)
        if body?.hasFiles != true { try request.check() }
        // A call with an observed body may take any time while its body makes progress. The idle timeout limits each exchange, and the
        // total timeout limits the time that interceptors spend around the exchanges.
        let isObserved = request.context.bodyObserver != nil
        let total = callOptions.timeout ?? endpoint.timeout ?? options.timeout
        let timeout = (total ?? (isObserved ? nil : configuration.totalTimeout))?.ifLimited
        let idleTimeout = (options.idleTimeout ?? configuration.idleTimeout)?.ifLimited
        silenceTimeout = isObserved && total == nil ? configuration.totalTimeout ?? idleTimeout : nil
        // A context that was copied from another call's request contains that call's pulse.
        if silenceTimeout != nil || request.context.callPulse != nil {
            request.context.callPulse = silenceTimeout.map { _ in Pulse(time: settings.components.time) }
        }
        let redirects = options.redirects.isClientDefault ? configuration.redirects : options.redirects
        validation = callOptions.validation(of: endpoint)
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
            $0.attemptTimeout = (options.attemptTimeout ?? configuration.attemptTimeout)?.ifLimited
            $0.idleTimeout = idleTimeout
            if let wait = options.expectContinue { $0.expectContinue = wait }
            $0.limits = options.limits ?? configuration.limits
            $0.record = record
            $0.laterRequest = laterRequest
            $0.deadline = deadline
            $0.followsRedirects = redirects.followsAll
            $0.call = callOfExchanges
        }
        self.timeout = timeout
        self.endsWithTask = endsWithTask
        self.redirects = redirects
        observed?.started(request)
        self.request = request
        self.settings = settings
    }

    private mutating func examineFiles(of body: RequestBody) async throws(HTTPError) {
        let encoder = settings.components.encoder
        let examine = { @Sendable () async throws(HTTPError) -> HTTPBody in
            try await FileLanes.shared.run { () throws(HTTPError) in try body.encoded(with: encoder).body }
        }
        do throws(HTTPError) {
            request.body = try await race(examine, against: timer, endedBy: ticket) { ErrorContext(stage: .request) }
            try request.check()
        } catch {
            ticket.end()
            throw explained(error).completed(request: request, stage: .request)
        }
    }

    /// Runs the call until its total deadline, or until it is cancelled.
    func withinDeadline<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        do throws(HTTPError) {
            // The transport and the interceptors end by themselves.
            if request.context.call != nil { return try await operation() }
            return try await race(operation, against: timer, endedBy: ticket) { ErrorContext(stage: .exchange) }
        } catch {
            throw explained(error).completed(request: request, stage: .exchange)
        }
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
        var request = request
        var hops: [URL] = []
        while true {
            var response = try await settings.chain.send(request)
            guard try follow(&response, &request, &hops) else { return response }
        }
    }

    /// Completes a response, and returns whether it is a redirect to follow. If so, `request` becomes the next request.
    // Inlined, its temporaries would be part of the asynchronous frame, and take 5 KiB of each call that waits for its response.
    @inline(never)
    private func follow(
        _ response: inout HTTPResponse<HTTPBody>, _ request: inout HTTPRequest, _ hops: inout [URL]
    ) throws(HTTPError) -> Bool {
        if response.metadata.request == nil { response.metadata.request = request }
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

    /// Returns the response with its body in memory.
    nonisolated(nonsending) func collect(_ response: HTTPResponse<HTTPBody>) async throws(HTTPError) -> HTTPResponse<Data> {
        do {
            let limit = request.context.limits.bodyBytes
            let body =
                if let buffered = response.body.buffered, buffered.count <= limit {
                    buffered
                } else {
                    // A body that did not come from the transport, such as that of a cassette, may wait for its bytes.
                    try await request.context.endingWithCall { () throws(HTTPError) in try await response.body.collect(upTo: limit) }
                }
            return response.map { _ in body }
        } catch { throw error.completed(request: response.metadata.request ?? request, stage: .body) }
    }

    /// Throws `.statusCode` if the status is not accepted.
    func validate(_ response: HTTPResponse<Data>) throws(HTTPError) {
        guard !validation.accepts(response.status) else { return }
        throw .statusCode(response)
    }

    /// Returns the error for a streamed response whose status is not accepted. It has the start of the body unless that takes more than 5
    /// seconds.
    func refusal(of response: HTTPResponse<HTTPBody>) async -> HTTPError {
        let limit = min(request.context.limits.bodyBytes, 1_000_000)
        let start = await response.body.startForError(upTo: limit, time: settings.components.time)
        return .statusCode(response.map { _ in start })
    }

    /// Returns the response with its body decoded.
    func decode<Value: Sendable>(
        _ response: HTTPResponse<Data>, as decoding: ResponseDecoding<Value>
    ) throws(HTTPError) -> HTTPResponse<Value> {
        do { return try decoding.value(of: response, with: settings.components.decoder) } catch {
            throw error.completed(request: response.metadata.request ?? request, stage: .decoding)
        }
    }
}
