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
    func observing<Value: Sendable>(
        _ observed: ObservedCall?, head: (Value) -> HTTPResponse<Void>?,
        _ run: () async throws(GraphQLError) -> Value
    ) async throws(GraphQLError) -> Value {
        guard let observed else { return try await run() }
        do throws(GraphQLError) {
            let value = try await run()
            observed.ended(.success(head(value)))
            return value
        } catch {
            observed.ended(.failure(error.observed))
            throw error
        }
    }
}

extension AnyGraphQLOperation {
    /// The operation as observers of calls get it.
    package var callOperation: (name: String?, type: String) { (operationName, kind?.rawValue ?? "operation") }
}

extension ObservedReading {
    /// Reads the next element, and reports an error or the end.
    func next<Element>(_ read: () async throws(GraphQLError) -> Element?) async throws(GraphQLError) -> Element? {
        do throws(GraphQLError) {
            let element = try await read()
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
        case .http(let error): error
        case .response: .invalidResponse(HTTPError.Explanation(description, context: ErrorContext(request: response?.metadata.request)))
        case .invalidDocument, .invalidOperation, .notCached: .invalidRequest(HTTPError.Explanation(description))
        }
    }
}
