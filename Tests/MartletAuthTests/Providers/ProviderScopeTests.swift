import Foundation
import MartletSystem
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("Requests that a token provider sends", .timeLimit(.minutes(5)))
struct ProviderScopeTests {
    private let base = URL(string: "https://api.example/")!
    private let call = Request<EmptyResponse>.get("x")
    private let time = ManualTime()

    private func provider(_ refresh: @escaping @Sendable (AccessToken) async throws -> AccessToken) -> StoredTokenProvider {
        StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t1")), refreshTimeout: .seconds(5), time: time, refresh: refresh)
    }

    @Test("A refresh sends without a token in child tasks and unstructured tasks, through the client that it serves")
    func childTasks() async throws {
        let clients = Locked<HTTPClient?>(nil)
        let transport = MockTransport { $0.headers[.authorization] == "Bearer t1" ? .status(401) : .json("{}") }
        let provider = provider { _ in
            let client = clients.withLock { $0 }
            async let first = client?.result(of: Request<EmptyResponse>.post("a"))
            let second = Task { await client?.result(of: Request<EmptyResponse>.post("b")) }
            _ = await (first, second.value)
            await withTaskGroup { group in
                group.addTask { _ = await client?.result(of: Request<EmptyResponse>.post("c")) }
            }
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        clients.withLock { $0 = client }
        defer { clients.withLock { $0 = nil } }
        try await client.send(call)
        #expect(transport.requests.count == 5)
        #expect(transport.requests.dropFirst().dropLast().allSatisfy { !$0.headers.contains(.authorization) })
        #expect(transport.requests.last?.headers[.authorization] == "Bearer t2")
    }

    @Test("A refresh in a detached task waits for itself until its timeout, all callers fail, and the next call tries again")
    func detached() async throws {
        let clients = Locked<HTTPClient?>(nil)
        let refreshes = Count()
        let transport = MockTransport { $0.headers[.authorization] == "Bearer t2" ? .json("{}") : .status(401) }
        let provider = provider { _ in
            refreshes.increment()
            guard refreshes.value == 1 else { return AccessToken("t2") }
            let client = clients.withLock { $0 }
            _ = try await Task.detached { try await client?.send(Request<EmptyResponse>.post("refresh")) }.value
            return AccessToken("never")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        clients.withLock { $0 = client }
        defer { clients.withLock { $0 = nil } }
        let calls = (0..<10).map { _ in Task { await client.result(of: call) } }
        try await transport.waitForRequests(11)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(5))
        for call in calls {
            guard case .failure(.authenticationFailed(let told)) = await call.value else {
                Issue.record("did not fail")
                continue
            }
            #expect(told.context.underlying as? HTTPError == .timeout)
        }
        try await client.send(call)
        #expect(refreshes.value == 2)
    }

    @Test("The requests of a refresh carry no token even after its first waiter is cancelled")
    func cancelledFirst() async throws {
        let clients = Locked<HTTPClient?>(nil)
        let barrier = Barrier()
        let transport = MockTransport { _ in .json("{}") }
        let stale = AccessToken("t1", refreshToken: "r", expiry: time.now.addingTimeInterval(-1))
        let provider = StoredTokenProvider(store: InMemoryTokenStore(stale), time: time) { _ in
            await barrier.pass()
            let client = clients.withLock { $0 }
            try await client?.send(Request<EmptyResponse>.post("refresh"))
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        clients.withLock { $0 = client }
        defer { clients.withLock { $0 = nil } }
        let first = Task { await client.result(of: call) }
        try await barrier.arrivals.reach(1)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        let second = Task { await client.result(of: call) }
        barrier.open()
        #expect(await second.value == .success(EmptyResponse()))
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, "Bearer t2"])
    }

    @Test("A custom provider that hangs fails at the interceptor's timeout, and the next call asks it again")
    func hangingProvider() async throws {
        final class Hanging: TokenProvider {
            let asked = Count()
            func token() async throws -> AccessToken? { AccessToken("t1") }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? {
                asked.increment()
                if asked.value == 1 { await Barrier().pass() }
                return AccessToken("t2")
            }
        }
        let transport = MockTransport { $0.headers[.authorization] == "Bearer t2" ? .json("{}") : .status(401) }
        let provider = Hanging()
        let interceptor = AuthInterceptor(provider, renewalTimeout: .seconds(9), time: time)
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [interceptor])
        let hanging = Task { await client.result(of: call) }
        try await provider.asked.reach(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(9))
        #expect(await hanging.value == .failure(.authenticationFailed("the token could not be renewed")))
        try await client.send(call)
        #expect(provider.asked.value == 2)
    }

    @Test("A refresh through a client with the same interceptor is sent without a token, and fails on its own 401 without waiting")
    func reentrance() async throws {
        let clients = Locked<HTTPClient?>(nil)
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            let client = clients.withLock { $0 }
            try await client?.send(Request<EmptyResponse>.post("refresh"))
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        clients.withLock { $0 = client }
        let error = await #expect(throws: HTTPError.self) { try await client.send(call) }
        #expect(error == .authenticationFailed("the token could not be renewed"))
        #expect((error?.underlying as? HTTPError)?.status == .unauthorized)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", nil])
    }

    @Test("A refresh through another client with the same provider fails on its own 401 without waiting")
    func reentranceByAnotherInterceptor() async throws {
        let clients = Locked<HTTPClient?>(nil)
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            let client = clients.withLock { $0 }
            try await client?.send(Request<EmptyResponse>.post("refresh"))
            return AccessToken("t2")
        }
        clients.withLock { $0 = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)]) }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        let error = await #expect(throws: HTTPError.self) { try await client.send(call) }
        guard case .authenticationFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.count == 2)
    }

    @Test("A custom provider may fetch its token through the client that it serves")
    func providerWithItsOwnClient() async throws {
        final class Fetching: TokenProvider {
            let clients = Locked<HTTPClient?>(nil)
            func token() async throws -> AccessToken? {
                let client = clients.withLock { $0 }
                return AccessToken(try await client?.send(Request<String>.get("token")) ?? "none")
            }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { nil }
        }
        let transport = MockTransport { $0.url.path == "/token" ? .text("fetched") : .json("{}") }
        let provider = Fetching()
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        provider.clients.withLock { $0 = client }
        defer { provider.clients.withLock { $0 = nil } }
        try await client.send(call)
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, "Bearer fetched"])
    }

    @Test("Tasks that a provider leaves running are ordinary callers")
    func afterwards() async throws {
        final class Object: Sendable {}
        let object = Object()
        let barrier = Barrier()
        let later = await ProviderScope.within(object) {
            #expect(ProviderScope.contains(object))
            #expect(!ProviderScope.contains(Object()))
            return Task {
                await barrier.pass()
                return ProviderScope.contains(object)
            }
        }
        barrier.open()
        #expect(await later.value == false)
        #expect(!ProviderScope.contains(object))
    }
}
