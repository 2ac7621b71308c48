internal import MartletEssentials

/// A running call: performs its plan within its time limits, and can be cancelled through the client's group of calls.
struct Call: Sendable {
    private(set) var plan: CallPlan
    let settings: HTTPClient.Settings
    /// The call's ticket in the client's group.
    let ticket: CallTicket
    /// The call that observers see, or nil without observers or if it is part of another call.
    let observed: ObservedCall?
}

extension HTTPClient {
    /// Plans the call of an endpoint and begins it. The call must be run.
    ///
    /// - Throws: The errors of ``CallPlan``, and `.draining` if the client or its transport starts no new calls.
    func begin(
        _ kind: CallInfo.Kind, _ endpoint: some Endpoint, _ options: CallOptions, accept: String, streamsBody: Bool,
        valueType: Any.Type? = nil
    ) throws(HTTPError) -> Call {
        let observed = observe(kind, endpoint, options, valueType: valueType)
        do throws(HTTPError) {
            let instant = settings.components.time.instant
            return try Call(
                beginning: CallPlan(
                    endpoint, options, accept: accept, streamsBody: streamsBody, settings, at: instant, taskDeadline: TaskDeadline.current),
                at: instant, observed, settings)
        } catch {
            observed?.ended(.failure(error))
            throw error
        }
    }
}

extension Call {
    fileprivate init(
        beginning plan: consuming CallPlan, at instant: ContinuousClock.Instant, _ own: ObservedCall?, _ settings: HTTPClient.Settings
    ) throws(HTTPError) {
        let time = settings.components.time, limits = plan.timeLimits
        let ticket: CallTicket
        do { ticket = try settings.calls.beginCall() } catch { throw error.completed(request: plan.request, stage: .request) }
        // A context that was copied from another call's request contains that call's pulse.
        if limits.silence != nil || plan.request.context.callPulse != nil {
            plan.request.context.callPulse = limits.silence.map { _ in Pulse(time: time) }
        }
        // An operation of several requests is one call for observers.
        let observed = own ?? plan.request.context.observedCall
        let record = observed?.record ?? CallRecord(time: time, began: instant)
        let laterRequest = observed?.hasStarted == true ? CallRecord(time: time, began: instant) : nil
        let endsByItself = settings.callsEndByThemselves && plan.endsWithExchanges(through: settings.chain)
        plan.request.context.change {
            if let own { $0.runningCall = own }
            $0.record = record
            $0.laterRequest = laterRequest
            $0.call = endsByItself ? ticket : nil
        }
        observed?.started(plan.request)
        self.init(plan: consume plan, settings: settings, ticket: ticket, observed: own)
    }

    /// Runs the steps of the call until its deadline or its cancellation, and reports its outcome.
    ///
    /// A buffered call ends with its steps. A streamed one continues until the body of ``handingOver(_:)`` ends, unless a step fails.
    /// Observers see the end before the ticket ends, so that a drained client has told them of every call.
    nonisolated(nonsending) func run<Body: Sendable>(
        _ steps: @escaping @Sendable (Call) async throws(HTTPError) -> HTTPResponse<Body>
    ) async throws(HTTPError) -> HTTPResponse<Body> {
        do throws(HTTPError) {
            let response = endsByItself ? try await steps(self) : try await withinDeadline(steps)
            if !plan.request.context.streamsBody {
                observed?.succeeded(response.status, response.headers, response.metadata)
                ticket.end()
            }
            return response
        } catch { throw failed(error) }
    }

    /// Returns the streamed response. The call continues until its body ends.
    func handingOver(_ response: HTTPResponse<HTTPBody>) -> HTTPResponse<HTTPBody> {
        let end: @Sendable (HTTPError?) -> Void = { [ticket, observed, head = response.map { _ in }] error in
            observed?.ended(error.map { .failure($0) } ?? .success(head))
            ticket.end()
        }
        return response.map { $0.ending(ticket, end).answering(response.metadata.request ?? plan.request) }
    }
}

// The deadline.
extension Call {
    /// Whether the call needs no race: the transport and the interceptors end it, and its body is ready to be sent.
    private var endsByItself: Bool { plan.request.context.call != nil && plan.unexaminedBody == nil }

    // Not inlined: their temporaries would be part of the frame of each waiting call.

    /// Runs the steps in a task of their own, which the call abandons at its deadline or when it is cancelled.
    @inline(never)
    nonisolated(nonsending) private func withinDeadline<Value: Sendable>(
        _ steps: @escaping @Sendable (Call) async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        if let body = plan.unexaminedBody { return try await afterExamining(body, steps) }
        return try await race({ () throws(HTTPError) in try await steps(self) }, against: timer, endedBy: ticket) {
            ErrorContext(stage: .exchange)
        }
    }

