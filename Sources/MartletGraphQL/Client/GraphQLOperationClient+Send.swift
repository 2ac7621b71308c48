// Each method exists for an operation that is a value, so that users' static members work (`execute(.hero)`), and for one that is a type.

extension GraphQLOperationClient {
    // MARK: Data or an error

    /// Sends a query or a mutation and returns its data, or throws the server's errors, unless the error policy allows them.
    ///
    /// - Throws: The client's error for `.response` with the server's errors, even if there is data beside them, unless the error policy
    ///   allows it. Also the errors of ``response(for:options:)``.
    @concurrent public func execute<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> Data {
        try await data(of: operation, options)
    }

    /// Sends an operation defined as a type and returns its data, or throws the server's errors, unless the error policy allows them.
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> Operation.Data {
        try await data(of: operation.operation, options)
    }

    /// Sends an operation whose data is not needed, and throws the server's errors; the result can be discarded.
    @discardableResult
    @concurrent public func execute(
        _ operation: GraphQLOperation<EmptyResponse>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> EmptyResponse {
        try await data(of: operation, options)
    }

    /// Sends an operation defined as a type, ignores its data (`typealias Data = EmptyResponse`), and throws the server's errors.
    @discardableResult
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> EmptyResponse where Operation.Data == EmptyResponse {
        try await data(of: operation.operation, options)
    }

    private func data<Data>(of operation: GraphQLOperation<Data>, _ options: GraphQLCallOptions) async throws(Failure) -> Data {
        let result = try await response(for: operation, options: options).result
        do throws(GraphQLError) { return try result.get(options.errorPolicy.of(client: errorPolicy)) } catch { throw failure(for: error) }
    }

    // MARK: Data and errors

    /// Sends a query or a mutation and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResult<Data> {
        try await response(for: operation, options: options).result.applying(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Operation: GraphQLOperationDefinition>(
        of operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResult<Operation.Data> {
        try await result(of: operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, the server's errors, which are not thrown, the extensions and the HTTP response.
    @concurrent public func response<Data>(for operation: GraphQLOperation<Data>) async throws(Failure) -> GraphQLResponse<Data> {
        try await response(for: operation, options: GraphQLCallOptions())
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, which are not thrown, extensions and HTTP response.
    @concurrent public func response<Operation: GraphQLOperationDefinition>(
        for operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResponse<Operation.Data> {
        try await response(for: operation.operation, options: options)
    }

    // MARK: Sequences

    /// Returns a sequence of a subscription's results, as they arrive.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLSubscriptionSequence<Data, Failure> {
        subscribe(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the results of a subscription defined as a type, as they arrive.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data, Failure> {
        subscribe(subscription.operation, options: options)
    }

    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far.
    public func updates<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLUpdateSequence<Data, Failure> {
        updates(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the updates of an operation defined as a type, with `@defer` or `@stream`, each with all data received so far.
    public func updates<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLUpdateSequence<Operation.Data, Failure> {
        updates(operation.operation, options: options)
    }

    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's.
    public func values<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLValues<Data, Failure> {
        values(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the cached response to a query defined as a type, whatever its age, if there is one, and then of the server's.
    public func values<Query: GraphQLQuery>(
        _ query: Query, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLValues<Query.Data, Failure> {
        values(query.operation, options: options)
    }

    // MARK: Ending calls

    /// Cancels the running calls, so that operations, updates and subscriptions throw the client's error for `.http(.cancelled)`. Returns
    /// immediately; new calls work.
    ///
    /// A `GraphQLClient` acts on its HTTP client, so calls that are made through the HTTP client directly are cancelled too. See
    /// `EndpointClient.cancelAll()`.
    public func cancelAll() { calls?.cancelAll() }

    /// Refuses new calls, waits for the running calls, and cancels calls that still run after `limit`. New calls throw the client's
    /// error for `.http(.draining)`.
    ///
    /// A `GraphQLClient` acts on its HTTP client: see `EndpointClient.drain(within:)`.
    ///
    /// - Parameter limit: The time for the running calls, measured by the client's ``time``. Zero or less cancels them immediately.
    /// - Returns: The number of calls that finished and the number of calls that were cancelled.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary {
        await calls?.drain(within: limit, time: time) ?? DrainSummary()
    }
}
