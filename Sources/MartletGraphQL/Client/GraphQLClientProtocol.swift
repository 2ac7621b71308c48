/// The common interface of GraphQL clients, on which services depend, so that tests can pass a mock in place of `GraphQLClient`.
///
/// ```swift
/// struct HeroRepository {
///     let graphQL: any GraphQLClientProtocol
///     func hero(_ id: GraphQLID) async throws(GraphQLError) -> Hero? { try await graphQL.execute(HeroQuery(id: id)).hero }
/// }
/// ```
///
/// An implementation provides ``response(for:options:)``. All other methods have default implementations.
public protocol GraphQLClientProtocol: Sendable {
    /// The error policy for calls that do not set one. Default: `.standard`, with which `execute` throws errors and `result(of:)` returns
    /// both.
    var errorPolicy: ErrorPolicy { get }

    /// The group of the client's running calls, on which ``cancelAll()`` and ``drain(within:)`` act, or nil, which makes both do nothing.
    /// Default: nil.
    var calls: CallGroup? { get }

    /// The time source for the limit of ``drain(within:)``. Default: the system's.
    var time: any TimeSource { get }

    /// Sends a query or a mutation and returns its data, the server's errors, which are not thrown, the extensions and the HTTP response.
    ///
    /// The result is unchanged by the error policy and contains the server's errors.
    ///
    /// - Throws: `.http`, `.invalidDocument` or `.invalidOperation`, but not `.response`.
    @concurrent func response<Data>(
        for operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Data>

    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far. Default:
    /// one update, from ``response(for:options:)``.
    ///
    /// The error policy applies to each update, as with `result(of:)`. For the errors, see ``GraphQLUpdateSequence``.
    func updates<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data>

    /// Returns a sequence of a subscription's results, as they arrive. Default: a sequence that throws `.invalidOperation`.
    ///
    /// The error policy applies to each result, as with `result(of:)`. For the errors and the rules for reconnecting, see
    /// ``GraphQLSubscriptionSequence``.
    func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<
        Data, GraphQLError
    >

    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's. A view shows the first
    /// immediately and replaces it when the second arrives. Default: only the response of ``response(for:options:)``.
    ///
    /// ```swift
    /// for try await response in graphQL.values(HeroQuery(id: "1")) { show(response.result, isOld: response.source != .server) }
    /// ```
    ///
    /// If the call's options have a policy other than `.cacheAndNetwork`, the sequence has the one response that this policy selects.
    /// Without a cache it has only the server's response.
    func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data>

    /// Sends the operations of a batch and stores the response or the error of each in it. Default: sends them one after the other.
    ///
    /// `batch(_:options:)` calls this method.
    ///
    /// - Throws: Errors that concern the whole batch. The failure of a single operation is its outcome.
    @concurrent func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError)
}

extension GraphQLClientProtocol {
    /// The default, `.standard`, with which `execute` throws if a response has data and errors, and `result(of:)` returns both.
    public var errorPolicy: ErrorPolicy { .standard }

    /// The default: a sequence of one update, made from ``response(for:options:)``.
    public func updates<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data> {
        GraphQLUpdateSequence {
            let reading = Reading(SingleResponse(client: self, operation: operation, options: options))
            return { () async throws(GraphQLError) in
                guard let response = try await reading.next() else { return nil }
                return GraphQLUpdate(result: response.result, extensions: response.extensions)
            }
        }
    }

    /// The default: sends the operations of a batch one after the other, each in its own request.
    @concurrent public func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
        await batch.askOneByOne(self, options: options)
    }

    /// The default: a sequence of the single response of ``response(for:options:)``.
    public func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data> {
        GraphQLValues(SingleResponse(client: self, operation: operation, options: options))
    }

    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's.
    public func values<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLValues<Data> {
        values(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the cached response to a query defined as a type, whatever its age, if there is one, and then of the server's.
    public func values<Query: GraphQLQuery>(_ query: Query, options: GraphQLCallOptions = GraphQLCallOptions()) -> GraphQLValues<
        Query.Data
    > {
        values(query.operation, options: options)
    }

    /// The default: a sequence that throws `.invalidOperation`, for clients without subscriptions.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<
        Data, GraphQLError
    > {
        GraphQLSubscriptionSequence([], failure: .invalidOperation(Explanation("\(Self.self) does not support subscriptions")))
    }

    /// Returns a sequence of a subscription's results, as they arrive.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLSubscriptionSequence<Data, GraphQLError> {
        subscribe(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the results of a subscription defined as a type, as they arrive.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data, GraphQLError> {
        subscribe(subscription.operation, options: options)
    }

    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far.
    public func updates<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLUpdateSequence<Data> {
        updates(operation, options: GraphQLCallOptions())
    }

    /// Returns a sequence of the updates of an operation defined as a type, with `@defer` or `@stream`, each with all data received so far.
    public func updates<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLUpdateSequence<Operation.Data> {
        updates(operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, or throws the server's errors, unless the error policy allows them.
    ///
    /// - Throws: `.response` with the server's errors, even if there is data beside them, unless the error policy allows it. Also the
    ///   errors of ``response(for:options:)``.
    @concurrent public func execute<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Data {
        try await response(for: operation, options: options).result.get(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends an operation defined as a type and returns its data, or throws the server's errors, unless the error policy allows them.
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Operation.Data {
        try await execute(operation.operation, options: options)
    }

    /// Sends an operation whose data is not needed, and throws the server's errors; the result can be discarded.
    @discardableResult
    @concurrent public func execute(
        _ operation: GraphQLOperation<EmptyResponse>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> EmptyResponse {
        try await response(for: operation, options: options).result.get(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends an operation defined as a type, ignores its data (`typealias Data = EmptyResponse`), and throws the server's errors.
    @discardableResult
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> EmptyResponse where Operation.Data == EmptyResponse {
        try await execute(operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResult<Data> {
        try await response(for: operation, options: options).result.applying(options.errorPolicy.of(client: errorPolicy))
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Operation: GraphQLOperationDefinition>(
        of operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResult<Operation.Data> {
        try await result(of: operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, the server's errors, which are not thrown, the extensions and the HTTP response.
    @concurrent public func response<Data>(
        for operation: GraphQLOperation<Data>
    ) async throws(GraphQLError) -> GraphQLResponse<Data> {
        try await response(for: operation, options: GraphQLCallOptions())
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, which are not thrown, extensions and HTTP response.
    @concurrent public func response<Operation: GraphQLOperationDefinition>(
        for operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResponse<Operation.Data> {
        try await response(for: operation.operation, options: options)
    }
}
