public import MartletEssentials
public import MartletGraphQL
internal import MartletSystem

/// A GraphQL client that answers without a network: for tests of what takes an `any GraphQLClientProtocol`.
///
/// ```swift
/// let mock = GraphQLClientMock()
/// mock.on(HeroQuery.self) { query in HeroQuery.Data(hero: .init(name: "Hero \(query.id)")) }
/// mock.on("Search", .json(#"{"data":null,"errors":[{"message":"too busy"}]}"#), .data(["search": []]))  // in this order
/// #expect(try await HeroRepository(graphQL: mock).hero("3")?.name == "Hero 3")
/// #expect(mock.requestedOperations.first?.variables["id"] == "3")
/// ```
///
/// A subscription gets all answers of its stub, one after the other, and is then complete; so do the updates of an operation with `@defer`:
///
/// ```swift
/// mock.on(Sightings.self, .data(first), .data(second).delayed(by: .seconds(1)), .failure(.http(.timeout)))
/// ```
///
/// The latest stub that fits an operation answers it, then ``result``. A call with none throws `.invalidOperation`, with the list of what was
/// stubbed; so does a document of another kind than the call is for, and one that can't be parsed is `.invalidDocument`, as with a real client.
/// Each mock is on its own, and any number of calls may be made at once.
public final class GraphQLClientMock: GraphQLClientProtocol {
    typealias Stub = ClientStub<AnyGraphQLOperation, GraphQLError>
    typealias StubbedReply = (delay: Duration, answer: Stub.Script.Handler)

    private let stubs = Locked(ClientStubs<AnyGraphQLOperation, GraphQLError>())
    private let requested = Recorder<GraphQLCall>()
    /// The calls that wait for their responses.
    public let calls: CallGroup? = CallGroup()
    /// What answers are decoded with.
    public let decoder: any BodyDecoder
    /// What it waits on.
    public let time: any TimeSource

    /// A mock that decodes with `decoder` and waits on `time`. Defaults: `.json`, the system's.
    public init(decoder: any BodyDecoder = .json, time: any TimeSource = .system) {
        self.decoder = decoder
        self.time = time
    }

    // MARK: Stubs

    /// What every call without a stub of its own gets: the operation's data as JSON, or an error. Default: nil.
    public var result: Result<Data, GraphQLError>? {
        get { stubs.withLock { $0.result } }
        set { stubs.withLock { $0.result = newValue } }
    }

    /// Answers operations of one type with the data that `answer` makes of each.
    ///
    /// - Parameters:
    ///   - type: the operation's type.
    ///   - condition: which operations of the type are answered. Default: nil, all.
    ///   - answer: makes the data, or throws.
    public func on<Operation: GraphQLOperationDefinition>(
        _ type: Operation.Type, where condition: (@Sendable (Operation) -> Bool)? = nil,
        answer: @escaping @Sendable (Operation) async throws(GraphQLError) -> Operation.Data
    ) {
        let script = Stub.Script { operation in
            guard let value = operation.variablesValue as? Operation else {
                return .failure(.invalidOperation("a stub for \(type) was asked for another operation"))
            }
            do throws(GraphQLError) { return .value(GraphQLResult.complete(try await answer(value))) } catch { return .failure(error) }
        }
        add(Stub(type, condition, script) { $0.variablesValue as? Operation })
    }

    /// Answers operations of one type, in this order; the last answer stays.
    public func on<Operation: GraphQLOperationDefinition>(
        _ type: Operation.Type, where condition: (@Sendable (Operation) -> Bool)? = nil,
        _ answer: StubbedGraphQLResponse<Operation.Data>, _ more: StubbedGraphQLResponse<Operation.Data>...
    ) {
        add(Stub(type, condition, script([answer] + more)) { $0.variablesValue as? Operation })
    }

    /// Answers operations by their name, in this order; the last answer stays. Data are given as JSON.
    public func on(_ operationName: String, _ answer: StubbedGraphQLResponse<JSONValue>, _ more: StubbedGraphQLResponse<JSONValue>...) {
        add(Stub(named: operationName, script([answer] + more)) { $0.operationName })
    }

    private func script<Value>(_ answers: [StubbedGraphQLResponse<Value>]) -> Stub.Script {
        Stub.Script(answers.map { ($0.answer, $0.delay) })
    }

    private func add(_ stub: Stub) { stubs.withLock { $0.add(stub) } }

    /// Throws when there are stubs, or answers of stubs, that no call has asked for, and names them.
    public func verify() throws(UnusedStubsError) {
        try UnusedStubsError.check(stubs.withLock { $0.unused })
    }

