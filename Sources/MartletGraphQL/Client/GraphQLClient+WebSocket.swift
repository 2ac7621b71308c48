internal import MartletEssentials

// Queries and mutations over the WebSocket of subscriptions.

extension GraphQLClient {
    /// Sends an operation over a WebSocket, and returns its result as a response over HTTP would contain it.
    ///
    /// An operation is sent once. Only if the server rejects the credential, it is sent again with a new one: a query always, a mutation
    /// if it was not sent yet.
    func exchange(
        _ call: OperationCall, over transport: WebSocketSubscriptionTransport, within timeout: Duration?
    ) async throws(GraphQLError) -> HTTPResponse<Data> {
        let isQuery = call.definition.kind == .query, time = client.time
        defer { if !isQuery { shared.mutationCount.withLock { $0 += 1 } } }
        let limits = call.options.call.limits ?? client.configuration.limits
        var headers = call.options.headers
        headers.addMissing(configuration.headers)
        let post = GraphQLEndpoint([call.operation], target: target, headers: headers, timeout: timeout, options: call.options.call)
        var request = SubscriptionRequest(
            operation: call.operation, payload: call.payload.json, maxMessageBytes: limits.bodyBytes, client: client, post: post,
            owner: shared, scope: configuration.scope)
        request.observed = call.observed
        request.maxSharedMessageBytes = maxSharedMessageBytes
        let sent = request
        let run = { @Sendable () async throws(HTTPError) -> Result<HTTPResponse<Data>, GraphQLError> in
            try await TaskDeadline.bound(time: time) { () async throws(HTTPError) in
                do throws(GraphQLError) { return .success(try await SocketExchange(transport, sent, isQuery).run()) } catch {
                    return .failure(error)
                }
            }
        }
        let outcome: Result<HTTPResponse<Data>, GraphQLError>
        do throws(HTTPError) {
            if let total = timeout ?? client.configuration.totalTimeout {
                outcome = try await race(run, until: time.instant + total, time: time) {
                    ErrorContext(stage: .exchange, detail: "no result over the WebSocket within \(total.shortText)")
                }
            } else {
                outcome = try await run()
            }
        } catch { throw .http(error) }
        return try outcome.get()
    }
}

extension GraphQLClient {
    /// The maximum size of a message on a WebSocket that queries and mutations share with subscriptions. Each operation has its own limit
    /// too, which fails it alone.
    var maxSharedMessageBytes: Int? {
        configuration.webSocket.map { _ in max(configuration.subscriptions.maxMessageBytes, client.configuration.limits.bodyBytes) }
    }
}

/// One query or mutation over a WebSocket.
private struct SocketExchange {
    private let transport: WebSocketSubscriptionTransport
    private let request: SubscriptionRequest
    private let isQuery: Bool

    init(_ transport: WebSocketSubscriptionTransport, _ request: SubscriptionRequest, _ isQuery: Bool) {
        self.transport = transport
        self.request = request
        self.isQuery = isQuery
    }

    func run() async throws(GraphQLError) -> HTTPResponse<Data> {
        var wasSent = false
        let failure: GraphQLError
        do throws(GraphQLError) {
            let operation = try await transport.connect(request)
            wasSent = true
            return try await result(of: operation)
        } catch { failure = error }
        guard isQuery || !wasSent, try await renews(after: failure) else { throw failure }
        return try await result(of: try await transport.connect(request))
    }

    private func renews(after error: GraphQLError) async throws(GraphQLError) -> Bool {
        guard case .closed(let closure) = error, closure.meaning == .rejected, let metadata = closure.response?.metadata else {
            return false
        }
        return try await metadata.renewCredential(time: request.client.time)
    }

    private func result(of operation: any SubscriptionConnection) async throws(GraphQLError) -> HTTPResponse<Data> {
        defer { operation.close() }
        while true {
            let message = await withTaskCancellationHandler { () async -> Result<SubscriptionMessage?, GraphQLError> in
                do throws(GraphQLError) { return .success(try await operation.next()) } catch { return .failure(error) }
            } onCancel: {
                operation.close()
            }
            switch try message.get() {
            case .next(let json): return response(json, operation)
            case .error(let errors): return response(JSONValue.object(["errors": JSONValue(errors.map(\.json))]).json, operation)
            case .complete, nil:
                throw .http(
                    .noData(Explanation("the server completed the operation without a result", context: ErrorContext(stage: .body))))
            default: continue
            }
        }
    }

    private func response(_ json: Data, _ operation: any SubscriptionConnection) -> HTTPResponse<Data> {
        var response = HTTPResponse(status: .ok, headers: [.contentType: GraphQLMedia.response], body: json)
        if let metadata = operation.response?.metadata { response.metadata = metadata }
        return response
    }
}

extension GraphQLResponseError {
    /// The error as a response contains it.
    fileprivate var json: JSONValue {
        var members: JSONObject = ["message": JSONValue(message)]
        if !path.isEmpty {
            members["path"] = JSONValue(
                path.map { segment in
                    switch segment {
                    case .field(let name): JSONValue(name)
                    case .index(let index): JSONValue(index)
                    }
                })
        }
        if !locations.isEmpty {
            members["locations"] = JSONValue(locations.map { ["line": JSONValue($0.line), "column": JSONValue($0.column)] })
        }
        if !extensions.isEmpty {
            var object = JSONObject()
            for (name, value) in extensions { object[name] = value }
            members["extensions"] = .object(object)
        }
        return .object(members)
    }
}
