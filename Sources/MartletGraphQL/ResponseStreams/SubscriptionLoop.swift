internal import MartletEssentials

/// The subscription of a loop, and its surroundings.
struct SubscriptionTarget: Sendable {
    let operationName: String?
    /// Validates and encodes the operation.
    let prepare: @Sendable () throws(GraphQLError) -> SubscriptionRequest
    /// Renews the credential that a response rejected. Returns false if no other credential is available.
    let renew: @Sendable (HTTPResponse<Void>?) async throws(GraphQLError) -> Bool
    let options: GraphQLSubscriptionOptions
    let policy: ErrorPolicy
    let time: any TimeSource
    let random: any RandomSource
    let decoder: any BodyDecoder
    /// The group in which the subscription counts as one call, from its first connection to its end.
    var calls: CallGroup?
    /// Begins the observation of a subscription, or returns nil without observers.
    var observe: @Sendable () -> ObservedCall? = { nil }
}

/// Reads a subscription over as many connections as needed, with any transport. Each step is one signal.
struct SubscriptionLoop<D: Decodable & Sendable>: SequentialReading {
    private enum Phase {
        case waiting(Duration)
        case connecting
        case reading(OpenConnection)
        case finished
    }

    private let target: SubscriptionTarget
    private var phase = Phase.waiting(.zero)
    private var decision: ReconnectionDecision
    private var request: SubscriptionRequest?
    private var lastEventID: String?
    private var number = 0
    /// Whether the credential has been renewed since the last result that did not reject it.
    private var hasRenewed = false
    private let call: LongLivedCall
    private let reading: ObservedReading

    init(_ target: SubscriptionTarget) {
        self.target = target
        call = LongLivedCall(target.calls)
        reading = ObservedReading(target.observe)
        decision = ReconnectionDecision(target.options.reconnection)
        let first = target.options.lastEventID
        lastEventID = first.isEmpty ? nil : first
    }

    /// Returns the next signal, or nil when the subscription is complete. After an error it returns nil.
    mutating func next() async throws(GraphQLError) -> GraphQLSubscriptionSignal<D>? {
        do throws(GraphQLError) {
            while true {
                if Task.isCancelled { throw .http(.cancelled) }
                if case .finished = phase {
                    call.end()
                    reading.finished()
                    return nil
                }
                try checkCall()
                switch phase {
                case .waiting(let wait): return try await begin(after: wait)
                case .connecting: return try await connect()
                case .reading(let connection): if let signal = try await read(connection) { return signal }
                case .finished: return nil
                }
            }
        } catch {
            // Releases the connection, which closes it.
            phase = .finished
            call.end()
            reading.failed(error.observed)
            throw error
        }
    }

    private func checkCall() throws(GraphQLError) {
        do { try call.check() } catch { throw .http(error) }
    }

    // MARK: Connecting

    private mutating func begin(after wait: Duration) async throws(GraphQLError) -> GraphQLSubscriptionSignal<D> {
        if wait > .zero {
            let time = target.time
            let outcome = await call.run { () async throws(HTTPError) in
                do { try await time.sleep(for: wait) } catch { throw .cancelled }
            }
            if case .failure = outcome {
                throw .http(.cancelled(ErrorContext(detail: "while waiting \(wait) for the next connection")))
            }
        }
        if request == nil { request = try target.prepare() }
        number += 1
        phase = .connecting
        return .connecting(number: number)
    }

    private mutating func connect() async throws(GraphQLError) -> GraphQLSubscriptionSignal<D>? {
        guard var request else { return nil }
        request.lastEventID = lastEventID
        request.observed = reading.call
        let outcome: Result<any SubscriptionConnection, GraphQLError>
        let asked = request, opening = self.opening
        do throws(HTTPError) {
            outcome = try await call.run { () async throws(HTTPError) in try await opening(asked) }.get()
        } catch { outcome = .failure(.http(error)) }
        switch outcome {
        case .success(let connection):
            decision.opened(at: target.time.instant)
            if let head = connection.response { reading.opened(head) }
            let open = OpenConnection(connection)
            phase = .reading(open)
            closeWhenCancelled(open)
            return .open(connection.response)
        case .failure(.response(let errors)):
            if let renewed = try await renewed(errors, errors.first?.response) { return renewed }
            return try reconnect(after: .response(told(errors, nil)), because: nil)
        case .failure(let error): return try reconnect(after: error, because: nil)
        }
    }

    /// Closes a connection that is being read when the call is cancelled.
    private func closeWhenCancelled(_ connection: OpenConnection) {
        call.onCancel { [weak connection] in connection?.close() }
    }