    // MARK: What was asked for

    /// The operations that were asked for, in order.
    public var requestedOperations: [AnyGraphQLOperation] { requested.values.map(\.operation) }

    /// The operations that were asked for, in order, each with the options of its call.
    public var requestedCalls: [GraphQLCall] { requested.values }

    /// The operations of one type that were asked for, in order.
    public func requested<Operation: GraphQLOperationDefinition>(_ type: Operation.Type) -> [Operation] {
        requestedOperations.compactMap { $0.variablesValue as? Operation }
    }

    /// The first `count` operations, as soon as so many have been asked for.
    ///
    /// Throws `CancellationError` when the task is cancelled before.
    @discardableResult
    public func waitForOperations(_ count: Int = 1) async throws(CancellationError) -> [AnyGraphQLOperation] {
        try await requested.first(count).map(\.operation)
    }

    // MARK: Answering

    /// Gives the stub's data, or reads its answer or ``result``.
    @concurrent public func response<Value>(
        for operation: GraphQLOperation<Value>, options: GraphQLCallOptions
    ) async throws(GraphQLError) -> GraphQLResponse<Value> {
        try operation.erased.check(for: [.query, .mutation])
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

    /// What is answered to an operation, as `take` takes it from the stub that fits; the one of ``result`` when none does.
    func answers(
        to operation: AnyGraphQLOperation, _ options: GraphQLCallOptions,
        _ take: (inout Stub.Script) -> [StubbedReply]
    ) throws(GraphQLError) -> [StubbedReply] {
        // Conditions are a test's own code, and run outside the lock.
        let stub = stubs.withLock { $0.stubs }.last { $0.fits(operation) }
        let (found, result) = stubs.withLock { stubs in
            // In one step, so that concurrent calls get their answers in the order of the record.
            requested.append(GraphQLCall(operation: operation, options: options))
            return (stub.map { stubs.take(from: $0, take) }, stubs.result)
        }
        if Task.isCancelled { throw .http(.cancelled) }
        if let found { return found }
        switch result {
        case .success(let data):
            let body = Data(#"{"data":"#.utf8) + data + Data("}".utf8)
            let response = HTTPResponse(status: .ok, headers: [.contentType: "application/json"], body: body)
            return [(.zero, { _ in .response(response) })]
        case .failure(let error): throw error
        case nil: throw unstubbed(operation)
        }
    }

    func wait(_ delay: Duration) async throws(GraphQLError) {
        guard delay > .zero else { return }
        do { try await time.sleep(for: delay) } catch { throw .http(.cancelled) }
    }

    private func unstubbed(_ operation: AnyGraphQLOperation) -> GraphQLError {
        .invalidOperation("\(operation) was not stubbed; stubbed: \(stubs.withLock { $0.names })")
    }

    /// An answer as a client gives it.
    func response<Value>(
        _ answer: Stub.Answer, to operation: GraphQLOperation<Value>
    ) throws(GraphQLError) -> GraphQLResponse<Value> {
        switch answer {
        case .failure(let error): throw error
        case .response(let response): return try GraphQLResponseReader.read(response, of: operation, decoder: decoder)
        case .value(let result as GraphQLResult<Value>): return GraphQLResponse(result: result, http: .ofMock)
        case .value(let result as GraphQLResult<JSONValue>): return try decoded(result, of: operation)
        case .value(let result):
            throw .invalidOperation("the stub for \(operation) gave \(type(of: result)) and the call wants \(Value.self)")
        }
    }

    /// Data that were given as JSON, decoded for real.
    private func decoded<Value>(
        _ result: GraphQLResult<JSONValue>, of operation: GraphQLOperation<Value>
    ) throws(GraphQLError) -> GraphQLResponse<Value> {
        let data = result.data ?? .null
        let response = HTTPResponse(
            status: .ok, headers: [.contentType: "application/json"], body: (try? JSONBodyEncoder.json.encode(["data": data])) ?? Data())
        if result.data == nil { return GraphQLResponse(result: .failed(result.errors), http: .ofMock) }
        var read = try GraphQLResponseReader.read(response, of: operation, decoder: decoder)
        if let data = read.result.data, !result.errors.isEmpty { read.result = .partial(data, result.errors) }
        return read
    }
}

/// A call that a mock was asked for.
public struct GraphQLCall: Sendable {
    /// The operation.
    public let operation: AnyGraphQLOperation
    /// The call's options: its fields, time-outs and policies.
    public let options: GraphQLCallOptions
}

extension HTTPResponse where Body == Void {
    fileprivate static var ofMock: Self { HTTPResponse(status: .ok, body: ()) }
}
