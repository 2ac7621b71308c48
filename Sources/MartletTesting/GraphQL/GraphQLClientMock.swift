public import MartletEssentials
public import MartletGraphQL
public import MartletGraphQLSchema
internal import MartletSystem

/// A GraphQL client that returns stubbed responses without a network, for tests of code that uses an `any GraphQLClientProtocol`.
///
/// ```swift
/// let mock = GraphQLClientMock()
/// mock.on(HeroQuery.self) { query in HeroQuery.Data(hero: .init(name: "Hero \(query.id)")) }
/// mock.on("Search", .json(#"{"data":null,"errors":[{"message":"too busy"}]}"#), .data(["search": []]))  // in this order
/// #expect(try await HeroRepository(graphQL: mock).hero("3")?.name == "Hero 3")
/// #expect(mock.requestedOperations.first?.variables["id"] == "3")
/// ```
///
/// A subscription returns all responses of its stub in order and then ends, and so do the updates of an operation with `@defer`:
///
/// ```swift
/// let mock = GraphQLClientMock()
/// mock.on(ReviewAdded.self, .data(.init(review: "Good")), .failure(.http(.timeout)))
/// ```
///
/// The latest matching stub responds to an operation, otherwise ``result``. An operation without a stub throws `.invalidOperation` with a
/// list of the stubs. As in a client, a document of the wrong operation type throws `.invalidOperation`, and one that can't be parsed
/// throws `.invalidDocument`. Mocks are independent of each other, and a mock supports any number of concurrent calls.
///
/// A mock with a schema throws `.invalidOperation` for an operation that the schema does not allow, and for stubbed JSON that no server
/// with this schema returns; the error lists the violations:
///
/// ```swift
/// let mock = GraphQLClientMock(schema: try GraphQLSchema(sdl: "type Query { hero: String! }"))
/// ```
public final class GraphQLClientMock: GraphQLClientProtocol {
    typealias Stub = ClientStub<AnyGraphQLOperation, GraphQLError>
    typealias StubbedReply = (delay: Duration, answer: Stub.Script.Handler)

    private let stubs = Locked(ClientStubs<AnyGraphQLOperation, GraphQLError>())
    private let requested = Recorder<(operation: AnyGraphQLOperation, options: GraphQLCallOptions)>()
    /// The group of the calls that wait for their responses, with which they can be cancelled and drained.
    public let calls: CallGroup? = CallGroup()
    /// The decoder with which stubbed JSON is decoded.
    public let decoder: any BodyDecoder
    /// The time source for the delays of stubs.
    public let time: any TimeSource
    /// The observers of every operation with one response.
    public let observers: [any CallObserver]

    /// The schema against which operations and stubbed JSON are checked, or nil. Data that are given as values of Swift types are not
    /// checked.
    public let schema: GraphQLSchema?

    /// Creates a mock without stubs. Defaults: no schema, the decoder `.json`, the system's time.
    public init(
        schema: GraphQLSchema? = nil, decoder: any BodyDecoder = .json, time: any TimeSource = .system, observers: [any CallObserver] = []
    ) {
        self.schema = schema
        self.decoder = decoder
        self.time = time
        self.observers = observers
    }

    // MARK: Stubs

    /// The result of every operation without a stub, which is its data as JSON, or an error, or nil. Default: nil.
    ///
    /// The data is the value of `data` in a response, such as `{"hero":null}`. An operation throws `.invalidOperation` if it is a complete
    /// response, which ``StubbedGraphQLResponse/json(_:status:contentType:)`` stubs.
    public var result: Result<Data, GraphQLError>? {
        get { stubs.withLock { $0.result } }
        set { stubs.withLock { $0.result = newValue } }
    }

