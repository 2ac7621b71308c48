/// A client that sends GraphQL operations and throws one type of error.
///
/// All methods that send operations are extensions of this protocol, so every client has all of them. An app depends on
/// `any GraphQLClientProtocol`, which throws `GraphQLError`, or on a client that throws the app's own error. ``mappingErrors(_:)`` returns
/// one:
///
/// ```swift
/// struct HeroRepository {
///     let graphQL: any GraphQLOperationClient<APIError>
///     func hero(_ id: GraphQLID) async throws(APIError) -> Hero? { try await graphQL.execute(HeroQuery(id: id)).hero }
/// }
/// let repository = HeroRepository(graphQL: graphQL.mappingErrors(GraphQLErrorMapper()))
/// ```
///
/// A client of your own conforms to ``GraphQLClientProtocol``, which has defaults for all requirements except
/// ``response(for:options:)``.
public protocol GraphQLOperationClient<Failure>: Sendable {
    /// The type of error that the client throws.
    associatedtype Failure: Error

    /// The client that sends for this one and throws `GraphQLError`. A ``GraphQLClientProtocol`` returns itself.
    var graphQLClient: any GraphQLClientProtocol { get }

    /// Returns the error that this client throws in place of a `GraphQLError`.
    func failure(for error: GraphQLError) -> Failure

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
    ) async throws(Failure) -> GraphQLResponse<Data>

    /// Returns a sequence of the updates of a query or a mutation with `@defer` or `@stream`, each with all data received so far. Default:
    /// one update, from ``response(for:options:)``.
    ///
    /// The error policy applies to each update, as with `result(of:)`. For the errors, see ``GraphQLUpdateSequence``.
    func updates<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<Data, Failure>

    /// Returns a sequence of a subscription's results, as they arrive. Default: a sequence that throws `.invalidOperation`.
    ///
    /// The error policy applies to each result, as with `result(of:)`. For the errors and the rules for reconnecting, see
    /// ``GraphQLSubscriptionSequence``.
    func subscribe<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) -> GraphQLSubscriptionSequence<Data, Failure>

    /// Returns a sequence of the cached response, whatever its age, if there is one, and then of the server's. A view shows the first
    /// immediately and replaces it when the second arrives. Default: only the response of ``response(for:options:)``.
    ///
    /// ```swift
    /// for try await response in graphQL.values(HeroQuery(id: "1")) { show(response.result, isOld: response.cacheAge != nil) }
    /// ```
    ///
    /// If the call's options have a policy other than `.cacheAndNetwork`, the sequence has the one response that this policy selects.
    /// Without a cache it has only the server's response.
    func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data, Failure>

    /// Sends the operations of a batch and stores the response or the error of each in it. Default: sends them one after the other.
    ///
    /// `batch(_:options:)` calls this method.
    ///
    /// - Throws: Errors that concern the whole batch. The failure of a single operation is its outcome.
    @concurrent func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(Failure)
}

/// The interface of GraphQL clients that throw `GraphQLError`. Use it as the type of a dependency, so that tests can pass a mock in place
/// of `GraphQLClient`.
///
/// ```swift
/// struct HeroRepository {
///     let graphQL: any GraphQLClientProtocol
///     func hero(_ id: GraphQLID) async throws(GraphQLError) -> Hero? { try await graphQL.execute(HeroQuery(id: id)).hero }
/// }
/// ```
///
/// An implementation provides ``GraphQLOperationClient/response(for:options:)``; everything else has a default. A client that wraps another
/// also forwards the other requirements of ``GraphQLOperationClient``: `errorPolicy`, `calls`, `time`, `updates`, `subscribe`, `values` and
/// `send`. Their defaults do not use the wrapped client, except through `response`.
public protocol GraphQLClientProtocol: GraphQLOperationClient where Failure == GraphQLError {}

// The defaults are those of clients that throw `GraphQLError`. A client that maps errors does not compile unless it forwards everything.
extension GraphQLClientProtocol {
    /// The client itself.
    public var graphQLClient: any GraphQLClientProtocol { self }

    /// Returns `error` unchanged, because this client throws `GraphQLError`.
    public func failure(for error: GraphQLError) -> GraphQLError { error }

    /// The default, `.standard`, with which `execute` throws if a response has data and errors, and `result(of:)` returns both.
    public var errorPolicy: ErrorPolicy { .standard }

