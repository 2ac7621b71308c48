import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("AuthInterceptor", .timeLimit(.minutes(5)))
struct AuthInterceptorTests {
    private let base = URL(string: "https://api.example/")!
    private let call = Request<EmptyResponse>.get("x")

    private func client(_ transport: MockTransport, _ interceptor: AuthInterceptor) -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport, interceptors: [interceptor])
    }

    /// A server that accepts one token.
    private func server(accepting token: String) -> MockTransport {
        MockTransport { $0.headers[.authorization] == "Bearer \(token)" ? .json("{}") : .status(401) }
    }

    /// The trace of a call whose rejected token is renewed by a closure in 20 ms.
    private func trace(_ renewed: @escaping @Sendable () throws -> AccessToken) async throws -> CallTrace {
        let time = ManualTime()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old", refreshToken: "r"))) { _ in
            time.advance(by: .milliseconds(20))
            return try renewed()
        }
        let client = HTTPClient(
            baseURL: base, transport: server(accepting: "new"), interceptors: [AuthInterceptor(provider, time: time)], time: time)
        do throws(HTTPError) { return try await client.response(for: call).trace } catch { return error.trace }
    }

    @Test("The trace has the renewal of a rejected credential between its attempts, or why there is none")
    func renewals() async throws {
        let renewed = try await trace { AccessToken("new") }
        #expect(renewed.renewals == [CallTrace.Renewal(duration: .milliseconds(20))])
        #expect(renewed.steps.map { "\($0.kind)".prefix(9) } == ["attempt 1", "the crede", "attempt 2"])
        struct Broken: Error {}
        let failed = try await trace { throw Broken() }
        #expect(failed.renewals.count == 1 && failed.renewals.first?.failure != nil)
    }

    /// A provider whose token takes some time, and is never renewed.
    private struct SlowTokens: TokenProvider {
        let time: ManualTime
        var delay = Duration.milliseconds(104)
        var token: @Sendable () throws -> AccessToken? = { AccessToken("new") }

        func token() async throws -> AccessToken? {
            time.advance(by: delay)
            return try token()
        }

        func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
    }

    /// The trace of a call that asks a provider for its first token, and the lines of an observer.
    private func trace(_ tokens: SlowTokens) async -> (trace: CallTrace, seen: [String]) {
        let log = EventLog()
        let client = HTTPClient(
            baseURL: base, transport: MockTransport { _ in .json("{}") }, interceptors: [AuthInterceptor(tokens)], observers: [log],
            time: tokens.time)
        do throws(HTTPError) { return (try await client.response(for: call).trace, log.lines) } catch { return (error.trace, log.lines) }
    }

    @Test("The wait for a first token is a step with its duration, for observers too")
    func firstToken() async {
        let (trace, seen) = await trace(SlowTokens(time: ManualTime()))
        #expect(trace.renewals == [CallTrace.Renewal(duration: .milliseconds(104), followsRejection: false)])
        #expect(
            "\(trace)" == """
                104 ms: a credential was obtained in 104 ms
                104 ms: attempt 1, GET https://api.example/x: 200 OK after 0.0 ms
                """)
        #expect(seen.prefix(3) == ["1 started GET /x", "1 step renewal", "1 attempt 1"])
    }

    @Test("If no token can be obtained, the trace says why and after what time, and nothing was sent")
    func noFirstToken() async {
        let (trace, seen) = await trace(SlowTokens(time: ManualTime()) { throw HTTPError.connectionRefused })
        #expect(
            "\(trace)" == "104 ms: no credential was obtained (104 ms): Authentication failed: the token provider could not return a token "
                + "(Network error: connectionRefused)")
        #expect(seen.count == 3 && seen[1] == "1 step renewal")
        let missing = await self.trace(SlowTokens(time: ManualTime()) { nil }).trace
        #expect(
            missing.steps.map { "\($0)".prefix(85) } == [
                "104 ms: no credential was obtained (104 ms): the token provider has no token",
                "104 ms: attempt 1, GET https://api.example/x: 200 OK after 0.0 ms",
            ])
    }

    @Test("A token that the provider returns within a millisecond leaves no step, and its failure does")
    func shortWaits() async {
        let time = ManualTime()
        #expect(await trace(SlowTokens(time: time, delay: .microseconds(999))).trace.renewals.isEmpty)
        #expect(await trace(SlowTokens(time: time, delay: .zero) { nil }).trace.renewals.isEmpty)
        #expect(await trace(SlowTokens(time: time, delay: .zero) { throw HTTPError.timeout }).trace.renewals.count == 1)
    }

    @Test("A closure decides which other responses reject the token, and a second rejection is returned")
    func otherRefusals() async throws {
        let transport = MockTransport { request in
            request.headers[.authorization] == "Bearer new" && request.url.path == "/x" ? .json("{}") : .status(403)
        }
        let refreshes = Count()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old", refreshToken: "r"))) { _ in
            refreshes.increment()
            return AccessToken("new", refreshToken: "r")
        }
        let usual = await client(transport, AuthInterceptor(provider)).result(of: call)
        #expect(usual.failure?.status == .forbidden && refreshes.value == 0)
        let client = client(transport, AuthInterceptor(provider, isRefusal: { [.unauthorized, .forbidden].contains($0.status) }))
        try await client.send(call)
        #expect(refreshes.value == 1 && transport.requests.count == 3)
        let second = await client.result(of: Request<EmptyResponse>.get("y"))
        #expect(second.failure?.status == .forbidden && transport.requests.count == 5)
    }

    @Test("A thousand concurrent calls with a 401 refresh once, and each is sent again once")
    func thousand() async throws {
        let count = 1000
        let refreshes = Count(), barrier = Barrier()
        let transport = MockTransport { request in
            if request.headers[.authorization] == "Bearer new" { return .json("{}") }
            await barrier.pass()
            return .status(401)
        }
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r1"))
        let provider = StoredTokenProvider(store: store) { _ in
            refreshes.increment()
            return AccessToken("new", refreshToken: "r2")
        }
        let client = client(transport, AuthInterceptor(provider))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await client.send(call) } }
            try await barrier.arrivals.reach(count)
            barrier.open()
            try await group.waitForAll()
        }
        #expect(refreshes.value == 1)
        #expect(transport.requests.count == 2 * count)
        #expect(try await store.load()?.refreshToken == "r2")
    }

    @Test("Cancelling the first waiter cancels only its call, and the refresh continues for the others")
    func firstWaiterCancelled() async throws {
        let refreshes = Count(), barrier = Barrier()
        let transport = server(accepting: "new")
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in
            refreshes.increment()
            await barrier.pass()
            #expect(!Task.isCancelled)
            return AccessToken("new")
        }
        let client = client(transport, AuthInterceptor(provider))
        let first = Task { await client.result(of: call) }
        try await barrier.arrivals.reach(1)
        let others = (0..<5).map { _ in Task { await client.result(of: call) } }
        try await transport.waitForRequests(6)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        barrier.open()
        for other in others { #expect(await other.value == .success(EmptyResponse())) }
        #expect(refreshes.value == 1)
    }

    @Test("A failed refresh fails all waiting calls with its cause, and the next call tries again")
    func failingRefresh() async throws {
        let refreshes = Count(), barrier = Barrier()
        let transport = MockTransport { _ in
            await barrier.pass()
            return .status(401)
        }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in
            refreshes.increment()
            throw Down()
        }
        let client = client(transport, AuthInterceptor(provider))
        let calls = (0..<50).map { _ in Task { await client.result(of: call) } }
        try await barrier.arrivals.reach(50)
        barrier.open()
        for call in calls {
            guard case .failure(let error) = await call.value else {
                Issue.record("a call succeeded")
                continue
            }
            #expect(error == .authenticationFailed("the token could not be renewed"))
            #expect(error.underlying as? Down == Down())
            #expect(error.request?.url.path == "/x")
        }
        #expect(refreshes.value == 1)
        #expect(transport.requests.count == 50)
        await #expect(throws: HTTPError.self) { try await client.send(call) }
        #expect(refreshes.value == 2)
    }

    @Test("A call whose 401 arrives after the refresh has failed fails with it, because it was sent before")
    func lateRejectionOfAFailure() async throws {
        let refreshes = Count(), barrier = Barrier()
        let transport = MockTransport { request in
            if request.url.path == "/late" { await barrier.pass() }
            return .status(401)
        }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in
            refreshes.increment()
            throw Down()
        }
        let client = client(transport, AuthInterceptor(provider))
        let late = Task { await client.result(of: Request<EmptyResponse>.get("late")) }
        try await barrier.arrivals.reach(1)
        await #expect(throws: HTTPError.authenticationFailed("the token could not be renewed")) { try await client.send(call) }
        barrier.open()
        #expect(await late.value == .failure(.authenticationFailed("the token could not be renewed")))
        #expect(refreshes.value == 1)
    }

    @Test("A token that was replaced meanwhile is not refreshed: the call is sent again with the new token")
    func replacedMeanwhile() async throws {
        let barrier = Barrier()
        let store = InMemoryTokenStore(AccessToken("old"))
        let transport = MockTransport { request in
            if request.headers[.authorization] == "Bearer new" { return .json("{}") }
            await barrier.pass()
            return .status(401)
        }
        let provider = StoredTokenProvider(store: store) { _ in
            Issue.record("refreshed")
            return AccessToken("newer")
        }
        let client = client(transport, AuthInterceptor(provider))
        let sent = Task { await client.result(of: call) }
        try await barrier.arrivals.reach(1)
        try await store.save(AccessToken("new"))
        barrier.open()
        #expect(await sent.value == .success(EmptyResponse()))
    }

    @Test("A server that keeps responding with 401 receives two requests, and its response is returned")
    func storm() async throws {
        let refreshes = Count()
        let transport = MockTransport { _ in .json(#"{"why":"no"}"#, status: 401) }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t"))) { old in
            refreshes.increment()
            return AccessToken(old.value + "x")
        }
        let outcome = await client(transport, AuthInterceptor(provider)).result(of: call)
        guard case .failure(.statusCode(let response)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(response.status == .unauthorized)
        #expect(response.body == Data(#"{"why":"no"}"#.utf8))
        #expect(transport.requests.count == 2)
        #expect(refreshes.value == 1)
    }

    @Test("A streamed body is not sent again: the 401 is returned, and the next call has the new token")
    func stream() async throws {
        struct Upload: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
                var request = request
                let pieces = Locked([Data("ab".utf8)])
                if request.method == .post { request.body = HTTPBody { pieces.withLock { $0.popLast() } } }
                return try await next(request)
            }
        }
        let transport = server(accepting: "new")
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in AccessToken("new") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [Upload(), AuthInterceptor(provider)])
        let outcome = await client.result(of: Request<EmptyResponse>.post("x"))
        #expect(throws: HTTPError.statusCode(HTTPResponse(status: 401, body: Data()))) { try outcome.get() }
        #expect(transport.requests.count == 1)
        try await client.send(call)
        #expect(transport.requests.count == 2)
    }

    @Test("A body in memory is sent again completely")
    func replayedBody() async throws {
        let transport = server(accepting: "new")
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in AccessToken("new") }
        try await client(transport, AuthInterceptor(provider)).send(Request<EmptyResponse>.post("x", body: .text("hello")))
        #expect(transport.requests.map { $0.body?.buffered } == [Data("hello".utf8), Data("hello".utf8)])
    }

    @Test("A streamed rejection is read before the renewal, so that it frees its connection, and is returned whole if no token follows")
    func streamedRefusal() async throws {
        let isRead = Locked(false)
        let transport = MockTransport { _ in .json("{}") }
        struct Refusing: Transport {
            let inner: MockTransport
            let isRead: Locked<Bool>
            func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
                var response = try await inner.send(request)
                guard request.headers[.authorization] != "Bearer new" else { return response }
                response.status = 401
                let pieces = Locked([Data("no".utf8), Data("go ".utf8)])
                let isRead = isRead
                response.body = HTTPBody {
                    let piece = pieces.withLock { $0.popLast() }
                    if piece == nil { isRead.withLock { $0 = true } }
                    return piece
                }
                return response
            }
        }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old"))) { _ in
            #expect(isRead.withLock { $0 })
            return AccessToken("new")
        }
        let refusing = Refusing(inner: transport, isRead: isRead)
        let client = HTTPClient(baseURL: base, transport: refusing, interceptors: [AuthInterceptor(provider, time: ManualTime())])
        #expect(try await client.stream(Request<Data>.get("x")).status == .ok)
        let fixed = HTTPClient(baseURL: base, transport: refusing, interceptors: [AuthInterceptor(AccessToken("old"))])
        var request = Request<Data>.get("x")
        request.validation = .none
        #expect(try await fixed.stream(request).body.collect() == Data("go no".utf8))
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
