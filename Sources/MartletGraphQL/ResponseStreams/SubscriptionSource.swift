internal import MartletEssentials
internal import MartletSystem

/// A subscription, its options and its surroundings.
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

/// A subscription over any transport as the source of a ``ReconnectingLoop``.
struct SubscriptionSource<D: Decodable & Sendable>: ReconnectingSource {
    typealias Signal = GraphQLSubscriptionSignal<D>
    typealias Connection = OpenConnection
    typealias Failure = GraphQLError

    /// What opening a connection led to.
    enum Response: Sendable {
        case connection(any SubscriptionConnection)
        /// The credential was rejected and has been renewed.
        case renewed
        /// The credential was rejected and its renewal failed.
        case renewalFailed(GraphQLError)
    }

    private let target: SubscriptionTarget
    private let call: LongLivedCall
    private let reading: ObservedReading
    private var request: SubscriptionRequest?
    private var lastEventID: String?
    /// Whether the credential has been renewed since the last result that did not reject it.
    private var hasRenewed = false
    /// When the connection was opened.
    private var openedAt: ContinuousClock.Instant?
    /// The minimum time between two renewals without a result between them.
    private var renewalPause: Duration { .seconds(60) }

    init(_ target: SubscriptionTarget, _ call: LongLivedCall, _ reading: ObservedReading) {
        self.target = target
        self.call = call
        self.reading = reading
        let first = target.options.lastEventID
        lastEventID = first.isEmpty ? nil : first
    }

    // MARK: Opening a connection

    /// Validates and encodes the operation.
    mutating func prepare(_ number: Int, after error: HTTPError?) throws(GraphQLError) {
        request = try prepared()
    }

    private func prepared() throws(GraphQLError) -> SubscriptionRequest {
        if let request { return request }
        return try target.prepare()
    }

    func connect() async throws(GraphQLError) -> Response {
        var request = try prepared()
        request.lastEventID = lastEventID
        request.observed = reading.call
        let failure: GraphQLError
        do throws(GraphQLError) { return .connection(try await connection(for: request)) } catch { failure = error }
        if isRejection(failure) {
            do throws(GraphQLError) {
                if try await target.renew(failure.response) { return .renewed }
            } catch { return .renewalFailed(error) }
        }
        throw failure
    }

    /// Opens a connection. The idle timeout also applies while waiting for the head of the response. The transports over HTTP apply it to
    /// their request, so that the error has the request and its trace.
    private func connection(for request: SubscriptionRequest) async throws(GraphQLError) -> any SubscriptionConnection {
        let options = target.options, time = target.time
        let open = { @Sendable () async throws(HTTPError) -> Result<any SubscriptionConnection, GraphQLError> in
            // Transports of the app may not know the deadline of the task.
            try await TaskDeadline.bound(time: time) { () async throws(HTTPError) in
                do throws(GraphQLError) { return .success(try await options.transport.connect(request)) } catch {
                    return .failure(error)
                }
            }
        }
        let outcome: Result<any SubscriptionConnection, GraphQLError>
        do throws(HTTPError) {
            if let limit = options.idleTimeout, !(options.transport is HTTPSubscriptionTransport) {
                outcome = try await race(open, until: time.instant + limit, time: time) {
                    ErrorContext(stage: .exchange, detail: "no response for the idle timeout of \(limit.shortText)")
                }
            } else {
                outcome = try await open()
            }
        } catch { throw .http(error) }
        return try outcome.get()
    }

    mutating func opened(_ outcome: Result<Response, GraphQLError>) throws(GraphQLError) -> ConnectionStep<SubscriptionSource> {
        switch outcome {
        case .success(.connection(let connection)):
            if let head = connection.response { reading.opened(head) }
            openedAt = target.time.instant
            let open = OpenConnection(connection)
            return .opened(open, .open(connection.response), interruption: open.interruption)
        case .success(.renewed):
            hasRenewed = true
            return .again(nil)
        case .success(.renewalFailed(let error)): throw error
        case .failure(let error): return failed(error)
        }
    }

    // MARK: Reading