    /// Stubs the operations of one type with a closure that returns the data or throws.
    ///
    /// - Parameters:
    ///   - type: The operation's type.
    ///   - condition: The operations of the type that the stub applies to. Default: nil, all.
    ///   - answer: Returns the data for an operation, or throws.
    public func on<Operation: GraphQLOperationDefinition>(
        _ type: Operation.Type, where condition: (@Sendable (Operation) -> Bool)? = nil,
        answer: @escaping @Sendable (Operation) async throws(GraphQLError) -> Operation.Data
    ) {
        let script = Stub.Script { operation in
            guard let value = operation.variablesValue as? Operation else {
                return .failure(.invalidOperation("a stub for \(type) was used for another operation"))
            }
            do throws(GraphQLError) { return .value(GraphQLResult.complete(try await answer(value))) } catch { return .failure(error) }
        }
        add(Stub(type, condition, script) { $0.variablesValue as? Operation })
    }

    /// Stubs the operations of one type with responses in order, of which the last is repeated.
    public func on<Operation: GraphQLOperationDefinition>(
        _ type: Operation.Type, where condition: (@Sendable (Operation) -> Bool)? = nil,
        _ answer: StubbedGraphQLResponse<Operation.Data>, _ more: StubbedGraphQLResponse<Operation.Data>...
    ) {
        add(Stub(type, condition, script([answer] + more)) { $0.variablesValue as? Operation })
    }

    /// Stubs the operations of a name with responses in order, whose data are given as JSON. The last response is repeated.
    public func on(_ operationName: String, _ answer: StubbedGraphQLResponse<JSONValue>, _ more: StubbedGraphQLResponse<JSONValue>...) {
        add(Stub(named: operationName, script([answer] + more)) { $0.operationName })
    }

    private func script<Value>(_ answers: [StubbedGraphQLResponse<Value>]) -> Stub.Script {
        Stub.Script(answers.map { ($0.answer, $0.delay) })
    }

    private func add(_ stub: Stub) { stubs.withLock { $0.add(stub) } }

