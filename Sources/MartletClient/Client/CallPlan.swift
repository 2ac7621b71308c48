internal import MartletEssentials

/// What a call will do: its first request, its time limits, and the rules for its responses. Planning is a function of the arguments.
struct CallPlan: Sendable {
    /// The first request. It has no body yet if ``unexaminedBody`` is its body.
    var request: HTTPRequest
    /// The body whose files must be examined before the request can be sent, or nil.
    private(set) var unexaminedBody: RequestBody?
    /// The statuses whose responses have a value.
    let validation: StatusValidation
    /// The redirects that the call follows.
    let redirects: RedirectPolicy
    /// The call's time limits.
    let timeLimits: CallTimeLimits
}

// In an extension, so that the memberwise initializer exists, which copies nothing.
extension CallPlan {
    /// Plans the call of an endpoint that starts at `instant`. The options override those of the endpoint and of the client.
    ///
    /// - Throws: `.invalidURL`, `.invalidRequest` or `.encodingFailed` if the request can't be sent, and `.timeout` if the deadline of the
    ///   task has passed.
    // The parts of the configuration are read where they are, because a copy of it would count the references of each.
    init(
        _ endpoint: some Endpoint, _ callOptions: CallOptions, accept: String, streamsBody: Bool, _ settings: HTTPClient.Settings,
        at instant: ContinuousClock.Instant, taskDeadline: ContinuousClock.Instant?
    ) throws(HTTPError) {
        let body = endpoint.body
        let options = endpoint.options.overridden(by: callOptions)
        var request = try HTTPRequest(
            endpoint, options, body: body, examinesFiles: false, base: settings.base, accept: accept, encoder: settings.components.encoder,
            defaults: settings.defaults, harmless: settings.components.configuration.harmlessFields)
        let hasFiles = body?.hasFiles ?? false
        if !hasFiles { try request.check() }
        let idleTimeout = (options.idleTimeout ?? settings.components.configuration.idleTimeout)?.ifLimited
        let timeLimits = CallTimeLimits(
            total: callOptions.timeout ?? endpoint.timeout ?? options.timeout, clientTotal: settings.components.configuration.totalTimeout,
            idle: idleTimeout, head: streamsBody ? request.context.headTimeout : nil, hasObservedBody: request.context.bodyObserver != nil,
            at: instant, taskDeadline: taskDeadline)
        if timeLimits.hasEnded(at: instant) { throw TaskDeadline.hasPassed.completed(request: request, stage: .request) }
        let redirects = options.redirects.isClientDefault ? settings.components.configuration.redirects : options.redirects
        request.context.change {
            $0.streamsBody = streamsBody
            $0.services = settings.services
            $0.attemptTimeout = (options.attemptTimeout ?? settings.components.configuration.attemptTimeout)?.ifLimited
            $0.idleTimeout = idleTimeout
            if let wait = options.expectContinue { $0.expectContinue = wait }
            $0.limits = options.limits ?? settings.components.configuration.limits
            $0.deadline = timeLimits.deadline
            $0.followsRedirects = redirects.followsAll
        }
        self.init(
            request: consume request, unexaminedBody: hasFiles ? body : nil, validation: callOptions.validation(of: endpoint),
            redirects: redirects, timeLimits: timeLimits)
    }

    /// Completes the request with its body, whose files were examined. Throws if it can't be sent.
    mutating func examined(_ body: HTTPBody) throws(HTTPError) {
        unexaminedBody = nil
        request.body = body
        try request.check()
    }

    /// Whether the exchanges end the call, so that nothing waits outside of them.
    ///
    /// Time outside the exchanges of an observed upload is limited only by a race, as is that of a streamed call.
    func endsWithExchanges(through chain: InterceptorChain) -> Bool {
        !request.context.streamsBody && (request.context.callPulse == nil || chain.isEmpty)
    }

    /// The call's own request, before any redirect.
    var trail: RequestTrail { RequestTrail(request: request, policy: redirects) }

    /// Returns the response with its body, which is in memory, decoded. Throws `.statusCode` if the status is not accepted.
    // Not inlined, because the code of a generic function that handles a response is large.
    @inline(never)
    func value<Value: Sendable>(
        of response: consuming HTTPResponse<HTTPBody>, as decoding: ResponseDecoding<Value>, with decoder: any BodyDecoder
    ) throws(HTTPError) -> HTTPResponse<Value> {
        let isAccepted = validation.accepts(response.status)
        let response = response.map { $0.buffered ?? Data() }
        do throws(HTTPError) {
            guard isAccepted else { throw .statusCode(response) }
            return try decoding.value(of: consume response, with: decoder)
        } catch { throw error.completed(request: request, stage: .decoding) }
    }
}

