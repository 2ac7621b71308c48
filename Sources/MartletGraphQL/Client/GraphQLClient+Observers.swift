internal import MartletEssentials

// Observers see an operation, a batch, or a sequence of results as one call, whatever requests it needs.

extension GraphQLClient {
    /// Begins the observation of a call, or returns nil without observers.
    func observe(_ operations: [AnyGraphQLOperation], _ options: GraphQLCallOptions) -> ObservedCall? {
        guard !client.observers.isEmpty else { return nil }
        let endpoint = GraphQLEndpoint(operations, target: target, headers: [:], timeout: nil, options: options.call)
        return client.observe(.graphQL, endpoint, CallOptions(), operations: operations.map(\.callOperation))
    }

    /// Runs an operation or a batch as one call for observers.
    ///
    /// - Parameter end: Ends the call with what its caller gets.
    func observing<Value: Sendable>(
        _ observed: ObservedCall?, end: (ObservedCall, Value) -> Void, _ run: () async throws(GraphQLError) -> Value
    ) async throws(GraphQLError) -> Value {
        guard let observed else { return try await run() }
        do throws(GraphQLError) {
            let value = try await run()
            end(observed, value)
            return value
        } catch {
            observed.ended(.failure(error.observed))
            throw error
        }
    }

    /// Runs an operation as one call for observers.
    func observing<D>(
        _ observed: ObservedCall?, _ options: GraphQLCallOptions, _ run: () async throws(GraphQLError) -> GraphQLResponse<D>
    ) async throws(GraphQLError) -> GraphQLResponse<D> {
        try await observing(observed, end: { $0.ended($1, options, errorPolicy) }, run)
    }
}

extension ObservedCall {
    /// Ends the call with what its caller gets of a response: data, beside which errors are noted, or errors.
    ///
    /// - Parameter policy: The policy of the client.
    package func ended<D>(_ response: GraphQLResponse<D>, _ options: GraphQLCallOptions, _ policy: ErrorPolicy) {
        let errors = response.result.errors
        if errors.isEmpty { return ended(.success(response.http)) }
        if options.receives(response.result, policy) == nil { return ended(.failure(GraphQLError.response(errors).observed)) }
        noteErrorsBesideData(GraphQLError.text(of: errors))
        ended(.success(response.http))
    }

    /// Ends the call with what its caller gets of a batch, which fails if all of its operations fail.
    func ended(_ head: HTTPResponse<Void>?, _ slots: [any BatchSlot]) {
        let failures = slots.compactMap(\.failure), errors = slots.flatMap(\.errors)
        if let first = failures.first, failures.count == slots.count {
            return ended(.failure((errors.isEmpty ? first : .response(errors)).observed))
        }
        let words = errors.isEmpty ? failures.first.map { "\($0)" } : GraphQLError.text(of: errors)
        if let words { noteErrorsBesideData(words) }
        ended(.success(head))
    }

    /// Notes errors that do not make the call fail.
    private func noteErrorsBesideData(_ words: String) { record.note("\(CallTrace.errorsBesideData): \(words)") }
}

extension GraphQLCallOptions {
    /// What the caller of an operation receives of its result.
    enum Reception: Sendable {
        /// The unchanged result: `response(for:options:)`.
        case response
        /// The result after the error policy: `result(of:)`.
        case result
        /// Data or an error: `execute`.
        case data
    }

    /// Returns the data that the caller receives of a result, or nil if it receives errors only.
    func receives<D>(_ result: GraphQLResult<D>, _ client: ErrorPolicy) -> D? {
        let policy = errorPolicy.of(client: client)
        switch reception {
        case .response: return result.data
        case .result: return result.applying(policy).data
        case .data: return try? result.get(policy)
        }
    }
}

extension AnyGraphQLOperation {
    /// The operation as observers of calls get it.
    package var callOperation: CallInfo.Operation { CallInfo.Operation(name: operationName, type: kind?.rawValue ?? "operation") }
}

extension ObservedReading {
    /// Reads the next element, and reports an error or the end.
    ///
    /// - Parameter result: Returns the result in an element, or nil. If the last one has no data, the call fails.
    func next<Element, D>(
        result: (Element) -> GraphQLResult<D>?, _ read: () async throws(GraphQLError) -> Element?
    ) async throws(GraphQLError) -> Element? {
        do throws(GraphQLError) {
            let element = try await read()
            if let element, isObserved, let result = result(element) {
                received(result.data == nil ? GraphQLError.response(result.errors).observed : nil)
            }
            if element == nil { finished() }
            return element
        } catch {
            failed(error.observed)
            throw error
        }
    }
}

extension GraphQLError {
    /// The error as observers of HTTP calls get it.
    package var observed: HTTPError {
        switch self {
        case .http(let error): return error
        case .response(let errors):
            let context = ErrorContext(request: response?.metadata.request, stage: .validation, underlying: self)
            return .invalidResponse(HTTPError.Explanation(GraphQLError.text(of: errors), context: context))
        case .closed(let closure):
            let context = ErrorContext(request: response?.metadata.request, stage: .body, underlying: self)
            return .networkError(NetworkFailure(.connectionLost, "the server closed the WebSocket with \(closure)", context: context))
        case .invalidDocument, .invalidOperation, .notCached: return .invalidRequest(HTTPError.Explanation(description))
        }
    }
}

// The names of `.response`, the only case that is an underlying error of `observed`.
extension GraphQLError: FailureAboveHTTP, APIErrorSource {
    package var title: String { "GraphQL errors" }
    package var caseName: String { "graphQLErrors" }
    package var metricLabel: String { "graphql" }
    package var head: HTTPResponse<Void>? { response }
    package var apiError: APIError { GraphQLErrorMapper().map(self) }
}
