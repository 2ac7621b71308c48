import MartletEssentials
import MartletSystem
import MartletTesting
import Testing

@testable import MartletClient
@testable import MartletGraphQL

@Suite("Sharing of identical concurrent queries", .timeLimit(.minutes(5)))
struct DeduplicationTests {
    private func gated(_ gate: Gate, _ body: String = Wire.swift) -> MockTransport {
        MockTransport { _ in
            await gate.pass()
            return .json(body)
        }
    }

    private func untilWaiting(_ count: Int, _ client: GraphQLClient) async {
        while client.shared.flights.waiterCount < count { await Task.yield() }
    }

    @Test("Identical queries are sent once, and each result is decoded as its own type", .timeLimit(.minutes(5)))
    func once() async throws {
        struct Other: Decodable, Sendable { struct Hero: Decodable, Sendable { var name: String? }; var hero: Hero }
        let gate = Gate()
        let transport = gated(gate)
        let client = Wire.client(transport)
        let first = Task { try await client.execute(Wire.hero).hero?.name }
        let second = Task { try await client.execute(Wire.hero).hero?.name }
        let third = Task { try await client.execute(Wire.hero.decoding(as: Other.self)).hero.name }
        let fourth = Task { try await client.execute(Wire.hero.decoding(as: Int.self)) }
        await untilWaiting(4, client)
        gate.open()
        let names = [try await first.value, try await second.value, try await third.value]
        #expect(names == ["Swift", "Swift", "Swift"] && transport.requests.count == 1)
        await #expect(throws: GraphQLError.self) { try await fourth.value }
        _ = try await client.execute(Wire.hero)
        #expect(transport.requests.count == 2)
    }

    @Test("Queries that differ are sent separately", .timeLimit(.minutes(5)))
    func differences() async throws {
        let gate = Gate()
        let transport = gated(gate)
        let client = Wire.client(transport)
        var limited = GraphQLCallOptions()
        limited.call.limits = ResponseLimits(bodyBytes: 1_000)
        var marked = GraphQLCallOptions()
        marked.call.context.isIdempotent = true
        var redirected = GraphQLCallOptions()
        redirected.call.redirects = .none
        let options = [
            GraphQLCallOptions(), GraphQLCallOptions(headers: ["X": "1"]), GraphQLCallOptions(timeout: .seconds(9)),
            GraphQLCallOptions(extensions: ["a": 1]), GraphQLCallOptions(sendsQueriesByGET: true), limited, marked, marked, redirected,
        ]
        let tasks = options.map { options in Task { try await client.execute(Wire.hero, options: options) } }
        let other = Task { try await client.execute(Wire.hero.setting("id", to: "2")) }
        try await transport.waitForRequests(10)
        gate.open()
        for task in tasks + [other] { _ = try await task.value }
        #expect(transport.requests.count == 10)
    }