    /// The default: nil, with which `cancelAll()` and `drain(within:)` do nothing.
    public var calls: CallGroup? { nil }

    /// The default: the system's time source.
    public var time: any TimeSource { .system }

    /// The default: a sequence of one update, made from `response(for:options:)`.
    public func updates<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) -> GraphQLUpdateSequence<Data, GraphQLError> {
        GraphQLUpdateSequence {
            let reading = Reading(SingleResponse(client: self, operation: operation, options: options))
            return { () async throws(GraphQLError) in
                guard let response = try await reading.next() else { return nil }
                return GraphQLUpdate(result: response.result, extensions: response.extensions)
            }
        }
    }

    /// The default: a sequence that throws `.invalidOperation`, for clients without subscriptions.
    public func subscribe<Data>(
        _ operation: GraphQLOperation<Data>, options: GraphQLCallOptions
    ) -> GraphQLSubscriptionSequence<Data, GraphQLError> {
        GraphQLSubscriptionSequence([], failure: .invalidOperation(Explanation("\(Self.self) does not support subscriptions")))
    }

    /// The default: a sequence of the single response of `response(for:options:)`.
    public func values<Data>(_ operation: GraphQLOperation<Data>, options: GraphQLCallOptions) -> GraphQLValues<Data, GraphQLError> {
        GraphQLValues(SingleResponse(client: self, operation: operation, options: options))
    }

    /// The default: sends the operations of a batch one after the other, each in its own request.
    @concurrent public func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
        await batch.askOneByOne(self, options: options)
    }
}

extension GraphQLOperationClient {
    /// Returns a client that throws the mapper's error in place of `GraphQLError`.
    ///
    /// It has every method of this client. Subscriptions, updates, values and pages throw the mapped error too. The outcome of a single
    /// operation of a batch remains a `GraphQLError`, which ``failure(for:)`` maps.
    public func mappingErrors<Mapped: Error>(_ mapper: GraphQLErrorMapper<Mapped>) -> any GraphQLOperationClient<Mapped> {
        ErrorMappingClient(graphQLClient: graphQLClient, map: { mapper.map($0) })
    }
}

/// Sends through a client that throws `GraphQLError`, and maps what it throws.
private struct ErrorMappingClient<Failure: Error>: GraphQLOperationClient {
    let graphQLClient: any GraphQLClientProtocol
    let map: @Sendable (GraphQLError) -> Failure

    var errorPolicy: ErrorPolicy { graphQLClient.errorPolicy }
    var calls: CallGroup? { graphQLClient.calls }
    var time: any TimeSource { graphQLClient.time }

    func failure(for error: GraphQLError) -> Failure { map(error) }

    @concurrent func response<D>(
        for operation: GraphQLOperation<D>, options: GraphQLCallOptions
    ) async throws(Failure) -> GraphQLResponse<D> {
        do throws(GraphQLError) { return try await graphQLClient.response(for: operation, options: options) } catch { throw map(error) }
    }

    func updates<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<D, Failure> {
        graphQLClient.updates(operation, options: options).mappingErrors(map)
    }

    func subscribe<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<D, Failure> {
        graphQLClient.subscribe(operation, options: options).mappingErrors(map)
    }

    func values<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLValues<D, Failure> {
        graphQLClient.values(operation, options: options).mappingErrors(map)
    }

    @concurrent func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(Failure) {
        do throws(GraphQLError) { try await graphQLClient.send(batch, options: options) } catch { throw map(error) }
    }
}

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
        var options = options
        options.reception = .data
        let result = try await response(for: operation, options: options).result
        do throws(GraphQLError) { return try result.get(options.errorPolicy.of(client: errorPolicy)) } catch { throw failure(for: error) }
    }

    // MARK: Data and errors

    /// Sends a query or a mutation and returns its data, the server's errors, or both, without throwing the server's errors.
    @concurrent public func result<Data>(
        of operation: GraphQLOperation<Data>, options: GraphQLCallOptions = GraphQLCallOptions()
    ) async throws(Failure) -> GraphQLResult<Data> {
        var options = options
        options.reception = .result
        return try await response(for: operation, options: options).result.applying(options.errorPolicy.of(client: errorPolicy))
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
