extension GraphQLClient {
    /// The answer that is kept, whatever its age, and then the server's: a view shows the first at once, and the second when it comes.
    ///
    /// ```swift
    /// for try await response in graphQL.values(of: HeroQuery(id: "1")) { show(response.result, isOld: response.source != .server) }
    /// ```
    ///
    /// With another policy than `.cacheAndNetwork`, the call's or the client's, it is the one answer that the policy gives; without a cache, the
    /// server's. Nothing is asked before it is iterated. Throws what ``response(for:options:)`` throws, after the kept answer if there was one.
    ///
    /// - Parameters:
    ///   - operation: a query.
    ///   - options: of the call. Its policy is `.cacheAndNetwork` unless it says otherwise.
    public func values<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLValues<Data> {
        GraphQLValues(client: self, operation: operation, options: options)
    }

    /// The answer that is kept, and then the server's, to a query that is a type of its own.
    public func values<Query: GraphQLQuery>(
        of query: Query, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLValues<Query.Data> {
        values(of: query.operation, options: options)
    }
}

/// The answer that is kept, and then the server's: what `values(of:options:)` gives.
public struct GraphQLValues<Data: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An answer, which says where it is from.
    public typealias Element = GraphQLResponse<Data>

    let client: GraphQLClient
    let operation: GraphQLOperation<Data>
    let options: GraphQLCallOptions

    /// Begins with the kept answer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

    /// The answers, one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Step { case kept, server, end }

        fileprivate let sequence: GraphQLValues
        private var step = Step.kept

        fileprivate init(sequence: GraphQLValues) { self.sequence = sequence }

        /// The next answer; nil after the server's.
        public mutating func next() async throws(GraphQLError) -> GraphQLResponse<Data>? {
            let client = sequence.client
            var options = sequence.options
            switch step {
            case .end: return nil
            case .kept:
                step = .server
                let policy = options.cache.policy ?? .cacheAndNetwork
                guard policy == .cacheAndNetwork, let cache = client.configuration.cache else { return try await answer(options) }
                let call = try OperationCall(sequence.operation.erased, options, client.configuration)
                guard call.definition.kind == .query, let key = await client.cacheKey(of: call),
                    let kept: GraphQLResponse<Data> = client.kept(key, of: call, cache, freshOnly: false)
                else { return try await fromServer(&options) }
                return kept
            case .server: return try await fromServer(&options)
            }
        }

        private mutating func fromServer(_ options: inout GraphQLCallOptions) async throws(GraphQLError) -> GraphQLResponse<Data> {
            options.cache.policy = .networkOnly
            return try await answer(options)
        }

        private mutating func answer(_ options: GraphQLCallOptions) async throws(GraphQLError) -> GraphQLResponse<Data> {
            step = .end
            return try await sequence.client.response(for: sequence.operation, options: options)
        }
    }
}