    /// Opens a connection. The idle timeout also applies while waiting for the head of the response.
    private var opening: @Sendable (SubscriptionRequest) async throws(HTTPError) -> Result<any SubscriptionConnection, GraphQLError> {
        let options = target.options, time = target.time
        return { request async throws(HTTPError) in
            let open = { @Sendable () async throws(HTTPError) -> Result<any SubscriptionConnection, GraphQLError> in
                // Transports of the app may not know the deadline of the task.
                try await TaskDeadline.bound(time: time) { () async throws(HTTPError) in
                    do throws(GraphQLError) { return .success(try await options.transport.connect(request)) } catch {
                        return .failure(error)
                    }
                }
            }
            guard let limit = options.idleTimeout else { return try await open() }
            return try await race(open, until: time.instant + limit, time: time) {
                ErrorContext(stage: .exchange, detail: "no response for the idle timeout of \(limit)")
            }
        }
    }

    // MARK: Reading

    /// Handles the next message. Returns nil if it is not a signal.
    private mutating func read(_ connection: OpenConnection) async throws(GraphQLError) -> GraphQLSubscriptionSignal<D>? {
        let message: SubscriptionMessage?
        do throws(GraphQLError) {
            message = try await connection.next(within: target.options.idleTimeout, time: target.time)
        } catch { return try reconnect(after: error, because: nil) }
        if message != nil { decision.received() }
        switch message {
        case .next(let json): return try await take(json, from: connection)
        case .error(let errors):
            if connection.isFresh, let renewed = try await renewed(errors, connection.response) { return renewed }
            throw .response(told(errors, connection.response))
        case .complete: phase = .finished
        case .retry(let delay): decision.set(serverDelay: delay)
        case .id(let id): lastEventID = id
        case .heartbeat: return .heartbeat
        case nil:
            let context = ErrorContext(request: connection.response?.metadata.request, stage: .body)
            let words = Explanation("the stream ended before the subscription was complete", context: context)
            return try reconnect(after: .http(.invalidResponse(words)), because: .ended)
        }
        return nil
    }

    private mutating func take(_ json: Data, from connection: OpenConnection) async throws(GraphQLError) -> GraphQLSubscriptionSignal<D>? {
        let result: GraphQLResult<D>
        do {
            result = try target.decoder.decode(GraphQLEnvelope<D>.self, from: json).result(context(connection.response))
        } catch {
            let head = connection.response ?? HTTPResponse(status: .ok, body: ())
            let failure = HTTPError(decoding: error, as: D.self, from: head.map { _ in json })
            throw .http(failure.completed(ifKnown: head.metadata.request, stage: .decoding))
        }
        if connection.isFresh, case .failed(let errors) = result, let renewed = try await renewed(errors, connection.response) {
            return renewed
        }
        connection.isFresh = false
        // Prevents endless renewals if the server keeps rejecting the credential.
        if !result.errors.contains(where: \.isAuthenticationError) { hasRenewed = false }
        decision.broughtEvent()
        return .result(result.applying(target.policy))
    }

    private func context(_ response: HTTPResponse<Void>?) -> GraphQLErrorContext {
        GraphQLErrorContext(operationName: target.operationName, response: response)
    }

    /// Returns the errors with the operation and response that they belong to.
    private func told(_ errors: [GraphQLResponseError], _ response: HTTPResponse<Void>?) -> [GraphQLResponseError] {
        errors.map { $0.within(context($0.response ?? response)) }
    }

    // MARK: What follows

    /// Renews the credential if the server's first message rejects it. Returns the signal for a new connection, or nil if there is no other
    /// credential.
    private mutating func renewed(
        _ errors: [GraphQLResponseError], _ response: HTTPResponse<Void>?
    ) async throws(GraphQLError) -> GraphQLSubscriptionSignal<D>? {
        guard !hasRenewed, errors.contains(where: \.isAuthenticationError) else { return nil }
        let renew = target.renew
        guard try await call.run({ () async throws(GraphQLError) in try await renew(response) }).get() else {
            if case .reading(let connection) = phase { closeWhenCancelled(connection) }
            return nil
        }
        hasRenewed = true
        phase = .waiting(.zero)
        return .reconnecting(after: .zero, because: .credentialRenewed)
    }

    private mutating func reconnect(
        after error: GraphQLError, because reason: GraphQLInterruption?
    ) throws(GraphQLError) -> GraphQLSubscriptionSignal<D> {
        if Task.isCancelled || call.isCancelled { throw .http(.cancelled) }
        let failure: HTTPError
        switch error {
        // The stream ended early, which is equivalent to a lost connection.
        case .http where reason == .ended: failure = .networkError(NetworkFailure(.connectionLost))
        case .http(let error): failure = error
        // An overloaded server may report its state as GraphQL errors.
        case .response where error.response?.status.kind == .serverError || error.response?.status == .tooManyRequests:
            guard let response = error.response else { throw error }
            failure = .statusCode(response.map { _ in Data() })
        default: throw error
        }
        guard target.options.reconnection.rule != .never else { throw error }
        let asked = failure.response.flatMap { ServerWait.asked(by: $0.map { _ in }, now: target.time.now) }
        let wait = decision.wait(after: failure, asked: asked, at: target.time.instant, random: target.random)
        guard let wait, !TaskDeadline.isReached(by: wait, time: target.time) else { throw error }
        phase = .waiting(wait)
        return .reconnecting(after: wait, because: reason ?? .failed(error))
    }
}
