import Foundation
import Martlet
import MartletGraphQL
import MartletTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPClientMockTests {
    struct User: Codable, Sendable, Equatable { let userID: Int }
    struct GetUser: Endpoint {
        typealias Response = User
        let id: Int
        var path: Path { "users/\(id)" }
    }
    enum API: Endpoint {
        case list
        var path: Path { "list" }
    }

    @Test("A call without a stub fails and lists the stubs")
    func unstubbed() async {
        let mock = HTTPClientMock()
        mock.on(GetUser.self) { User(userID: $0.id) }
        guard case .failure(.invalidRequest(let what)) = await mock.result(of: API.list) else { Issue.record("answered"); return }
        #expect(what.text.contains("list") && what.text.contains("GetUser"))
    }

    @Test("The error of a call without a stub says how to write one, as bytes if the endpoint has no response type")
    func howToStub() async {
        func text(_ call: () async throws(HTTPError) -> Void) async -> String {
            do throws(HTTPError) { try await call() } catch { if case .invalidRequest(let what) = error { return what.text } }
            return ""
        }
        let mock = HTTPClientMock()
        let named = await text { () async throws(HTTPError) in _ = try await mock.send(.get("list"), as: [User].self) }
        #expect(named.contains(#"mock.on(Request<Data>.self, where: { $0.path.text == "…" }, .json("…"))"#))
        let streamed = await text { () async throws(HTTPError) in _ = try await mock.stream(API.list) }
        #expect(streamed.contains(#"mock.on(API.self, where: { $0.path.text == "…" }, .json("…"))"#))
        let typed = await text { () async throws(HTTPError) in _ = try await mock.send(GetUser(id: 1)) }
        #expect(typed.contains("mock.on(GetUser.self, .value(…))"))
    }

    @Test("The result for all calls is decoded with the mock's decoder, and decoding may fail")
    func decoding() async throws {
        let mock = HTTPClientMock(decoder: .snakeCase)
        mock.result = .success(Data(#"{"user_iD":1}"#.utf8))
        #expect(try await mock.send(Request<Data>.get("x")).count == 13)
        mock.result = .success(Data("[]".utf8))
        guard case .failure(.decodingFailed) = await mock.result(of: GetUser(id: 1)) else { Issue.record("decoded"); return }
    }

    @Test("An endpoint with the default response type decodes its stub's data as the type that the call names")
    func openAnswers() async throws {
        let mock = HTTPClientMock()
        mock.on(API.self) { _ in Data(#"[{"userID":4}]"#.utf8) }
        #expect(try await mock.send(API.list, as: [User].self) == [User(userID: 4)])
        #expect(try await mock.send(API.list).count == 14)
        var streamed = Data()
        for try await chunk in try await mock.stream(API.list).body { streamed.append(chunk) }
        #expect(streamed.count == 14)
    }

    @Test("The requests of the endpoints are recorded and have the properties of captured requests")
    func requests() async throws {
        let mock = HTTPClientMock()
        mock.defaultsToEmpty = true
        _ = try await mock.send(API.list, as: EmptyResponse.self)
        try await mock.send(Request<EmptyResponse>.post("users", query: ["page": 2], body: .json(["name": "Ada"])))
        await #expect(throws: HTTPError.self) { try await mock.send(Request<EmptyResponse>.get("a/\("..")")) }
        #expect(mock.requests.map(\.target) == ["/list", "/users?page=2"] && mock.requestedEndpoints.count == 3)
        #expect(mock.requests.last?.json == ["name": "Ada"] && mock.requests.last?.query["page"] == "2")
        #expect(mock.requests(matching: .post("/users")).count == 1)
    }

    @Test("A stub precedes the result, a second stub replaces the first, and a cancelled call gets no response")
    func order() async throws {
        let mock = HTTPClientMock()
        mock.result = .failure(.timeout)
        mock.on(GetUser.self) { _ in User(userID: 1) }
        mock.on(GetUser.self) { _ in User(userID: 2) }
        #expect(try await mock.send(GetUser(id: 9)).userID == 2)
        await #expect(throws: HTTPError.timeout) { try await mock.send(API.list) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await mock.result(of: GetUser(id: 1))
        }
        guard case .failure(.cancelled) = await task.value else { Issue.record("answered"); return }
    }

    @Test("A mock can be used behind a client with app errors")
    func mapped() async {
        let mock = HTTPClientMock()
        mock.result = .failure(.statusCode(HTTPResponse(status: 404, body: Data())))
        await #expect(throws: APIError.notFound) { try await mock.mappingErrors(HTTPErrorMapper()).send(GetUser(id: 1)) }
    }

    @Test("Responses are used in order and the last one is repeated; statuses are validated and JSON is decoded")
    func sequences() async throws {
        let mock = HTTPClientMock()
        mock.on(
            GetUser.self, .status(503, headers: [.retryAfter: "1"]), .failure(.timeout), .json(#"{"userID":7}"#), .value(User(userID: 8)))
        let error = await #expect(throws: HTTPError.self) { try await mock.send(GetUser(id: 1)) }
        #expect(error?.status == 503 && error?.response?.headers[.retryAfter] == "1")
        await #expect(throws: HTTPError.timeout) { try await mock.send(GetUser(id: 2)) }
        for expected in [7, 8, 8] { #expect(try await mock.send(GetUser(id: 3)).userID == expected) }
        #expect(mock.requested(GetUser.self).map(\.id) == [1, 2, 3, 3, 3] && mock.requested(API.self).isEmpty)
    }

    @Test("A status is validated by the endpoint's own rule")
    func validation() async throws {
        let mock = HTTPClientMock()
        mock.on(Request<Data>.self, .status(404, body: Data("gone".utf8)))
        var lenient = Request<Data>.get("x")
        lenient.validation = .none
        #expect(try await mock.response(for: lenient).status == 404)
        await #expect(throws: HTTPError.self) { try await mock.send(Request<Data>.get("x")) }
        await #expect(throws: HTTPError.self) { try await mock.stream(Request<Data>.get("x")) }
    }

    @Test("A call obeys the deadline of its task: nothing is used after it, and a delay ends with it")
    func deadlines() async throws {
        let time = ManualTime(), mock = HTTPClientMock(time: time)
        mock.on(GetUser.self, .value(User(userID: 1)).delayed(by: .seconds(5)))
        await withDeadline(.seconds(2), time: time) {
            await #expect(throws: HTTPError.timeout) { try await mock.send(GetUser(id: 1)) }
            #expect(time.sleeps == [.seconds(2)])
            await #expect(throws: HTTPError.timeout) { try await mock.send(GetUser(id: 1)) }
            #expect(time.sleeps == [.seconds(2)])
        }
        #expect(try await mock.send(GetUser(id: 1)).userID == 1)
    }

    @Test("A delayed response waits on the mock's time and ends when its task is cancelled")
    func delays() async throws {
        let time = ManualTime(autoAdvances: false)
        let mock = HTTPClientMock(time: time)
        mock.on(GetUser.self, .value(User(userID: 1)).delayed(by: .seconds(5)))
        let call = Task { try await mock.send(GetUser(id: 1)) }
        try await time.waitForTimers()
        time.advance(by: .seconds(5))
        #expect(try await call.value.userID == 1 && time.sleeps == [.seconds(5)])
        let cancelled = Task { try await mock.send(GetUser(id: 1)) }
        try await mock.waitForRequests(2)
        cancelled.cancel()
        await #expect(throws: HTTPError.cancelled) { try await cancelled.value }
    }

    @Test("verify() names stubs that were not used or not completely used")
    func verify() async throws {
        let mock = HTTPClientMock()
        try mock.verify()
        mock.on(GetUser.self, .failure(.timeout), .value(User(userID: 1)))
        mock.on(API.self) { _ in Data() }
        #expect(throws: UnusedStubsError(stubs: ["GetUser", "API"])) { try mock.verify() }
        _ = await mock.result(of: GetUser(id: 1))
        #expect(throws: UnusedStubsError(stubs: ["GetUser: 1 of 2 answers", "API"])) { try mock.verify() }
        _ = await mock.result(of: GetUser(id: 1))
        _ = await mock.result(of: API.list)
        try mock.verify()
    }

    enum Birds: Endpoint {
        typealias Response = String
        case all, named(String)
        var path: Path { if case .named(let name) = self { "birds/\(name)" } else { "birds" } }
    }

    @Test("A conditional stub precedes the one for all endpoints of a type, and the latest one applies")
    func conditions() async throws {
        let mock = HTTPClientMock()
        mock.on(Birds.self, where: { if case .named = $0 { true } else { false } }) { _ in "named" }
        mock.on(Birds.self) { _ in "any" }
        mock.on(Birds.self, where: { $0.path.text == "birds/owl" }, .status(404), .value("owl"))
        #expect(try await mock.send(Birds.all) == "any")
        #expect(try await mock.send(Birds.named("wren")) == "named")
        await #expect(throws: HTTPError.self) { try await mock.send(Birds.named("owl")) }
        let unused = #expect(throws: UnusedStubsError.self) { try mock.verify() }
        #expect(unused?.stubs == ["Birds where a condition holds: 1 of 2 answers"])
        #expect(try await mock.send(Birds.named("owl")) == "owl")
        try mock.verify()
    }

    @Test("A condition may call the mock")
    func conditionThatAsks() async throws {
        let mock = HTTPClientMock()
        mock.on(Birds.self, where: { _ in mock.requestedEndpoints.isEmpty }) { _ in "first" }
        mock.on(Birds.self) { _ in "later" }
        #expect(try await mock.send(Birds.all) == "first")
        #expect(try await mock.send(Birds.all) == "later")
    }

    @Test(
        "Errors have the request, like a client's errors", arguments: [StubbedResponse<User>.status(503), .failure(.timeout), .json("{}")])
    func requests(answer: StubbedResponse<User>) async {
        let mock = HTTPClientMock()
        mock.on(GetUser.self, answer)
        guard case .failure(let error) = await mock.result(of: GetUser(id: 7)) else { Issue.record("answered"); return }
        #expect(error.request?.url.absoluteString == "http://mock.invalid/users/7")
        #expect(error.request?.headers[.accept] == "application/json")
    }

    @Test("A request that a client could not send is refused, with or without a stub")
    func refused() async {
        let mock = HTTPClientMock()
        mock.on(Request<String>.self, .value("x"))
        guard case .failure(.invalidURL) = await mock.result(of: Request<String>.get("../a")) else { Issue.record("answered"); return }
        guard case .failure(.invalidRequest) = await mock.result(of: Request<String>.get("a", headers: ["X": "a\nb"])) else {
            Issue.record("answered")
            return
        }
    }
}

@Suite("Observers of mocks", .timeLimit(.minutes(5)))
struct MockObserverTests {
    private let log = EventLog()

    @Test("A mock of a client tells its observers of the start and the outcome of each call")
    func http() async throws {
        let mock = HTTPClientMock(observers: [log])
        mock.result = .success(Data("[1]".utf8))
        _ = try await mock.send(Request<[Int]>.get("x"))
        _ = await mock.result(of: Request<String>.get("y"))
        _ = await mock.result(of: Request<[String]>.get("z"))
        _ = try await mock.stream(Request<Data>.get("s"))
        #expect(
            log.lines == [
                "1 started GET /x", "1 ended: 200", "2 started GET /y", "2 ended: 200", "3 started GET /z",
                "3 failed and ended: decoding", "4 started GET /s", "4 ended: 200",
            ])
        #expect(log.calls.map(\.kind) == [.request, .request, .request, .stream])
    }

    @Test("A mock of a GraphQL client tells its observers of the start and the outcome of each operation")
    func graphQL() async throws {
        let mock = GraphQLClientMock(observers: [log])
        mock.result = .success(Data("{}".utf8))
        let query = GraphQLOperation<JSONValue>("query Hero { hero }")
        _ = try await mock.response(for: query, options: .init())
        mock.result = .failure(.http(.timeout))
        _ = try? await mock.result(of: query)
        #expect(log.lines == ["1 started nil", "1 ended: 200", "2 started nil", "2 failed and ended: timeout"])
        #expect(log.calls.first?.operations.map(\.name) == ["Hero"] && log.calls.first?.kind == .graphQL)
    }
}
