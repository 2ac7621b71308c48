internal import MartletCore

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
    /// What errors beside data mean where a call does not say it. Default: nil, `execute` throws them and `result(of:)` gives both.
    var errorPolicy: ErrorPolicy? { get }

    /// Sends a query or a mutation and gives the whole answer: result, extensions, status and fields.
    ///
    /// The result is as the server sent it, whatever the error policy. Throws `.http`, `.invalidDocument` and `.invalidOperation`; the server's
    /// errors are part of the result.
    @concurrent func response<Data>(
        for operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Data>

    /// The growing answer to a query or a mutation with `@defer` or `@stream`. Default: one update, of ``response(for:options:)``.
    ///
    /// Each update's result is as the error policy sees it, as with `result(of:)`. What it throws: see ``GraphQLUpdateSequence``.
    func updates<Data>(of operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data>

    /// The results of a subscription as they arrive. Default: one that throws `.invalidOperation`, for clients that have none.
    ///
    /// Each result is as the error policy sees it, as with `result(of:)`. What it throws, and when the connection is made again: see
    /// ``GraphQLSubscriptionSequence``.
    func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<Data>
}

extension GraphQLClientProtocol {
    /// `execute` throws errors beside data, and `result(of:)` gives both.
    public var errorPolicy: ErrorPolicy? { nil }

    /// One update, of ``response(for:options:)``.
    public func updates<Data>(of operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data> {
        let policy = options.errorPolicy ?? errorPolicy ?? .all
        return GraphQLUpdateSequence {
            let isGiven = Locked(false)
            return { () async throws(GraphQLError) in
                let isOver = isGiven.withLock { isGiven in
                    defer { isGiven = true }
                    return isGiven
                }
                guard !isOver else { return nil }
                let response = try await response(for: operation, options: options)
                return GraphQLUpdate(result: response.result.applying(policy), extensions: response.extensions)
            }
        }
    }

    /// Throws `.invalidOperation` when it is iterated.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<Data> {
        GraphQLSubscriptionSequence([], failure: .invalidOperation(Explanation("\(Self.self) has no subscriptions")))
    }

    /// The results of a subscription as they arrive.
    public func subscribe<Data>(_ operation: GraphQLOperation<Data>) -> GraphQLSubscriptionSequence<Data> {
        subscribe(operation, options: GraphQLCallOptions())
    }

    /// The results of a subscription that is a type of its own, as they arrive.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data> {
        subscribe(subscription.operation, options: options)
    }

    /// The growing answer to a query or a mutation with `@defer` or `@stream`.
    public func updates<Data>(of operation: GraphQLOperation<Data>) -> GraphQLUpdateSequence<Data> {
        updates(of: operation, options: GraphQLCallOptions())
    }

    /// The growing answer to a query or a mutation that is a type of its own, with `@defer` or `@stream`.
    public func updates<Operation: GraphQLOperationDefinition>(
        of operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLUpdateSequence<Operation.Data> {
        updates(of: operation.operation, options: options)
    }

    /// Sends a query or a mutation and gives its data.
    ///
    /// Throws `.response` with the server's errors, also when there is data beside them, unless the error policy says otherwise; and what
    /// ``response(for:options:)`` throws.
    @concurrent public func execute<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Data {
        try await response(for: operation, options: options).result.get(options.errorPolicy ?? errorPolicy ?? .none)
    }

    /// Sends a query or a mutation that is a type of its own, and gives its data.
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> Operation.Data {
        try await execute(operation.operation, options: options)
    }

    /// Sends a query or a mutation and gives data, errors, or both.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> GraphQLResult<Data> {
        try await response(for: operation, options: options).result.applying(options.errorPolicy ?? errorPolicy ?? .all)
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
