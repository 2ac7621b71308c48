/// A GraphQL client that throws only an app's own error type.
///
/// ``GraphQLClientProtocol/mappingErrors(_:)`` creates it. It has every method of the wrapped client. Subscriptions, updates, pages and
/// values throw the app's error too. The failure of a single operation of a batch remains a `GraphQLError`.
public struct MappedGraphQLClient<Failure: Error>: Sendable {
    /// The wrapped client, which throws `GraphQLError`.
    public let client: any GraphQLClientProtocol
    private let mapped: @Sendable (GraphQLError) -> Failure

    /// Creates a client that sends with `client` and maps its errors with `mapper`.
    public init<Mapper: GraphQLErrorMapping>(_ client: any GraphQLClientProtocol, mapper: Mapper) where Mapper.Failure == Failure {
        self.client = client
        mapped = { mapper.map($0) }
    }

    /// Returns the app's error for a GraphQL error.
    public func failure(for error: GraphQLError) -> Failure { mapped(error) }

    /// Cancels the running calls of the wrapped client. See ``GraphQLClientProtocol/cancelAll()``.
    public func cancelAll() { client.cancelAll() }

    /// Refuses new calls of the wrapped client, waits for the running ones, and cancels them after `limit`. See
    /// ``GraphQLClientProtocol/drain(within:)``.
    @concurrent public func drain(within limit: Duration) async -> DrainSummary { await client.drain(within: limit) }

    /// Sends a query or a mutation and returns its data, the server's errors, which are not thrown, the extensions and the HTTP response.
    @concurrent public func response<Data>(
        for operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResponse<Data> {
        do throws(GraphQLError) { return try await client.response(for: operation, options: options) } catch { throw mapped(error) }
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, which are not thrown, extensions and HTTP response.
    @concurrent public func response<Operation: GraphQLOperationDefinition>(
        for operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResponse<Operation.Data> {
        try await response(for: operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, or throws the app's error for the server's errors, unless the error policy allows
    /// them.
    @concurrent public func execute<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> Data {
        do throws(GraphQLError) { return try await client.execute(operation, options: options) } catch { throw mapped(error) }
    }

    /// Sends an operation defined as a type and returns its data, or throws the app's error for the server's, unless the error policy
    /// allows them.
    @concurrent public func execute<Operation: GraphQLOperationDefinition>(
        _ operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> Operation.Data {
        try await execute(operation.operation, options: options)
    }

    /// Sends a query or a mutation and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResult<Data> {
        do throws(GraphQLError) { return try await client.result(of: operation, options: options) } catch { throw mapped(error) }
    }

    /// Sends an operation defined as a type and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Operation: GraphQLOperationDefinition>(
        of operation: Operation, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResult<Operation.Data> {
        try await result(of: operation.operation, options: options)
    }
}

extension GraphQLClientProtocol {
    /// Returns a client that throws the mapper's error type in place of `GraphQLError`.
    public func mappingErrors<Mapper: GraphQLErrorMapping>(_ mapper: Mapper) -> MappedGraphQLClient<Mapper.Failure> {
        MappedGraphQLClient(self, mapper: mapper)
    }
}
