import Foundation
import Martlet
import MartletGraphQL
import Testing

@testable import MartletTesting

@Suite(.timeLimit(.minutes(5))) struct GraphQLClientMockTests {
    struct Hero: Codable, Sendable, Equatable { let name: String }
    struct HeroData: Codable, Sendable, Equatable { let hero: Hero? }

    struct HeroQuery: GraphQLQuery {
        typealias Data = HeroData
        static let document: GraphQLDocument = "query Hero($id: ID!) { hero(id: $id) { name } }"
        let id: Int
    }

    private let mock = GraphQLClientMock()
    private let luke = HeroData(hero: Hero(name: "Luke"))

    private func error(_ operation: () async throws(GraphQLError) -> Void) async -> GraphQLError? {
        do throws(GraphQLError) { try await operation() } catch { return error }
        return nil
    }

    @Test("A stub by type returns data for each operation and can read its properties")
    func byType() async throws {
        mock.on(HeroQuery.self) { query in HeroData(hero: Hero(name: "Hero \(query.id)")) }
        #expect(try await mock.execute(HeroQuery(id: 3)).hero?.name == "Hero 3")
        #expect(mock.requested(HeroQuery.self).map(\.id) == [3])
    }

    @Test("Responses are used in order, and the last one is repeated")
    func order() async throws {
        mock.on(HeroQuery.self, .failure(.http(.timeout)), .errors(GraphQLResponseError(message: "no")), .data(luke))
        await #expect(throws: GraphQLError.http(.timeout)) { try await mock.execute(HeroQuery(id: 1)) }
        await #expect(throws: GraphQLError.response([GraphQLResponseError(message: "no")])) { try await mock.execute(HeroQuery(id: 1)) }
        for _ in 0..<2 { #expect(try await mock.execute(HeroQuery(id: 1)) == luke) }
    }

    @Test("A conditional stub applies only to matching operations")
    func condition() async throws {
        mock.on(HeroQuery.self, .data(luke))
        mock.on(HeroQuery.self, where: { $0.id == 7 }, .failure(.http(.timeout)))
        #expect(try await mock.execute(HeroQuery(id: 1)) == luke)
        await #expect(throws: GraphQLError.http(.timeout)) { try await mock.execute(HeroQuery(id: 7)) }
    }

    @Test("A stub by name returns JSON, which is decoded")
    func byName() async throws {
        mock.on("Hero", .data(["hero": ["name": "Leia"]]), .json(#"{"data":{"hero":null},"errors":[{"message":"m"}]}"#), .data(["hero": 1]))
        let operation = GraphQLOperation<HeroData>("query Hero { hero { name } }")
        #expect(try await mock.execute(operation).hero?.name == "Leia")
        #expect(try await mock.result(of: operation) == .partial(HeroData(hero: nil), [GraphQLResponseError(message: "m")]))
        let failure = await error { () async throws(GraphQLError) in _ = try await mock.execute(operation) }
        guard case .http(.decodingFailed(let what)) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        #expect(what.codingPath == "data.hero")
    }

    @Test("Partial data are returned with their errors")
    func partial() async throws {
        mock.on("Hero", .partial(["hero": ["name": "Leia"]], GraphQLResponseError(message: "m")))
        let result = try await mock.result(of: HeroQuery(id: 1))
        #expect(result == .partial(HeroData(hero: Hero(name: "Leia")), [GraphQLResponseError(message: "m")]))
    }

    @Test("A complete response in place of the data is refused, in the result for all operations and in a stub")
    func wholeResponse() async {
        mock.result = .success(Data(#"{"data":{"hero":{"name":"Leia"}}}"#.utf8))
        let result = await error { () async throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: 1)) }
        guard case .invalidOperation(let what) = result else { return #expect(Bool(false), "\(String(describing: result))") }
        #expect(what.text.contains("GraphQLClientMock.result for query Hero is a complete response"))
        mock.on("Hero", .data(["data": ["hero": nil]]))
        let stub = await error { () async throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: 1)) }
        guard case .invalidOperation(let text) = stub else { return #expect(Bool(false), "\(String(describing: stub))") }
        #expect(text.text.contains(##"mock.on("Hero", .json(#"{"data":…}"#))"##))
    }

    @Test("A call without a stub throws an error that lists the stubs")
    func unstubbed() async {
        mock.on("Other", .data(nil))
        let failure = await error { () async throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: 1)) }
        #expect("\(String(describing: failure))".contains("query Hero has no stub. Stubs: Other"))
    }

    @Test("An invalid document and one of another kind are refused as by a client")
    func refused() async {
        mock.result = .success(Data("{}".utf8))
        let broken = await error { () async throws(GraphQLError) in _ = try await mock.execute(GraphQLOperation<HeroData>("query {")) }
        guard case .invalidDocument = broken else { return #expect(Bool(false), "\(String(describing: broken))") }
        let subscription = GraphQLOperation<HeroData>("subscription { hero { name } }")
        let other = await error { () async throws(GraphQLError) in _ = try await mock.execute(subscription) }
        guard case .invalidOperation = other else { return #expect(Bool(false), "\(String(describing: other))") }
    }

    @Test("verify() names unused stubs and responses")
    func verify() async throws {
        mock.on("Never", .data(nil))
        mock.on(HeroQuery.self, .data(luke), .failure(.http(.timeout)))
        _ = try await mock.execute(HeroQuery(id: 1))
        #expect(throws: UnusedStubsError(stubs: ["Never", "HeroQuery: 1 of 2 answers"])) { try mock.verify() }
    }

    @Test("A later stub for the same type or name replaces the earlier one")
    func replacing() async throws {
        mock.on(HeroQuery.self, .failure(.http(.timeout)))
        mock.on(HeroQuery.self, .data(luke))
        #expect(try await mock.execute(HeroQuery(id: 1)) == luke)
        try mock.verify()
    }

    @Test("A delayed response waits on the mock's time, and the wait can be cancelled")
    func delay() async throws {
        let time = ManualTime(autoAdvances: false)
        let mock = GraphQLClientMock(time: time)
        mock.on(HeroQuery.self, .data(luke).delayed(by: .seconds(5)))
        let task = Task { await error { () async throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: 1)) } }
        try await time.waitForSleeps(1)
        task.cancel()
        #expect(await task.value == .http(.cancelled))
    }

    @Test("A call obeys the deadline of its task: a delay ends with it, and no later call succeeds")
    func deadlines() async throws {
        let time = ManualTime(), mock = GraphQLClientMock(time: time)
        mock.on(HeroQuery.self, .data(luke).delayed(by: .seconds(5)), .data(luke))
        await withDeadline(.seconds(2), time: time) {
            for _ in 0..<2 {
                let failure = await error { () async throws(GraphQLError) in _ = try await mock.execute(HeroQuery(id: 1)) }
                #expect(failure == .http(.timeout) && time.sleeps == [.seconds(2)])
            }
        }
        #expect(try await mock.execute(HeroQuery(id: 1)) == luke)
    }

    @Test("Each call's options are recorded with its operation")
    func options() async throws {
        mock.result = .success(Data(#"{"hero":null}"#.utf8))
        _ = try await mock.execute(HeroQuery(id: 1), options: .init(headers: [.authorization: "Bearer ann"], timeout: .seconds(2)))
        let call = try #require(mock.requestedCalls.first)
        #expect(call.options.headers[.authorization] == "Bearer ann" && call.options.timeout == .seconds(2))
        #expect(call.operation.operationName == "Hero")
    }

    @Test("Updates are all responses of the stub, and the last one has no next")
    func updates() async throws {
        mock.on(HeroQuery.self, .data(HeroData(hero: nil)), .data(luke))
        var seen: [GraphQLUpdate<HeroData>] = []
        for try await update in mock.updates(HeroQuery(id: 1)) { seen.append(update) }
        #expect(seen.map(\.hasNext) == [true, false])
        #expect(seen.last?.data == luke)
    }

    @Test("A sequence of values has one response, and each operation of a batch gets its own")
    func valuesAndBatch() async throws {
        mock.on(HeroQuery.self, .data(luke), .failure(.http(.timeout)))
        var answers = 0
        for try await response in mock.values(HeroQuery(id: 1)) {
            #expect(response.result.data == luke)
            answers += 1
        }
        #expect(answers == 1)
        mock.on(HeroQuery.self, .data(luke), .failure(.http(.timeout)))
        let client: any GraphQLClientProtocol = mock
        let (first, second) = try await client.batch(HeroQuery(id: 1), HeroQuery(id: 2))
        #expect(try first.data() == luke)
        #expect(throws: GraphQLError.http(.timeout)) { try second.data() }
        #expect(try await client.batch([HeroQuery(id: 1)]).count == 1)
    }

    @Test("A test can wait for operations")
    func waiting() async throws {
        mock.result = .success(Data(#"{"hero":null}"#.utf8))
        async let asked = mock.waitForOperations(2)
        _ = try await mock.execute(HeroQuery(id: 1))
        _ = try await mock.execute(HeroQuery(id: 2))
        #expect(try await asked.map { $0.variables["id"] } == [1, 2])
    }
}

@Suite(.timeLimit(.minutes(5))) struct GraphQLClientMockSubscriptionTests {
    struct Sightings: GraphQLSubscription {
        struct Data: Codable, Sendable, Equatable { let bird: String }
        static let document: GraphQLDocument = "subscription Sightings($place: String) { bird(place: $place) }"
        let place: String
    }

    private let mock = GraphQLClientMock()

    private func birds() async throws(GraphQLError) -> [String] {
        var birds: [String] = []
        for try await result in mock.subscribe(Sightings(place: "tower")) { birds.append(try result.get().bird) }
        return birds
    }

    @Test("A subscription returns all responses in order and ends, each time it is iterated")
    func all() async throws {
        mock.on(Sightings.self, .data(.init(bird: "swift")), .json(#"{"data":{"bird":"martin"}}"#))
        for _ in 0..<2 { #expect(try await birds() == ["swift", "martin"]) }
        #expect(mock.requested(Sightings.self).map(\.place) == ["tower", "tower"])
        try mock.verify()
    }

    @Test("The deadline of the task ends with the head: an open subscription continues, and no new one opens")
    func deadlines() async throws {
        let time = ManualTime(), mock = GraphQLClientMock(time: time)
        mock.on(Sightings.self, .data(.init(bird: "swift")), .data(.init(bird: "martin")).delayed(by: .seconds(5)))
        try await withDeadline(.seconds(2), time: time) {
            var birds: [String] = []
            for try await result in mock.subscribe(Sightings(place: "tower")) { birds.append(try result.get().bird) }
            #expect(birds == ["swift", "martin"] && time.sleeps == [.seconds(5)])
            var late = mock.subscribe(Sightings(place: "tower")).makeAsyncIterator()
            await #expect(throws: GraphQLError.http(.timeout)) { _ = try await late.next() }
        }
    }

    @Test("A failure among the responses is thrown in order and ends the sequence")
    func failure() async throws {
        mock.on(Sightings.self, .data(.init(bird: "swift")), .failure(.http(.timeout)), .data(.init(bird: "never")))
        var results = mock.subscribe(Sightings(place: "tower")).makeAsyncIterator()
        #expect(try await results.next()?.data?.bird == "swift")
        await #expect(throws: GraphQLError.http(.timeout)) { _ = try await results.next() }
        #expect(try await results.next() == nil)
    }

    @Test("A subscription without a stub throws an error that says so, and a query is not a subscription")
    func refused() async {
        await #expect(throws: GraphQLError.invalidOperation("subscription Sightings has no stub. Stubs: nothing")) {
            try await birds()
        }
        let query = GraphQLOperation<Sightings.Data>("query Bird { bird }")
        var signals = mock.subscribe(query).signals.makeAsyncIterator()
        await #expect(throws: GraphQLError.self) { _ = try await signals.next() }
        var results = mock.subscribe(query).makeAsyncIterator()
        let error = await #expect(throws: GraphQLError.self) { _ = try await results.next() }
        guard case .invalidOperation = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}

@Suite(.timeLimit(.minutes(5))) struct WholeResponseTests {
    private func isWhole(_ data: JSONValue, _ document: GraphQLDocument) -> Bool {
        WholeResponse.isWhole(data, for: GraphQLOperation<EmptyResponse>(document).erased)
    }

    @Test(
        "An object with only the members of a response is a complete response",
        arguments: [
            (["data": ["hero": nil]], true), (["data": nil, "errors": [["message": "no"]]], true), (["errors": []], true),
            (["data": ["hero": nil], "extensions": [:]], true), (["hero": nil], false), ([:], false), (["extensions": [:]], false),
            (["data": nil, "hero": nil], false), (["data"], false), (nil, false),
        ] as [(JSONValue, Bool)])
    func members(data: JSONValue, expected: Bool) { #expect(isWhole(data, "{ hero { name } }") == expected) }

    @Test("A root field with the name of a member is data, also if a fragment or an alias selects it")
    func fields() {
        let data: JSONValue = ["data": ["id": 1]]
        #expect(!isWhole(data, "{ data { id } }") && !isWhole(data, "{ data: hero { id } }"))
        #expect(!isWhole(data, "{ ... on Query { data { id } } }"))
        #expect(!isWhole(data, "{ ...A } fragment A on Query { ...B } fragment B on Query { data { id } }"))
        #expect(isWhole(data, "{ hero { data { id } } }") && isWhole(data, "{ hero: data { id } }"))
        #expect(isWhole(["errors": [], "data": nil], "{ hero { id } }") && !isWhole(["errors": [1]], "{ errors }"))
    }
}