    /// Examines the files of the body, and then runs the steps.
    @inline(never)
    nonisolated(nonsending) private func afterExamining<Value: Sendable>(
        _ body: RequestBody, _ steps: @escaping @Sendable (Call) async throws(HTTPError) -> Value
    ) async throws(HTTPError) -> Value {
        let call = try await examined(body)
        do throws(HTTPError) {
            return call.endsByItself ? try await steps(call) : try await call.withinDeadline(steps)
        } catch { throw error.completed(request: call.lastRequest, stage: .exchange) }
    }

    /// Returns the call with its body prepared. Files are examined on a lane and within the call's deadline, because their file system may
    /// hang.
    nonisolated(nonsending) private func examined(_ body: RequestBody) async throws(HTTPError) -> Call {
        let encoder = settings.components.encoder
        let examine = { @Sendable () async throws(HTTPError) -> HTTPBody in
            try await FileLanes.shared.run { () throws(HTTPError) in try body.encoded(with: encoder).body }
        }
        var call = self
        do throws(HTTPError) {
            try call.plan.examined(try await race(examine, against: timer, endedBy: ticket) { ErrorContext(stage: .request) })
            return call
        } catch { throw error.completed(request: plan.request, stage: .request) }
    }

    /// Returns the timer for the total deadline, for inactivity or for both, or nil if the call has no time limit.
    private func timer(_ fire: @escaping @Sendable () -> Void) -> (any ScheduledTimer)? {
        let time = settings.components.time
        let deadline = plan.timeLimits.deadline.map { time.timer(at: $0, fire: fire) }
        guard let pulse = plan.request.context.callPulse, let limit = plan.timeLimits.silence else { return deadline }
        let idle = IdleTimer(limit: limit, pulse: pulse, time: time, isSilent: fire)
        return deadline.map { BothTimers(first: $0, second: idle) } ?? idle
    }

    /// The call's own request, or the one that the last redirect led to.
    private var lastRequest: HTTPRequest {
        guard var request = plan.request.context.keyRecord?.redirected else { return plan.request }
        request.context = plan.request.context
        return request
    }

    /// Ends the call with an error, and returns it completed.
    @inline(never)
    private func failed(_ error: HTTPError) -> HTTPError {
        var error = error
        if case .timeout(let context) = error { error = .timeout(explained(context)) }
        error = error.completed(request: lastRequest, stage: .exchange)
        // The record of an operation of several requests has attempts that go on.
        if observed != nil || plan.request.context.observedCall == nil { plan.request.context.record?.abandonAttempts(error) }
        observed?.ended(.failure(error))
        ticket.end()
        return error
    }

    /// Returns the context of a timeout with the limit that was exceeded, and with what the call was waiting for.
    private func explained(_ context: ErrorContext) -> ErrorContext {
        var context = context
        if context.detail.isEmpty { context.detail = plan.timeLimits.explanation(at: settings.components.time.instant) ?? "" }
        guard plan.request.context.keyRecord?.awaitsCredential == true else { return context }
        context.stage = .interceptor
        context.detail += (context.detail.isEmpty ? "" : ": ") + "the call was waiting for a credential"
        return context
    }
}

/// Reads the body of a call and ends the call with the body.
private final class CallBodyReader: HTTPBodyReader {
    private let reader: any HTTPBodyReader
    private let end: @Sendable (HTTPError?) -> Void

    /// - Parameter end: Called at the end of the body, with the error if there was one. It may be called several times.
    init(_ reader: any HTTPBodyReader, _ ticket: CallTicket, end: @escaping @Sendable (HTTPError?) -> Void) {
        self.reader = reader
        self.end = end
        ticket.onCancel { reader.cancel(.cancelled(ErrorContext(stage: .body))) }
    }

    deinit { end(.cancelled(ErrorContext(stage: .body, detail: "the body was not read to its end"))) }

    func next() async throws(HTTPError) -> Data? {
        do throws(HTTPError) {
            let chunk = try await reader.next()
            if chunk == nil { end(nil) }
            return chunk
        } catch {
            end(error)
            throw error
        }
    }

    func skip(_ count: Int64) async throws(HTTPError) -> Int64 { try await reader.skip(count) }

    func cancel(_ reason: HTTPError) {
        reader.cancel(reason)
        end(reason)
    }
}

extension HTTPBody {
    /// Returns the body of a call that ends when the body is read to its end, fails or is dropped. A body in memory ends it immediately.
    func ending(_ ticket: CallTicket, _ end: @escaping @Sendable (HTTPError?) -> Void) -> HTTPBody {
        guard case .stream(let stream) = storage else {
            end(nil)
            return self
        }
        return HTTPBody(reader: CallBodyReader(stream.releaseReader(), ticket, end: end), length: length)
    }
}