    /// Throws if stubs or responses of stubs were not used by any call, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(stubs.withLock { $0.unused })
    }

    // MARK: Recorded operations

    /// The valid operations that were called so far, in order, also those without a stub.
    public var requestedOperations: [AnyGraphQLOperation] { requested.values.map(\.operation) }

    /// The valid operations that were called so far, in order, each with the options of its call.
    public var requestedCalls: [(operation: AnyGraphQLOperation, options: GraphQLCallOptions)] { requested.values }

    /// Returns the operations of one type that were called so far, in order.
    public func requested<Operation: GraphQLOperationDefinition>(_ type: Operation.Type) -> [Operation] {
        requestedOperations.compactMap { $0.variablesValue as? Operation }
    }

    /// Waits until `count` operations have been called, without a time limit, and returns the first `count`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForOperations(_ count: Int = 1) async throws(CancellationError) -> [AnyGraphQLOperation] {
        try await requested.first(count).map(\.operation)
    }

    // MARK: Responding

    /// Responds to an operation with the stub's data and errors, or with its decoded response or ``result``.
    @concurrent public func response<Value>(
        for operation: GraphQLOperation<Value>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        let erased = operation.erased
        let observed =
            observers.isEmpty
            ? nil
            : ObservedCall(
                .graphQL, name: erased.callName, pathTemplate: "", operations: [erased.callOperation], tags: options.call.tags,
                observers: observers, time: time)
        observed?.started(nil)
        do throws(GraphQLError) {
            let response = try await answer(operation, options)
            observed?.ended(response, options, errorPolicy)
            return response
        } catch {
            observed?.ended(.failure(error.observed))
            throw error
        }
    }

    private func answer<Value>(
        _ operation: GraphQLOperation<Value>, _ options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        try check(operation.erased, for: [.query, .mutation])
        let call = LongLivedCall(calls)
        defer { call.end() }
        try check(call)
        return try await call.run { () async throws(GraphQLError) in
            let found = try self.answers(to: operation.erased, options) { [$0.next()] }
            guard let (delay, answer) = found.first else { throw self.unstubbed(operation.erased) }
            try await self.wait(delay)
            return try self.response(await answer(operation.erased), to: operation)
        }.get()
    }

    /// Begins a call if it has not begun, and throws if it was cancelled.
    func check(_ call: LongLivedCall) throws(GraphQLError) {
        do throws(HTTPError) { try call.check() } catch { throw .http(error) }
    }

    /// Returns the responses to an operation that `take` takes from the matching stub, or ``result`` without a stub.
    func answers(
        to operation: AnyGraphQLOperation, _ options: GraphQLCallOptions,
        _ take: (inout Stub.Script) -> [StubbedReply]
    ) throws(GraphQLError) -> [StubbedReply] {
        // Conditions are code of the test and must run outside the lock.
        let stub = stubs.withLock { $0.stubs }.last { $0.fits(operation) }
        let (found, result) = stubs.withLock { stubs in
            // Recorded and answered in one step, so that concurrent calls get their responses in the recorded order.
            requested.append((operation: operation, options: options))
            return (stub.map { stubs.take(from: $0, take) }, stubs.result)
        }
        if Task.isCancelled { throw .http(.cancelled) }
        if let found { return found }
        switch result {
        case .success(let data):
            if let value = try? JSONValue(parsing: data) {
                try WholeResponse.check(value, givenAs: "GraphQLClientMock.result", for: operation)
            }
            let body = Data(#"{"data":"#.utf8) + data + Data("}".utf8)
            let response = HTTPResponse(status: .ok, headers: [.contentType: "application/json"], body: body)
            return [(.zero, { _ in .response(response) })]
        case .failure(let error): throw error
        case nil: throw unstubbed(operation)
        }
    }

    /// Waits like a call until the head of its response: at most until the deadline of the task.
    func wait(_ delay: Duration) async throws(GraphQLError) {
        do throws(HTTPError) { try await TaskDeadline.wait(delay, time: time) } catch { throw .http(error) }
    }

    private func unstubbed(_ operation: AnyGraphQLOperation) -> GraphQLError {
        .invalidOperation("\(operation) has no stub. Stubs: \(stubs.withLock { $0.names })")
    }

    /// Returns a response as a client does.
    func response<Value>(
        _ answer: Stub.Answer, to operation: GraphQLOperation<Value>
    ) throws(GraphQLError) -> GraphQLResponse<Value> {
        switch answer {
        case .failure(let error): throw error
        case .response(let response):
            if let json = try? JSONValue(parsing: response.body) { try check(json["data"] ?? .null, of: operation.erased) }
            return try GraphQLResponseReader.read(response, of: operation, decoder: decoder)
        case .value(let result as GraphQLResult<Value>):
            if let data = result.data as? JSONValue { try check(data, of: operation.erased) }
            return GraphQLResponse(result: result, http: .ofMock)
        case .value(let result as GraphQLResult<JSONValue>): return try decoded(result, of: operation)
        case .value(let result):
            throw .invalidOperation(
                "the stub for \(operation) returned a value of type \(type(of: result)), but the call expects \(Value.self)")
        }
    }

    /// Decodes data that were given as JSON.
    private func decoded<Value>(
        _ result: GraphQLResult<JSONValue>, of operation: GraphQLOperation<Value>
    ) throws(GraphQLError) -> GraphQLResponse<Value> {
        let data = result.data ?? .null
        try WholeResponse.check(data, givenAs: "the stub's data", for: operation.erased)
        try check(data, of: operation.erased)
        let response = HTTPResponse(
            status: .ok, headers: [.contentType: "application/json"], body: (try? JSONBodyEncoder.json.encode(["data": data])) ?? Data())
        if result.data == nil { return GraphQLResponse(result: .failed(result.errors), http: .ofMock) }
        var read = try GraphQLResponseReader.read(response, of: operation, decoder: decoder)
        if let data = read.result.data, !result.errors.isEmpty { read.result = .partial(data, result.errors) }
        return read
    }
}

extension HTTPResponse where Body == Void {
    fileprivate static var ofMock: Self { HTTPResponse(status: .ok, body: ()) }
}
