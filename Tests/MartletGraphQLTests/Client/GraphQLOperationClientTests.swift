import Foundation
import Martlet
import MartletGraphQL
import MartletSystem
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct GraphQLOperationClientTests {
    private struct CountQuery: GraphQLQuery {
        typealias Data = Count
        static let document: GraphQLDocument = "query Count($after: String) { count(after: $after) }"
        var after: String?
    }

    private struct Touch: GraphQLMutation {
        typealias Data = EmptyResponse
        static let document: GraphQLDocument = "mutation Touch { touch { id } }"
    }

    struct AppError: Error, Equatable { let status: Int? }

    private static let mapper = GraphQLErrorMapper { AppError(status: $0.httpError?.status?.rawValue) }

    /// A way to send an operation through a client that throws only `AppError`, and the numbers that it returns.
    struct Method: CustomTestStringConvertible, Sendable {
        typealias Client = any GraphQLOperationClient<AppError>

        let testDescription: String
        let expected: [Int]
        let run: @Sendable (Client) async throws(AppError) -> [Int]

        init(
            _ name: String, _ expected: [Int] = [1], _ run: @escaping @Sendable (Client) async throws(AppError) -> [Int]
        ) {
            testDescription = name
            self.expected = expected
            self.run = run
        }
    }

    private static func all<Element, S: AsyncSequence>(
        _ sequence: S, _ number: (S.Element) -> Element?
    ) async throws(AppError) -> [Element] where S.Failure == AppError {
        var elements: [Element] = []
        for try await element in sequence { if let number = number(element) { elements.append(number) } }
        return elements
    }

    /// Returns the numbers of a batch's outcomes, or throws the app's error for the first failure.
    private static func numbers(_ client: Method.Client, _ outcomes: GraphQLOutcome<Count>...) throws(AppError) -> [Int] {
        var numbers: [Int] = []
        do throws(GraphQLError) { for outcome in outcomes { numbers.append(try outcome.data().count) } } catch {
            throw client.failure(for: error)
        }
        return numbers
    }

    private static let value = CountQuery().operation, touch = Touch().operation, subscription = Counting().operation
    private static let options = GraphQLCallOptions(headers: ["X-Own": "1"])
    private static let rule = GraphQLNextPage<Count>.variables { $0.count == 0 ? ["after": "x"] : nil }

    static let results: [Method] = [
        Method("execute, a value") { client throws(AppError) in [try await client.execute(value).count] },
        Method("execute, a type") { client throws(AppError) in [try await client.execute(CountQuery(), options: options).count] },
        Method("execute, a value, discarded", []) { client throws(AppError) in
            try await client.execute(touch)
            return []
        },
        Method("execute, a type, discarded", []) { client throws(AppError) in
            try await client.execute(Touch(), options: options)
            return []
        },
        Method("result, a value") { client throws(AppError) in [try await client.result(of: value).data?.count ?? 0] },
        Method("result, a type") { client throws(AppError) in [try await client.result(of: CountQuery()).data?.count ?? 0] },
        Method("response, a value") { client throws(AppError) in [try await client.response(for: value).result.data?.count ?? 0] },
        Method("response, with options") { client throws(AppError) in
            [try await client.response(for: value, options: options).result.data?.count ?? 0]
        },
        Method("response, a type") { client throws(AppError) in
            [try await client.response(for: CountQuery()).result.data?.count ?? 0]
        },
    ]

    static let batches: [Method] = [
        Method("batch, values of several types", [1, 1]) { client throws(AppError) in
            let (one, other) = try await client.batch(value, value)
            return try numbers(client, one, other)
        },
        Method("batch, types", [1, 1]) { client throws(AppError) in
            let (one, other) = try await client.batch(CountQuery(), CountQuery(after: "1"))
            return try numbers(client, one, other)
        },
        Method("batch, an array of values") { client throws(AppError) in
            try numbers(client, try await client.batch([value])[0])
        },
        Method("batch, an array of a type") { client throws(AppError) in
            try numbers(client, try await client.batch([CountQuery()], options: options)[0])
        },
    ]

    static let sequences: [Method] = [
        Method("subscribe, a value") { client throws(AppError) in try await all(client.subscribe(subscription)) { $0.data?.count } },
        Method("subscribe, with options") { client throws(AppError) in
            try await all(client.subscribe(subscription, options: options)) { $0.data?.count }
        },
        Method("subscribe, a type") { client throws(AppError) in try await all(client.subscribe(Counting())) { $0.data?.count } },
        Method("subscribe, the signals") { client throws(AppError) in
            try await all(client.subscribe(Counting()).signals) { if case .result(let result) = $0 { result.data?.count } else { nil } }
        },
        Method("updates, a value") { client throws(AppError) in try await all(client.updates(value)) { $0.data?.count } },
        Method("updates, with options") { client throws(AppError) in
            try await all(client.updates(value, options: options)) { $0.data?.count }
        },
        Method("updates, a type") { client throws(AppError) in try await all(client.updates(CountQuery())) { $0.data?.count } },
        Method("values, a value") { client throws(AppError) in try await all(client.values(value)) { $0.result.data?.count } },
        Method("values, with options") { client throws(AppError) in
            try await all(client.values(value, options: options)) { $0.result.data?.count }
        },
        Method("values, a type") { client throws(AppError) in try await all(client.values(CountQuery())) { $0.result.data?.count } },
        Method("pages, a value") { client throws(AppError) in try await all(client.pages(value, next: rule)) { $0.count } },
        Method("pages, a type") { client throws(AppError) in try await all(client.pages(CountQuery(), next: rule)) { $0.count } },
        Method("items, a value") { client throws(AppError) in
            try await all(client.items(value, next: rule) { [$0.count] }) { $0 }
        },
        Method("items, a type") { client throws(AppError) in
            try await all(client.items(CountQuery(), next: rule) { [$0.count] }) { $0 }
        },
    ]

    private func client(_ reply: @escaping @Sendable (HTTPRequest) -> MockReply) -> GraphQLClient {
        let http = HTTPClient(
            baseURL: URL(string: "https://api.example/"), transport: MockTransport { reply($0) },
            configuration: .init(totalTimeout: nil), time: ManualTime())
        return GraphQLClient(http)
    }

    /// The reply that fits a request: events, an element for each operation of a batch, or one response.
    @Sendable private static func counting(_ request: HTTPRequest) -> MockReply {
        if request.headers[.accept]?.contains("text/event-stream") == true { return .counting(1) }
        let one = #"{"data":{"count":1}}"#
        guard let batch = request.json?.arrayValue else { return .json(one) }
        return .json("[\(batch.map { _ in one }.joined(separator: ","))]")
    }

    @Test("Each method of a client with mapped errors returns what the wrapped client returns", arguments: results + batches + sequences)
    func mapped(_ method: Method) async throws {
        #expect(try await method.run(client(Self.counting).mappingErrors(Self.mapper)) == method.expected)
    }

    @Test("Each method of a client with mapped errors throws only the app's error", arguments: results + batches + sequences)
    func mappedErrors(_ method: Method) async {
        await #expect(throws: AppError(status: 403)) { try await method.run(client { _ in .status(403) }.mappingErrors(Self.mapper)) }
    }

    @Test("Errors that are found without a request are mapped: the server's, a page beyond the limit, an invalid document")
    func otherErrors() async {
        let api = client { _ in .json(#"{"data":{"count":0},"errors":[{"message":"no"}]}"#) }.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.unknown("")) { try await api.execute(CountQuery()) }
        await #expect(throws: APIError.invalidRequest("")) { try await api.execute(GraphQLOperation<Count>("query {")) }
        let pages = client { _ in .json(#"{"data":{"count":0}}"#) }.mappingErrors(Self.mapper).pages(
            CountQuery(), next: Self.rule, maxPages: 1)
        await #expect(throws: AppError(status: nil)) { for try await _ in pages {} }
    }

    @Test("The outcome of one operation of a batch stays a GraphQLError")
    func outcomes() async throws {
        let api = client { _ in .json(#"[{"data":{"count":1}},{"errors":[{"message":"no"}]}]"#) }.mappingErrors(Self.mapper)
        let outcomes = try await api.batch([CountQuery(), CountQuery()])
        #expect(try outcomes[0].data() == Count(count: 1))
        #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) { try outcomes[1].data() }
    }

    @Test("A client with mapped errors has the error policy, the calls and the time of the wrapped client, and can be mapped again")
    func properties() async throws {
        let partial = client { _ in .json(#"{"data":{"count":7},"errors":[{"message":"no"}]}"#) }
        let wrapped = partial.with { $0.errorPolicy = .ignore }, api = wrapped.mappingErrors(Self.mapper)
        #expect(try await api.execute(CountQuery()).count == 7)
        #expect(api.errorPolicy == .ignore && api.calls === wrapped.calls && api.time is ManualTime)
        let again = api.mappingErrors(GraphQLErrorMapper())
        await #expect(throws: APIError.unknown("")) { try await again.execute(CountQuery(), options: .init(errorPolicy: .none)) }
        #expect(await api.drain(within: .zero).cancelled == 0)
        await #expect(throws: GraphQLError.http(.draining)) { try await wrapped.execute(CountQuery()) }
    }

    // MARK: Clients of users

    /// A client as an app writes it around another.
    private struct Logged: GraphQLClientProtocol {
        let wrapped: any GraphQLClientProtocol
        let names = Locked<[String]>([])

        var errorPolicy: ErrorPolicy { wrapped.errorPolicy }
        var calls: CallGroup? { wrapped.calls }
        var time: any TimeSource { wrapped.time }

        private func log(_ operation: AnyGraphQLOperation) { names.withLock { $0.append(operation.operationName ?? "") } }

        func response<D>(
            for operation: GraphQLOperation<D>, options: GraphQLCallOptions
        ) async throws(GraphQLError) -> GraphQLResponse<D> {
            log(operation.erased)
            return try await wrapped.response(for: operation, options: options)
        }

        func updates<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLUpdateSequence<D, GraphQLError> {
            log(operation.erased)
            return wrapped.updates(operation, options: options)
        }

        func subscribe<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLSubscriptionSequence<D, GraphQLError> {
            log(operation.erased)
            return wrapped.subscribe(operation, options: options)
        }

        func values<D>(_ operation: GraphQLOperation<D>, options: GraphQLCallOptions) -> GraphQLValues<D, GraphQLError> {
            log(operation.erased)
            return wrapped.values(operation, options: options)
        }

        func send(_ batch: GraphQLBatch, options: GraphQLCallOptions) async throws(GraphQLError) {
            for operation in batch.operations { log(operation) }
            try await wrapped.send(batch, options: options)
        }
    }

    @Test("A wrapper that forwards the requirements has every method, and sees each operation", arguments: results + batches + sequences)
    func wrapper(_ method: Method) async throws {
        let logged = Logged(wrapped: client(Self.counting))
        #expect(try await method.run(logged.mappingErrors(Self.mapper)) == method.expected)
        #expect(logged.names.withLock { $0.count } == max(1, method.expected.count))
    }

    /// A client with only the one requirement that has no default.
    private struct Answering: GraphQLClientProtocol {
        func response<D>(
            for operation: GraphQLOperation<D>, options: GraphQLCallOptions
        ) async throws(GraphQLError) -> GraphQLResponse<D> {
            GraphQLResponse(result: .failed([GraphQLResponseError(message: "x")]), http: HTTPResponse(status: 200, body: ()))
        }
    }

    @Test("A client with only response(for:options:) has one update, one value and outcomes, and refuses subscriptions")
    func defaults() async throws {
        let client = Answering()
        var errors: [String] = []
        for try await update in client.updates(CountQuery()) { errors += update.errors.map(\.message) }
        for try await response in client.values(CountQuery()) { errors += response.result.errors.map(\.message) }
        let refused = await #expect(throws: GraphQLError.self) { for try await _ in client.subscribe(Counting()) {} }
        guard case .invalidOperation = refused else { Issue.record("\(String(describing: refused))"); return }
        let (one, other) = try await client.batch(CountQuery(), CountQuery())
        for outcome in [one, other] { errors += try outcome.get().result.errors.map(\.message) }
        #expect(errors == ["x", "x", "x", "x"])
        #expect(client.errorPolicy == .standard && client.calls == nil)
        client.cancelAll()
    }

    // MARK: Code over any client

    private struct Service {
        let graphQL: any GraphQLClientProtocol

        func count() async throws(GraphQLError) -> Int { try await graphQL.execute(CountQuery()).count }

        func touch() async throws(GraphQLError) { try await graphQL.execute(Touch()) }

        func items() async throws(GraphQLError) -> [Int] {
            var items: [Int] = []
            for try await item in graphQL.items(CountQuery(), next: rule, items: { [$0.count] }) { items.append(item) }
            return items
        }

        func sightings() async throws(GraphQLError) -> [Int?] {
            var counts: [Int?] = []
            for try await result in graphQL.subscribe(Counting()) { counts.append(result.data?.count) }
            return counts
        }

        func growing() async throws(GraphQLError) -> [Bool] {
            var ends: [Bool] = []
            for try await update in graphQL.updates(CountQuery()) { ends.append(update.hasNext) }
            return ends
        }
    }

    @Test("A service sends operations through any GraphQLClientProtocol, here a mock, and throws only GraphQLError")
    func service() async throws {
        let mock = GraphQLClientMock()
        mock.on("Count", .data(["count": 0]), .data(["count": 2]))
        mock.on(Counting.self, .data(Count(count: 4)))
        mock.on(Touch.self, .json(#"{"data":{"touch":{"id":1}}}"#))
        let service = Service(graphQL: mock)
        #expect(try await service.items() == [0, 2])
        #expect(try await service.count() == 2)
        #expect(try await service.sightings() == [4])
        #expect(try await service.growing() == [true, false])
        try await service.touch()
        #expect(mock.requestedOperations.compactMap { $0.variables["after"] } == ["x"])
    }

    private func count<Client: GraphQLOperationClient>(_ client: Client) async throws(Client.Failure) -> Int {
        try await client.execute(CountQuery()).count
    }

    @Test("Code that is generic over the client throws the client's error")
    func generic() async throws {
        let mock = GraphQLClientMock()
        mock.result = .failure(.http(.timeout))
        await #expect(throws: GraphQLError.http(.timeout)) { _ = try await count(mock) }
        await #expect(throws: APIError.timeout) { _ = try await count(mock.mappingErrors(GraphQLErrorMapper())) }
    }

    @Test("EmptyResponse accepts any data of a mutation, and its errors are thrown")
    func nothingWanted() async throws {
        try await client { _ in .json(#"{"data":{"touch":{"id":1}}}"#) }.execute(Touch())
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) {
            try await client { _ in .json(#"{"data":null,"errors":[{"message":"no"}]}"#) }.execute(Touch())
        }
    }
}