    @Test("Mutations and uploads are never shared, and queries are not if sharing is off", .timeLimit(.minutes(5)))
    func never() async throws {
        let gate = Gate()
        let transport = gated(gate, #"{"data":{}}"#)
        let client = Wire.client(transport), off = Wire.client(transport, configuration: .init(deduplicatesQueries: false))
        let upload = Wire.hero.setting("file", to: .upload(GraphQLUpload(data: Data(), filename: "x")))
        let tasks = (0..<2).flatMap { _ in
            [
                Task { _ = try await client.execute(Wire.rename) }, Task { _ = try await client.execute(upload) },
                Task { _ = try await off.execute(Wire.hero) },
            ]
        }
        try await transport.waitForRequests(6)
        gate.open()
        for task in tasks { try await task.value }
        #expect(transport.requests.count == 6)
    }

    @Test("A cancelled query ends immediately, and the others get their response", .timeLimit(.minutes(5)))
    func oneCancelled() async throws {
        let gate = Gate()
        let transport = gated(gate)
        let client = Wire.client(transport)
        let first = Task { try await client.execute(Wire.hero) }, second = Task { try await client.execute(Wire.hero) }
        await untilWaiting(2, client)
        first.cancel()
        let error = await #expect(throws: GraphQLError.self) { try await first.value }
        #expect(error == .http(.cancelled))
        gate.open()
        let data = try await second.value
        #expect(data.hero?.name == "Swift" && transport.requests.count == 1)
    }

    @Test("When all callers are cancelled the request is cancelled, and a later query sends its own", .timeLimit(.minutes(5)))
    func allCancelled() async throws {
        let ended = OneShot<Bool>(), held = OneShot<Void>()
        let transport = MockTransport { request in
            if request.headers["X-First"] == nil { return .json(Wire.swift) }
            await withTaskCancellationHandler {
                await held.value()
            } onCancel: {
                ended.set(true)
                held.set(())
            }
            return .json(Wire.swift)
        }
        let client = GraphQLClient(Wire.http(transport, totalTimeout: nil), configuration: .init(deduplicatesQueries: true))
        let options = GraphQLCallOptions(headers: ["X-First": "1"])
        let tasks = (0..<3).map { _ in Task { try await client.execute(Wire.hero, options: options) } }
        await untilWaiting(3, client)
        try await transport.waitForRequests(1)
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: GraphQLError.self) { try await task.value } }
        #expect(await ended.value())
        #expect(client.shared.flights.waiterCount == 0)
        let data = try await client.execute(Wire.hero)
        #expect(data.hero?.name == "Swift")
    }

    @Test("A query that is cancelled before it is sent fails and leaves no waiter", .timeLimit(.minutes(5)))
    func cancelledBefore() async throws {
        let client = Wire.client(MockTransport { _ in .json(Wire.swift) })
        for _ in 0..<50 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.execute(Wire.hero)
            }
            await #expect(throws: GraphQLError.self) { try await task.value }
        }
        #expect(client.shared.flights.waiterCount == 0)
    }

    @Test("All sharing queries get the same failure", .timeLimit(.minutes(5)))
    func failure() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            await gate.pass()
            return .disconnect
        }
        let client = Wire.client(transport)
        let tasks = (0..<3).map { _ in Task { try await client.execute(Wire.hero) } }
        await untilWaiting(3, client)
        gate.open()
        for task in tasks {
            let error = await #expect(throws: GraphQLError.self) { try await task.value }
            #expect(error == .http(.networkError(NetworkFailure(.connectionLost))))
        }
        #expect(transport.requests.count == 1)
    }

    @Test("A query that joins late has its full time: the request is repeated after the first timeout", .timeLimit(.minutes(5)))
    func lateJoiner() async throws {
        let time = ManualTime(autoAdvances: false)
        let transport = MockTransport(.silence, .json(Wire.swift), time: time)
        let client = Wire.client(transport, time: time)
        let first = Task { try await client.execute(Wire.hero) }
        try await transport.waitForRequests(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(50))
        let late = Task { try await client.execute(Wire.hero) }
        await untilWaiting(2, client)
        time.advance(by: .seconds(11))
        let error = await #expect(throws: GraphQLError.self) { try await first.value }
        #expect(error == .http(.timeout))
        let data = try await late.value
        #expect(data.hero?.name == "Swift" && transport.requests.count == 2)
        let begins = transport.requests.compactMap { $0.context.deadline }
        #expect(begins[0].duration(to: begins[1]) == .seconds(50))
    }

    @Test("Without a setting queries are not shared, because interceptors may distinguish users", .timeLimit(.minutes(5)))
    func apart() async throws {
        enum Tenant { @TaskLocal static var name = "" }
        struct TenantInterceptor: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                request.headers["X-Tenant"] = Tenant.name
                return try await next(request)
            }
        }
        let gate = Gate()
        let transport = MockTransport { request in
            await gate.pass()
            return .json(#"{"data":{"hero":{"name":"\#(request.headers["X-Tenant"] ?? "")"}}}"#)
        }
        let client = GraphQLClient(Wire.http(transport, [TenantInterceptor()]))
        let ann = Tenant.$name.withValue("ann") { Task { try await client.execute(Wire.hero).hero?.name } }
        let bob = Tenant.$name.withValue("bob") { Task { try await client.execute(Wire.hero).hero?.name } }
        try await transport.waitForRequests(2)
        gate.open()
        #expect(try await ann.value == "ann")
        #expect(try await bob.value == "bob")
    }

    @Test("With a scope, queries of one user are shared and those of two users are not", .timeLimit(.minutes(5)))
    func scoped() async throws {
        let gate = Gate(), user = Locked("ann")
        let transport = gated(gate)
        let client = Wire.client(transport, configuration: .init(scope: { user.withLock { $0 } }))
        let first = Task { try await client.execute(Wire.hero) }
        let second = Task { try await client.execute(Wire.hero) }
        await untilWaiting(2, client)
        user.withLock { $0 = "bob" }
        let third = Task { try await client.execute(Wire.hero) }
        try await transport.waitForRequests(2)
        gate.open()
        for task in [first, second, third] { _ = try await task.value }
        #expect(transport.requests.count == 2)
    }
}
