/// Sends operations: what `GraphQLClient` and its doubles have in common, and what services take, so that tests can hand them a double.
///
/// ```swift
/// struct HeroRepository {
///     let graphQL: any GraphQLClientProtocol
///     func hero(_ id: GraphQLID) async throws(GraphQLError) -> Hero? { try await graphQL.execute(HeroQuery(id: id)).hero }
/// }
/// ```
///
/// An implementation writes ``response(for:options:)``; every other way of asking comes with it.
public protocol GraphQLClientProtocol: Sendable {
    /// What errors beside data mean where a call does not say it. Default: `.standard`, `execute` throws them and `result(of:)` gives both.
    var errorPolicy: ErrorPolicy { get }

    /// The running calls of the client, on which ``cancelAll()`` and ``drain(within:)`` act. Default: nil, which makes both do nothing.
    var calls: CallGroup? { get }

    /// The time source for the limit of ``drain(within:)``. Default: the system's.
    var time: any TimeSource { get }

    /// Sends a query or a mutation and gives the whole answer: result, extensions, status and fields.
    ///
    /// The result is as the server sent it, whatever the error policy. Throws `.http`, `.invalidDocument` and `.invalidOperation`; the
    /// server's errors are part of the result.
    @concurrent func response<Data>(
        for operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Data>

    /// The growing answer to a query or a mutation with `@defer` or `@stream`. Default: one update, of ``response(for:options:)``.
    ///
    /// Each update's result is as the error policy sees it, as with `result(of:)`. What it throws: see ``GraphQLUpdateSequence``.
    func updates<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data>

    /// The results of a subscription as they arrive. Default: one that throws `.invalidOperation`, for clients that have none.
    ///
    /// Each result is as the error policy sees it, as with `result(of:)`. What it throws, and when the connection is made again: see
    /// ``GraphQLSubscriptionSequence``.
    func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<
        Data, GraphQLError
    >

    /// The answer that is kept, whatever its age, and then the server's: a view shows the first at once, and the second when it comes. Default:
    /// the one answer of ``response(for:options:)``.
    ///
    /// ```swift
    /// for try await response in graphQL.values(HeroQuery(id: "1")) { show(response.result, isOld: response.source != .server) }
    /// ```
    ///
    /// With another policy than `.cacheAndNetwork` in the call's options it is the one answer that the policy gives; without a cache, the
    /// server's.
    func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data>

    /// Sends the operations of a batch and fills the places of their outcomes. Default: one after the other.
    ///
    /// It is called by `batch(_:options:)`. Throws what concerns all of them; what one alone fails with is its outcome.
    @concurrent func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError)
}

extension GraphQLClientProtocol {
    /// `execute` throws errors beside data, and `result(of:)` gives both.
    public var errorPolicy: ErrorPolicy { .standard }

    /// One update, of ``response(for:options:)``.
    public func updates<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data> {
        GraphQLUpdateSequence {
            let reading = Reading(SingleResponse(client: self, operation: operation, options: options))
            return { () async throws(GraphQLError) in
                guard let response = try await reading.next() else { return nil }
                return GraphQLUpdate(result: response.result, extensions: response.extensions)
            }
        }
    }

    /// One after the other.
    @concurrent public func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
        await batch.askOneByOne(self, options: options)
    }

    /// The one answer of ``response(for:options:)``.
    public func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data> {
        GraphQLValues(SingleResponse(client: self, operation: operation, options: options))
    }

    /// The answer that is kept, and then the server's.
    public func values<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLValues<Data> {
        values(operation, options: GraphQLCallOptions())
    }

    /// The answer that is kept, and then the server's, to a query that is a type of its own.
    public func values<Query: GraphQLQuery>(_ query: Query, options: GraphQLCallOptions = GraphQLCallOptions()) -> GraphQLValues<
        Query.Data
    > {
        values(query.operation, options: options)
    }

    /// Throws `.invalidOperation` when it is iterated.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<
        Data, GraphQLError
    > {
        GraphQLSubscriptionSequence([], failure: .invalidOperation(Explanation("\(Self.self) has no subscriptions")))
    }

    /// The results of a subscription as they arrive.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLSubscriptionSequence<Data, GraphQLError> {
        subscribe(operation, options: GraphQLCallOptions())
    }

    /// The results of a subscription that is a type of its own, as they arrive.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data, GraphQLError> {
        subscribe(subscription.operation, options: options)
    }

    /// The growing answer to a query or a mutation with `@defer` or `@stream`.
    public func updates<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLUpdateSequence<Data> {
        updates(operation, options: GraphQLCallOptions())
    }

    /// The growing answer to a query or a mutation that is a type of its own, with `@defer` or `@stream`.
    public func updates<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLUpdateSequence<Operation.Data> {
        updates(operation.operation, options: options)
    }

    /// Sends a query or a mutation and gives its data.
    ///
    /// Throws `.response` with the server's errors, also when there is data beside them, unless the error policy says otherwise; and what
    /// ``response(for:options:)`` throws.
    @concurrent public func execute<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Data {
        try await response(for: operation, options: options).result.get(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends a query or a mutation that is a type of its own, and gives its data.
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Operation.Data {
        try await execute(operation.operation, options: options)
    }

    /// Sends an operation whose data may be ignored.
    @discardableResult
    @concurrent public func execute(
        _ operation: GraphQLOperation<EmptyResponse>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> EmptyResponse {
        try await response(for: operation, options: options).result.get(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends an operation that is a type of its own, and whose data may be ignored: `typealias Data = EmptyResponse`.
    @discardableResult
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> EmptyResponse where Operation.Data == EmptyResponse {
        try await execute(operation.operation, options: options)
    }

    /// Sends a query or a mutation and gives data, errors, or both.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResult<Data> {
        try await response(for: operation, options: options).result.applying(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends a query or a mutation that is a type of its own, and gives data, errors, or both.
    @concurrent public func result<Operation: GraphQLOperationDefinition>(
        of operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResult<Operation.Data> {
        try await result(of: operation.operation, options: options)
    }

    /// Sends a query or a mutation and gives the whole answer: result, extensions, status and fields.
    @concurrent public func response<Data>(
        for operation: GraphQLOperation<Data>
    ) async throws(GraphQLError) -> GraphQLResponse<Data> {
        try await response(for: operation, options: GraphQLCallOptions())
    }

    /// Sends a query or a mutation that is a type of its own, and gives the whole answer.
    @concurrent public func response<Operation: GraphQLOperationDefinition>(
        for operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResponse<Operation.Data> {
        try await response(for: operation.operation, options: options)
    }
}