    mutating func read(
        _ connection: OpenConnection, noting history: inout ReconnectionHistory
    ) async throws(GraphQLError) -> ConnectionStep<SubscriptionSource> {
        let message: SubscriptionMessage?
        do throws(GraphQLError) {
            message = try await connection.next(within: target.options.idleTimeout, time: target.time)
        } catch {
            if case .closed(let closure) = error, try await renews(closure, connection) { return .again(nil) }
            return failed(error)
        }
        if message != nil { history.received() }
        switch message {
        case .next(let json): return try await take(json, from: connection, &history)
        case .error(let errors):
            if try await renews(errors, connection) { return .again(nil) }
            throw .response(contextualized(errors, connection.response))
        case .complete: return .finished
        case .retry(let delay): history.set(serverDelay: delay)
        case .id(let id): lastEventID = id
        case .heartbeat: return .signal(.heartbeat)
        case nil: return ended(connection.response)
        }
        return .nothing
    }

    private mutating func take(
        _ json: Data, from connection: OpenConnection, _ history: inout ReconnectionHistory
    ) async throws(GraphQLError) -> ConnectionStep<SubscriptionSource> {
        let result: GraphQLResult<D>
        do {
            result = try target.decoder.decode(GraphQLEnvelope<D>.self, from: json).result { context(connection.response) }
        } catch {
            let head = connection.response ?? HTTPResponse(status: .ok, body: ())
            let failure = HTTPError(decoding: error, as: D.self, from: head.map { _ in json })
            throw .http(failure.completed(ifKnown: head.metadata.request, stage: .decoding))
        }
        if case .failed(let errors) = result, try await renews(errors, connection) { return .again(nil) }
        connection.isFresh = false
        // Prevents endless renewals if the server keeps rejecting the credential.
        if !result.errors.contains(where: \.isAuthenticationError) { hasRenewed = false }
        history.broughtEvent()
        return .signal(.result(result.applying(target.policy)))
    }

    // MARK: Renewing the credential

    /// Whether errors reject a credential that has not been renewed yet.
    private func isRejection(_ errors: [GraphQLResponseError]) -> Bool { !hasRenewed && errors.contains(where: \.isAuthenticationError) }

    /// Whether an error in place of a connection rejects a credential that has not been renewed yet.
    private func isRejection(_ error: GraphQLError) -> Bool {
        switch error {
        case .response(let errors): isRejection(errors)
        case .closed(let closure): !hasRenewed && closure.meaning == .rejected
        default: false
        }
    }

    /// Renews the credential if the server's first message rejects it. Returns false if no other credential is
    /// available.
    private mutating func renews(_ errors: [GraphQLResponseError], _ connection: OpenConnection) async throws(GraphQLError) -> Bool {
        guard connection.isFresh, isRejection(errors) else { return false }
        return try await renews(connection.response, connection)
    }

    /// Renews the credential if the server closed the connection because of it, which may happen at any time, such as when it expires.
    private mutating func renews(_ closure: GraphQLSocketClosure, _ connection: OpenConnection) async throws(GraphQLError) -> Bool {
        guard closure.meaning == .rejected else { return false }
        // A silent subscription has no results that would allow another renewal.
        if let openedAt, openedAt.duration(to: target.time.instant) >= renewalPause { hasRenewed = false }
        guard !hasRenewed else { return false }
        return try await renews(closure.response, connection)
    }

    private mutating func renews(_ head: HTTPResponse<Void>?, _ connection: OpenConnection) async throws(GraphQLError) -> Bool {
        let renew = target.renew
        hasRenewed = try await call.run { () async throws(GraphQLError) in try await renew(head) }.get()
        // The renewal has taken the place of the connection as what the call cancels.
        if !hasRenewed { call.onCancel(connection.interruption) }
        return hasRenewed
    }

    // MARK: The end of a connection

    private func failed(_ error: GraphQLError) -> ConnectionStep<SubscriptionSource> {
        switch error {
        case .http(let failure): return .lost(ConnectionLoss(.failed(failure), error: error, because: error))
        case .response(let errors):
            let error = GraphQLError.response(contextualized(errors, nil))
            return .lost(ConnectionLoss(cause(of: error), error: error, because: error))
        case .closed(let closure):
            let lost = HTTPError.networkError(NetworkFailure(.connectionLost))
            return .lost(ConnectionLoss(closure.meaning == .lost ? .failed(lost) : .refused, error: error, because: error))
        default: return .lost(ConnectionLoss(.refused, error: error, because: error))
        }
    }

