extension MappedGraphQLClient {
    // MARK: Subscriptions

    /// Returns a sequence of a subscription's results, as they arrive, which throws the app's error.
    public func subscribe<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Data, Failure> {
        client.subscribe(operation, options: options).mappingErrors(failure)
    }

    /// Returns a sequence of the results of a subscription defined as a type, as they arrive, which throws the app's error.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data, Failure> {
        subscribe(subscription.operation, options: options)
    }

    // MARK: Updates

    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far.
    public func updates<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLUpdate<Data>, Failure> {
        client.updates(operation, options: options).mappingErrors(failure)
    }

    /// Returns a sequence of the updates of an operation defined as a type, with `@defer` or `@stream`, each with all data received so far.
    public func updates<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLUpdate<Operation.Data>, Failure> {
        updates(operation.operation, options: options)
    }

    // MARK: Values

    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's. See
    /// ``GraphQLClientProtocol/values(_:options:)``.
    public func values<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLResponse<Data>, Failure> {
        client.values(operation, options: options).mappingErrors(failure)
    }

    /// Returns a sequence of the cached response to a query defined as a type, whatever its age, if there is one, and then of the server's.
    public func values<Query: GraphQLQuery>(
        _ query: Query, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLResponse<Query.Data>, Failure> {
        values(query.operation, options: options)
    }

    // MARK: Pages

    /// Returns a sequence of the pages of a query's data, each requested when it is needed. See
    /// `GraphQLClientProtocol.pages(_:next:maxPages:maxItems:options:)`.
    public func pages<Data>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Data, Failure> {
        client.pages(operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options).mappingErrors(failure)
    }

    /// Returns a sequence of the pages of the data of a query defined as a type, each requested when it is needed.
    public func pages<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Operation.Data, Failure> {
        pages(operation.operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    /// Returns a sequence of the items on all pages of a query's data, with each page requested when it is needed.
    public func items<Data, Item: Sendable>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, items: @escaping @Sendable (Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Item, Failure> {
        client.items(operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options).mappingErrors(
            failure)
    }

    /// Returns a sequence of the items on all pages of a query defined as a type, with each page requested when it is needed.
    public func items<Operation: GraphQLOperationDefinition, Item: Sendable>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, items: @escaping @Sendable (Operation.Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Item, Failure> {
        self.items(operation.operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    // MARK: Batches

    /// Sends any number of operations with the same data type as a batch, and returns the response or the error of each, in order.
    ///
    /// - Throws: Errors that concern the whole batch. The failure of a single operation is its outcome, as a `GraphQLError`.
    @concurrent public func batch<Data>(
        _ operations: [GraphQLOperation<Data>], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> [GraphQLOutcome<Data>] {
        do throws(GraphQLError) { return try await client.batch(operations, options: options) } catch { throw failure(for: error) }
    }

    /// Sends several operations as a batch, and returns the response or the error of each. See `GraphQLClientProtocol.batch(_:options:)`.
    @concurrent public func batch<each D: Decodable & Sendable>(
        _ operations: repeat GraphQLOperation<each D>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> (repeat GraphQLOutcome<each D>) {
        let slots = (repeat TypedBatchSlot(each operations))
        var all: [any AskableSlot] = []
        for slot in repeat each slots { all.append(slot) }
        try await send(GraphQLBatch(slots: all), options)
        return (repeat (each slots).outcome)
    }

    private func send(_ batch: GraphQLBatch, _ options: GraphQLCallOptions) async throws(Failure) {
        do throws(GraphQLError) { try await client.send(batch, options: options) } catch { throw failure(for: error) }
    }
}
