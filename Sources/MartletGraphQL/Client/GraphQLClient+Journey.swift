internal import MartletEssentials

// The journey of an operation:
//
//     operation → validated → cached? → merged with an identical query in flight → sent as text, hash or ID → by POST or GET → HTTP client
//        result ← sent once more if its credential is rejected ← read by the rules of its media type ← HTTPResponse

extension GraphQLClient {
    /// Sends a query or a mutation and returns its data, the server's errors, which are not thrown, the extensions and the HTTP response.
    @concurrent public func response<D>(
        for operation: GraphQLOperation<D>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        // Without observers, no frames of `observing`, each of which looks up the metadata of the response.
        guard let observed = observe([operation.erased], options) else { return try await response(for: operation, options, nil) }
        return try await observing(observed, options) { () async throws(GraphQLError) in
            try await response(for: operation, options, observed)
        }
    }

    private func response<D>(
        for operation: GraphQLOperation<D>, _ options: GraphQLCallOptions, _ observed: ObservedCall?
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        var call = try OperationCall(operation.erased, options, configuration)
        call.observed = observed
        guard let cache = configuration.cache else {
            if options.cachePolicy == .cacheOnly { throw .notCached }
            return try await ask(call).response
        }
        return try await response(to: call, through: cache)
    }

    /// Sends an operation, as one call; returns the response and its bytes.
    func ask<D: Decodable & Sendable>(_ call: OperationCall) async throws(GraphQLError) -> (
        response: GraphQLResponse<D>, bytes: HTTPResponse<Data>
    ) {
        guard waitsOnlyForRequests, let ticket = try beginCall() else {
            return try await asOneCall { () async throws(GraphQLError) in try await exchanged(call, partsOf: nil) }
        }
        defer { ticket.end() }
        return try await exchanged(call, partsOf: ticket)
    }

    /// Whether an operation waits for nothing but requests of its HTTP client, which are cancelled with it, and renewals. It then needs no
    /// task of its own.
    private var waitsOnlyForRequests: Bool {
        configuration.webSocket == nil && configuration.scope == nil && configuration.deduplicatesQueries != true && client is HTTPClient
    }

    private func beginCall() throws(GraphQLError) -> CallTicket? {
        do throws(HTTPError) { return try calls?.beginCall() } catch { throw .http(error) }
    }