    /// Returns the cause of errors in place of a connection. An overloaded server may report its state as GraphQL errors.
    private func cause(of error: GraphQLError) -> ConnectionEnd.Cause {
        guard let response = error.response, response.status.kind == .serverError || response.status == .tooManyRequests else {
            return .refused
        }
        return .failed(.statusCode(response.map { _ in Data() }))
    }

    /// The stream ended before the subscription was complete, which is equivalent to a lost connection.
    private func ended(_ head: HTTPResponse<Void>?) -> ConnectionStep<SubscriptionSource> {
        let context = ErrorContext(request: head?.metadata.request, stage: .body)
        let words = Explanation("the stream ended before the subscription was complete", context: context)
        let lost = HTTPError.networkError(NetworkFailure(.connectionLost))
        let error = GraphQLError.http(.invalidResponse(words))
        return .lost(ConnectionLoss(.failed(lost), error: error, because: error))
    }

    private func context(_ response: HTTPResponse<Void>?) -> GraphQLErrorContext {
        GraphQLErrorContext(operationName: target.operationName, response: response)
    }

    /// Returns the errors with the operation and response that they belong to.
    private func contextualized(_ errors: [GraphQLResponseError], _ response: HTTPResponse<Void>?) -> [GraphQLResponseError] {
        errors.map { error in
            var context = context(error.response ?? response)
            context.hint = error.context.hint
            return error.within(context)
        }
    }

    static func failure(_ error: HTTPError) -> GraphQLError { .http(error) }
}

extension GraphQLSubscriptionSignal: ReconnectionSignal {}

extension ReconnectingLoop: SequentialReading where Source.Connection == OpenConnection, Source.Failure == GraphQLError {
    typealias Element = Source.Signal
}

extension ReconnectingLoop {
    /// Creates a loop over a subscription.
    init<D>(_ target: SubscriptionTarget, _ reading: ObservedReading) where Source == SubscriptionSource<D> {
        // A subscription only reads, so it can be sent again.
        let call = LongLivedCall(target.calls)
        self.init(
            SubscriptionSource(target, call, reading), target.options.reconnection, call: call, time: target.time, random: target.random)
    }
}

/// An open connection that is closed when this object is released.
///
/// The loop that reads it is its only owner. A timer may close it concurrently.
final class OpenConnection: Sendable {
    private let connection: any SubscriptionConnection
    private let state = Locked((isFresh: true, isSilent: false))

    init(_ connection: any SubscriptionConnection) { self.connection = connection }

    deinit { connection.close() }

    /// Closes the connection and ends a pending ``next(within:time:)``, without keeping the connection open.
    var interruption: @Sendable () -> Void { { [weak self] in self?.connection.close() } }

    /// The head of the response.
    var response: HTTPResponse<Void>? { connection.response }

    /// Whether no result has arrived yet.
    var isFresh: Bool {
        get { state.withLock { $0.isFresh } }
        set { state.withLock { $0.isFresh = newValue } }
    }

    /// Returns the next message, or nil at the end of the connection. If none arrives within the limit, closes the connection and throws
    /// `.http(.timeout)`.
    func next(within limit: Duration?, time: any TimeSource) async throws(GraphQLError) -> SubscriptionMessage? {
        let timer = limit.map { limit in
            time.timer(at: time.instant + limit) { [weak self] in self?.fallSilent() }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler { () async -> Result<SubscriptionMessage?, GraphQLError> in
            do throws(GraphQLError) { return .success(try await connection.next()) } catch { return .failure(error) }
        } onCancel: {
            connection.close()
        }
        if let limit, state.withLock({ $0.isSilent }) {
            // A message that arrived just in time is returned. The next call then throws.
            if case .success(let message?) = outcome { return message }
            let request = connection.response?.metadata.request
            throw .http(
                .timeout(
                    ErrorContext(request: request, stage: .body, detail: "no message arrived within the idle timeout of \(limit.shortText)")
                ))
        }
        return try outcome.get()
    }

    private func fallSilent() {
        state.withLock { $0.isSilent = true }
        connection.close()
    }
}
