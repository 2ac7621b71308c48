extension GraphQLOperationClient {
    /// Sends several operations as a batch, which a ``GraphQLClient`` sends in one request, and returns the response or the error of each.
    ///
    /// ```swift
    /// let (hero, rename) = try await graphQL.batch(heroOperation, renameOperation)
    /// show(try hero.data())
    /// ```
    ///
    /// The server must support batching. Other clients may send the operations one after the other.
    ///
    /// - Throws: The client's error for a failure of the whole batch. The failure of a single operation is its outcome, a `GraphQLError`.
    @concurrent public func batch<each D: Decodable & Sendable>(
        _ operations: repeat GraphQLOperation<each D>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> (repeat GraphQLOutcome<each D>) {
        // Nothing may be awaited or passed on within a pack: the compiler's tasks free its memory in the wrong order (Swift 6.3).
        let slots = (repeat TypedBatchSlot(each operations))
        var all: [any AskableSlot] = []
        for slot in repeat each slots { all.append(slot) }
        try await send(GraphQLBatch(slots: all), options: options)
        return (repeat (each slots).outcome)
    }

    /// Sends several operations defined as types as a batch, and returns the response or the error of each.
    @concurrent public func batch<each Operation: GraphQLOperationDefinition>(
        _ operations: repeat each Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> (repeat GraphQLOutcome<(each Operation).Data>) {
        let slots = (repeat TypedBatchSlot((each operations).operation))
        var all: [any AskableSlot] = []
        for slot in repeat each slots { all.append(slot) }
        try await send(GraphQLBatch(slots: all), options: options)
        return (repeat (each slots).outcome)
    }

    /// Sends any number of operations with the same data type as a batch, and returns the response or the error of each, in order. An empty
    /// array sends nothing.
    @concurrent public func batch<D>(
        _ operations: [GraphQLOperation<D>], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> [GraphQLOutcome<D>] {
        let slots = operations.map { TypedBatchSlot($0) }
        try await send(GraphQLBatch(slots: slots), options: options)
        return slots.map(\.outcome)
    }

    /// Sends any number of operations of one type as a batch, and returns the response or the error of each, in order.
    @concurrent public func batch<Operation: GraphQLOperationDefinition>(
        _ operations: [Operation], options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> [GraphQLOutcome<Operation.Data>] {
        try await batch(operations.map(\.operation), options: options)
    }
}

/// The operations of a batch, which a client sends and whose outcomes it stores. `batch(_:options:)` passes it to
/// ``GraphQLOperationClient/send(_:options:)``.
public struct GraphQLBatch: Sendable {
    let slots: [any AskableSlot]

    /// The operations in the order of the batch.
    public var operations: [AnyGraphQLOperation] { slots.map(\.operation) }

    /// Sends each operation in a request of its own through a client, one after the other, and stores the outcomes.
    public func askOneByOne(_ client: any GraphQLClientProtocol, options: GraphQLCallOptions) async {
        for slot in slots { await slot.ask(client, options) }
    }
}

/// A batch slot that can also be sent by itself.
protocol AskableSlot: BatchSlot {
    func ask(_ client: any GraphQLClientProtocol, _ options: GraphQLCallOptions) async
}

extension TypedBatchSlot: AskableSlot {
    func ask(_ client: any GraphQLClientProtocol, _ options: GraphQLCallOptions) async {
        do throws(GraphQLError) { fill(try await client.response(for: typed, options: options)) } catch { fail(error) }
    }
}