/// The time limits of a call.
struct CallTimeLimits: Sendable {
    /// The instant by which the call must end, or nil if it has no such limit.
    let deadline: ContinuousClock.Instant?
    /// The longest continuous time that a call with an observed body and without a timeout of its own may spend outside its exchanges.
    ///
    /// Such a call may take any time while its body makes progress. The idle timeout limits each exchange.
    let silence: Duration?
    /// Whether the deadline is that of the task and not that of the total timeout.
    let endsWithTask: Bool
    /// The total timeout, or the idle timeout for the head of a stream if that is shorter.
    private let limit: Duration?
    /// Whether ``limit`` is the idle timeout for the head.
    private let isForHead: Bool
    /// The name of the timeout that ``silence`` is.
    private let silenceName: String

    /// - Parameters:
    ///   - total: The total timeout of the call, its endpoint or its request, or nil for that of the client.
    ///   - head: The idle timeout for the head of a stream, or nil.
    ///   - instant: The start of the call.
    ///   - taskDeadline: The deadline of the caller's task.
    init(
        total: Duration?, clientTotal: Duration?, idle: Duration?, head: Duration? = nil, hasObservedBody: Bool,
        at instant: ContinuousClock.Instant, taskDeadline: ContinuousClock.Instant?
    ) {
        let longest = (total ?? (hasObservedBody ? nil : clientTotal))?.ifLimited, head = head?.ifLimited
        isForHead = head.map { head in longest.map { head < $0 } ?? true } ?? false
        limit = isForHead ? head : longest
        silence = hasObservedBody && total == nil ? clientTotal ?? idle : nil
        silenceName = clientTotal == nil ? "idle" : "total"
        let own = limit.map { instant + $0 }
        endsWithTask = taskDeadline.map { task in own.map { task < $0 } ?? true } ?? false
        deadline = endsWithTask ? taskDeadline : own
    }

    /// Whether the deadline of the task has passed at `instant`.
    func hasEnded(at instant: ContinuousClock.Instant) -> Bool { endsWithTask && deadline.map { instant >= $0 } ?? false }

    /// Returns what to say of a call that ran out of time at `instant`, or nil if it has no time limit.
    func explanation(at instant: ContinuousClock.Instant) -> String? {
        if hasEnded(at: instant) { return TaskDeadline.explanation }
        if let limit { return "no response \(isForHead ? "for the idle" : "within the total") timeout of \(limit.shortText)" }
        return silence.map { "an interceptor of an upload took longer than the \(silenceName) timeout of \($0.shortText)" }
    }
}

extension RequestContext {
    /// The idle timeout for the head of a stream, which limits the call like its total timeout, or nil. Buffered calls ignore it.
    package var headTimeout: Duration? {
        get { self[HeadTimeoutKey.self] }
        set { self[HeadTimeoutKey.self] = newValue }
    }
}

private enum HeadTimeoutKey: RequestContextKey {
    static let defaultValue: Duration? = nil
}

/// The requests of a call: its own, and those that redirects lead to.
struct RequestTrail: Sendable {
    /// The request to send next. After the last response, the request that it is for.
    private(set) var request: HTTPRequest
    private var urls: [URL] = []
    private let policy: RedirectPolicy

    init(request: HTTPRequest, policy: RedirectPolicy) {
        self.request = request
        self.policy = policy
    }

    /// Completes a response, and returns whether it is a redirect to follow. If so, ``request`` becomes the next request, and the body of
    /// the response is dropped.
    ///
    /// - Throws: `.redirectFailed` or `.bodyNotReplayable` if the redirect must not be followed.
    mutating func redirects(after response: inout HTTPResponse<HTTPBody>) throws(HTTPError) -> Bool {
        if !response.metadata.hasRequest { response.metadata.request = request }
        if !urls.isEmpty { response.metadata.redirects = urls }
        guard response.status.kind == .redirection else { return false }
        return try follow(&response)
    }

    private mutating func follow(_ response: inout HTTPResponse<HTTPBody>) throws(HTTPError) -> Bool {
        request.url = RedirectDecision.source(of: request.url, sentTo: response.metadata.url)
        switch RedirectDecision.decide(request: request, response: response.map { _ in }, count: urls.count, policy: policy) {
        case .deliver: return false
        case .refuse(let error): throw error.completed(request: request, stage: .redirect)
        case .follow(var next):
            urls.append(next.url)
            request.context.record?.add(.redirect(CallTrace.Redirect(response.status, from: request, to: next)))
            if let origin = request.origin, origin != Origin(next.url) { next.context.passedOrigins.append(origin) }
            next.context.keyRecord?.redirect(to: next)
            request = next
            // Ends the transfer of the redirect, whose connection the next request may need.
            response.body = .empty
            return true
        }
    }
}
