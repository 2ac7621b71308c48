extension GraphQLClientProtocol {
    /// Sends several operations together, and gives the outcome of each.
    ///
    /// ```swift
    /// let (hero, rename) = try await graphQL.batch(heroOperation, renameOperation)
    /// show(try hero.data())
    /// ```
    ///
    /// Throws what concerns all of them; what one alone fails with is its outcome. A ``GraphQLClient`` sends them in one request.
    @concurrent public func batch<each D: Decodable & Sendable>(
        _ operations: repeat GraphQLOperation<each D>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> (repeat GraphQLOutcome<each D>) {
        // Nothing is awaited, and nothing passed on, within a pack: the compiler's tasks free its memory in the wrong order (Swift 6.3).
        let slots = (repeat TypedBatchSlot(each operations))
        var all: [any AskableSlot] = []
        for slot in repeat each slots { all.append(slot) }
        try await send(GraphQLBatch(slots: all), options: options)
        return (repeat (each slots).outcome)
    }

    /// Sends several operations that are types of their own together, and gives the outcome of each: see `batch(_:options:)` for operations.
    @concurrent public func batch<each Operation: GraphQLOperationDefinition>(
        _ operations: repeat each Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> (repeat GraphQLOutcome<(each Operation).Data>) {
        let slots = (repeat TypedBatchSlot((each operations).operation))
        var all: [any AskableSlot] = []
        for slot in repeat each slots { all.append(slot) }
        try await send(GraphQLBatch(slots: all), options: options)
        return (repeat (each slots).outcome)
    }

    /// Sends any number of operations with data of one type together, and gives the outcomes in their order; without any, nothing is sent.
    @concurrent public func batch<D>(
        _ operations: [GraphQLOperation<D>], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> [GraphQLOutcome<D>] {
        let slots = operations.map { TypedBatchSlot($0) }
        try await send(GraphQLBatch(slots: slots), options: options)
        return slots.map(\.outcome)
    }

    /// Sends any number of operations of one type of their own together, and gives the outcomes in their order.
    @concurrent public func batch<Operation: GraphQLOperationDefinition>(
        _ operations: [Operation], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(GraphQLError) -> [GraphQLOutcome<Operation.Data>] {
        try await batch(operations.map(\.operation), options: options)
    }
}

/// Operations that are sent together, each with a place for its outcome: what `batch(_:options:)` hands to a client.
public struct GraphQLBatch: Sendable {
    let slots: [any AskableSlot]

    /// The operations, in order.
    public var operations: [AnyGraphQLOperation] { slots.map(\.operation) }

    /// Asks a client for each operation by itself, one after the other, and fills the places. What one fails with is its outcome.
    public func askOneByOne(_ client: any GraphQLClientProtocol, options: GraphQLCallOptions) async {
        for slot in slots { await slot.ask(client, options) }
    }
}

/// A place for an outcome that can be asked for by itself.
protocol AskableSlot: BatchSlot {
    func ask(_ client: any GraphQLClientProtocol, _ options: GraphQLCallOptions) async
}

extension TypedBatchSlot: AskableSlot {
    func ask(_ client: any GraphQLClientProtocol, _ options: GraphQLCallOptions) async {
        do throws(GraphQLError) { fill(try await client.response(for: typed, options: options)) } catch { fail(error) }
    }
}