    /// Runs everything an operation needs (its requests and the renewal of its credential) as one call: `cancelAll()` stops all of it, and
    /// a drain waits for it and counts it once.
    func asOneCall<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(GraphQLError) -> Value
    ) async throws(GraphQLError) -> Value {
        guard let ticket = try beginCall() else { return try await operation() }
        defer { ticket.end() }
        return try await ticket.run(operation).get()
    }

    /// Sends an operation, and once more if its credential was renewed. `ticket` is that of the call if it has no task of its own.
    private func exchanged<D: Decodable & Sendable>(
        _ call: OperationCall, partsOf ticket: CallTicket?
    ) async throws(GraphQLError) -> (response: GraphQLResponse<D>, bytes: HTTPResponse<Data>) {
        let first = try await answer(to: call, within: call.options.timeout, isAgain: false, partsOf: ticket)
        let response = try read(first, of: call, as: D.self)
        let refusal = call.refusal(response.result.errors, hasData: response.result.data != nil || response.hasUnreadData)
        guard try await isToBeSentAgain(refusal, first.metadata, partsOf: ticket) else { return (response, first) }
        let left = try first.metadata.timeLeft(of: call.options.timeout, time: client.time)
        let second = try await answer(to: call, within: left, isAgain: true, partsOf: ticket)
        return (try read(second, of: call, as: D.self), second)
    }

    func read<D: Decodable & Sendable>(_ bytes: HTTPResponse<Data>, of call: OperationCall, as type: D.Type) throws(GraphQLError)
        -> GraphQLResponse<D>
    {
        try GraphQLResponseReader.read(bytes, as: type, operationName: call.operation.operationName, decoder: decoder)
    }

    /// Renews the credential if the response rejects it. Returns whether to send the request again with a new credential.
    ///
    /// - Throws: `.http(.authenticationFailed)` when no new credential can be obtained.
    func isToBeSentAgain(
        _ refusal: AuthRenewal.Refusal, _ metadata: ResponseMetadata, partsOf ticket: CallTicket? = nil
    ) async throws(GraphQLError) -> Bool {
        try await AuthRenewal.isToBeSentAgain(refusal) { () throws(GraphQLError) in
            guard let ticket else { return try await metadata.renewCredential(time: client.time) }
            return try await ticket.run { [time = client.time] () async throws(GraphQLError) in
                try await metadata.renewCredential(time: time)
            }.get()
        }
    }

    /// Returns the bytes of a response. In the caller's task, the requests for them are parts of its call.
    private func answer(
        to call: OperationCall, within timeout: Duration?, isAgain: Bool, partsOf ticket: CallTicket?
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        guard let ticket else { return try await answer(to: call, within: timeout, isAgain: isAgain) }
        return try await ticket.runInCaller { () async throws(GraphQLError) in
            try await answer(to: call, within: timeout, isAgain: isAgain)
        }
    }

    /// Returns the response to an operation, or to an identical one in flight.
    private func answer(
        to call: OperationCall, within timeout: Duration?, isAgain: Bool
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        let changes = [shared.mutationCount.withLock { $0 }, configuration.cache?.lastInvalidation ?? 0]
        guard configuration.deduplicatesQueries ?? (configuration.scope != nil),
            configuration.scope != nil || !shared.hasUnseenCredentials.withLock({ $0 }),
            let key = await call.key(headers: headers(call.options), scope: configuration.scope, since: changes, isAgain: isAgain)
        else {
            return try await exchange(call, within: timeout)
        }
        // Checked before the request is sent.
        if Task.isCancelled { throw .http(.cancelled) }
        let began = client.time.instant
        let total = timeout ?? client.configuration.totalTimeout
        func left() -> Duration? { total.map { $0 - began.duration(to: client.time.instant) } }
        var (outcome, hasJoined) = await joinOrStart(call, key, within: timeout)
        // The joined request started earlier: it may time out while this call still has time left.
        if hasJoined, case .failure(.http(.timeout)) = outcome, let left = left(), left > .zero {
            (outcome, hasJoined) = await joinOrStart(call, key, within: left)
        }
        guard hasJoined, isAnothers(outcome, call) else { return try outcome.get() }
        shared.hasUnseenCredentials.withLock { $0 = true }
        let left = left()
        if let left, left <= .zero { throw .http(.timeout) }
        return try await exchange(call, within: left ?? timeout)
    }

    /// Whether the outcome of a shared request may belong to another user. The key does not tell users apart without a scope.
    private func isAnothers(_ outcome: Result<HTTPResponse<Data>, GraphQLError>, _ call: OperationCall) -> Bool {
        switch outcome {
        case .success(let response): !isAttributed(response.metadata, to: call)
        case .failure(.http(.authenticationFailed)): configuration.scope == nil
        case .failure: false
        }
    }

    private func joinOrStart(
        _ call: OperationCall, _ key: QueryKey, within timeout: Duration?
    ) async -> (outcome: Result<HTTPResponse<Data>, GraphQLError>, hasJoined: Bool) {
        let (result, hasJoined) = await shared.flights.outcome(for: key) { try await exchange(call, within: timeout) }
        // The only other error is the cancellation of this caller.
        return (result.mapError { $0 as? GraphQLError ?? .http(.cancelled) }, hasJoined)
    }

    /// Sends an operation: with its hash first if automatic persisted queries are on, otherwise as configured.
    private func exchange(_ call: OperationCall, within timeout: Duration?) async throws(GraphQLError) -> HTTPResponse<Data> {
        if let transport = configuration.webSocket, call.payload.uploads.isEmpty {
            return try await exchange(call, over: transport, within: timeout)
        }
        let memory = shared.persistedQueries, kind = call.definition.kind
        guard case .automatic(let getsHashes, let pause) = configuration.persistedQueries.mode, call.payload.uploads.isEmpty,
            !memory.wantsText(of: kind, at: client.time.instant)
        else { return try await send(call, byGET: call.isAskedByGET, within: timeout) }
        let hash = memory.hash(of: call.operation.document.text)
        let isGET = call.isAskedByGET || getsHashes && kind == .query
        let answer = try await send(call, .hash(hash), byGET: isGET, within: timeout)
        func left() throws(GraphQLError) -> Duration? { try answer.metadata.timeLeft(of: timeout, time: client.time) }
        switch PersistedQueryOutcome.of(answer, to: kind, isConfirmed: memory.isConfirmed, decoder: decoder) {
        case .data:
            memory.confirm()
            return answer
        case .other: return answer
        case .ambiguous:
            memory.doubt()
            return answer
        case .unknown:
            memory.confirm()
            return try await send(call, .textAndHash(hash), byGET: false, within: try left())
        case .unsupported:
            memory.refuse(until: client.time.instant + pause)
            return try await send(call, byGET: call.isAskedByGET, within: try left())
        case .rejected:
            let second = try await send(call, byGET: call.isAskedByGET, within: try left())
            if PersistedQueryOutcome.hasData(second, decoder: decoder) { memory.refuse(until: client.time.instant + pause) }
            return second
        }
    }

    /// Sends an operation once. `form` says how its document is identified; nil means the call's own form.
    private func send(
        _ call: OperationCall, _ form: DocumentForm? = nil, byGET: Bool, within timeout: Duration?
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        let payload = OperationPayload(call.operation, form ?? call.form, extensions: call.options.extensions)
        var endpoint = endpoint([call.operation], call.options, call.observed)
        endpoint.timeout = timeout
        if byGET {
            try endpoint.get(payload, encoder: configuration.encoder)
            if isShortEnough(endpoint) { return try await perform(endpoint) }
            endpoint = self.endpoint([call.operation], call.options, call.observed)
            endpoint.timeout = timeout
        }
        endpoint.post(form == nil ? call.payload : try payload.encoded(with: configuration.encoder))
        return try await perform(endpoint, uploading: call.payload.uploads.isEmpty ? nil : call.options.uploadProgress)
    }

    private func isShortEnough(_ endpoint: GraphQLEndpoint) -> Bool {
        let request = try? endpoint.request(baseURL: client.baseURL, accept: "*/*", encoder: .json, examinesFiles: false)
        // A request that cannot be built fails when it is sent.
        return (request?.url.absoluteString.utf8.count ?? 0) <= configuration.maxGETBytes
    }

    /// Sends a finished request.
    func perform(
        _ endpoint: GraphQLEndpoint, uploading onProgress: (@Sendable @isolated(any) (TransferProgress) -> Void)? = nil
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        defer { if endpoint.operations.contains(where: { $0.kind == .mutation }) { shared.mutationCount.withLock { $0 += 1 } } }
        do throws(HTTPError) {
            guard let onProgress else { return try await client.response(for: endpoint) }
            return try await client.uploadResponse(endpoint, onProgress: onProgress)
        } catch { throw .http(error) }
    }

    /// Returns a request for operations without their parameters.
    func endpoint(_ operations: [AnyGraphQLOperation], _ options: GraphQLCallOptions, _ observed: ObservedCall?) -> GraphQLEndpoint {
        GraphQLEndpoint(
            operations, target: target, headers: headers(options), timeout: options.timeout, options: options.call.observed(by: observed))
    }

    func headers(_ options: GraphQLCallOptions) -> HTTPFields {
        var headers = options.headers
        headers.addMissing(configuration.headers)
        headers.addMissing(GraphQLMedia.acceptField)
        return headers
    }
}
