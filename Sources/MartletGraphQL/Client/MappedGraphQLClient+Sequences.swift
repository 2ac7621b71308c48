extension MappedGraphQLClient {
    // MARK: Subscriptions

    /// Returns the results of a subscription as they arrive.
    public func subscribe<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Data, Failure> {
        client.subscribe(operation, options: options).mappingErrors(failure)
    }

    /// Returns the results of a subscription defined as a type, as they arrive.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLSubscriptionSequence<Subscription.Data, Failure> {
        subscribe(subscription.operation, options: options)
    }

    // MARK: Updates

    /// Returns the updates of a query or a mutation with `@defer` or `@stream`.
    public func updates<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLUpdate<Data>, Failure> {
        client.updates(operation, options: options).mappingErrors(failure)
    }

    /// Returns the updates of a query or a mutation defined as a type, with `@defer` or `@stream`.
    public func updates<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLUpdate<Operation.Data>, Failure> {
        updates(operation.operation, options: options)
    }

    // MARK: Values

    /// Returns the cached response, whatever its age, and then the server's: see ``GraphQLClientProtocol/values(_:options:)``.
    public func values<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLResponse<Data>, Failure> {
        client.values(operation, options: options).mappingErrors(failure)
    }

    /// Returns the cached response and then the server's, for a query defined as a type.
    public func values<Query: GraphQLQuery>(
        _ query: Query, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> ValueSequence<GraphQLResponse<Query.Data>, Failure> {
        values(query.operation, options: options)
    }

    // MARK: Pages

    /// Returns the pages of a query's data: see `GraphQLClientProtocol.pages(_:next:maxPages:maxItems:options:)`.
    public func pages<Data>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Data, Failure> {
        client.pages(operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options).mappingErrors(failure)
    }

    /// Returns the pages of a query defined as a type.
    public func pages<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, maxPages: Int = 1000, maxItems: Int? = nil,
        options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Operation.Data, Failure> {
        pages(operation.operation, next: next, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    /// Returns the items on the pages of a query's data.
    public func items<Data, Item: Sendable>(
        _ operation: GraphQLOperation<Data>, next: GraphQLNextPage<Data>, items: @escaping @Sendable (Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Data, Item, Failure> {
        client.items(operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options).mappingErrors(
            failure)
    }

    /// Returns the items on the pages of a query defined as a type.
    public func items<Operation: GraphQLOperationDefinition, Item: Sendable>(
        _ operation: Operation, next: GraphQLNextPage<Operation.Data>, items: @escaping @Sendable (Operation.Data) -> [Item],
        maxPages: Int = 1000, maxItems: Int? = nil, options: GraphQLCallOptions = GraphQLCallOptions()
    ) -> GraphQLPages<Operation.Data, Item, Failure> {
        self.items(operation.operation, next: next, items: items, maxPages: maxPages, maxItems: maxItems, options: options)
    }

    // MARK: Batches

    /// Sends any number of operations with the same data type together and returns the outcomes in order.
    ///
    /// - Throws: Errors that concern the whole batch. The failure of a single operation is its outcome, as a `GraphQLError`.
    @concurrent public func batch<Data>(
        _ operations: [GraphQLOperation<Data>], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> [GraphQLOutcome<Data>] {
        do throws(GraphQLError) { return try await client.batch(operations, options: options) } catch { throw failure(for: error) }
    }

    /// Sends several operations together and returns the outcome of each: see `GraphQLClientProtocol.batch(_:options:)`.
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
