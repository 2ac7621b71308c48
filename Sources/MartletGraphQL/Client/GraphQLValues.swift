/// An asynchronous sequence of the cached response and then the server's, as returned by `values(_:options:)`.
///
/// Nothing is sent before iteration. It throws the errors of `response(for:options:)`, after the cached response if there is one.
public typealias GraphQLValues<Data: Decodable & Sendable, Failure: Error> = ValueSequence<GraphQLResponse<Data>, Failure>

/// Reads one response.
struct SingleResponse<D: Decodable & Sendable>: SequentialReading {
    let client: any GraphQLClientProtocol
    let operation: GraphQLOperation<D>
    let options: GraphQLCallOptions
    private(set) var isGiven = false

    mutating func next() async throws(GraphQLError) -> GraphQLResponse<D>? {
        if isGiven { return nil }
        isGiven = true
        var options = options
        options.reception = .result
        return try await client.response(for: operation, options: options).applying(options.errorPolicy.of(client: client.errorPolicy))
    }
}

/// Reads the cached response, and then the server's.
struct CachedThenFresh<D: Decodable & Sendable>: SequentialReading {
    enum Step { case kept, server, end }

    let client: GraphQLClient
    let operation: GraphQLOperation<D>
    let options: GraphQLCallOptions
    private(set) var step = Step.kept

    mutating func next() async throws(GraphQLError) -> GraphQLResponse<D>? {
        if step == .end { return nil }
        if step == .kept {
            step = .server
            if let kept = try await kept() { return kept }
        }
        step = .end
        var options = options
        options.reception = .result
        if (options.cachePolicy ?? .cacheAndNetwork) == .cacheAndNetwork { options.cachePolicy = .networkOnly }
        return try await client.response(for: operation, options: options).applying(options.errorPolicy.of(client: client.errorPolicy))
    }

    private func kept() async throws(GraphQLError) -> GraphQLResponse<D>? {
        guard (options.cachePolicy ?? .cacheAndNetwork) == .cacheAndNetwork, let cache = client.configuration.cache else { return nil }
        let call = try OperationCall(operation.erased, options, client.configuration)
        guard call.definition.kind == .query, let key = await client.cacheKey(of: call) else { return nil }
        return client.kept(key, of: call, cache, freshOnly: false)
    }
}

extension GraphQLClient {
    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's.
    public func values<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLValues<D, GraphQLError> {
        GraphQLValues(CachedThenFresh(client: self, operation: operation, options: options))
    }
}
