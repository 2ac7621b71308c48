import Foundation
import MartletTesting
import Testing

@testable import MartletCore

@Suite("Where tokens go, and what the interceptor leaves alone")
struct AuthScopeTests {
    private let base = URL(string: "https://api.example/")!
    private let call = Request<EmptyResponse>.get("x")

    private func provider(refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil) -> StoredTokenProvider {
        StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t1")), refresh: refresh)
    }

    @Test("Another origin gets no token, and its 401 starts no refresh; scheme, host and port count")
    func otherOrigins() async throws {
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            Issue.record("refreshed")
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        for other in ["http://api.example/x", "https://api.example:8443/x", "https://example/x", "https://api.example.evil/x"] {
            await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get(url: URL(string: other)!)) }
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, nil, nil, nil])
    }

    @Test("A list of origins takes the place of the base's")
    func list() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let interceptor = AuthInterceptor(provider(), origins: ["https://a.example", "https://b.example:8443"])
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [interceptor])
        for url in ["https://A.example:443/x", "https://b.example:8443/", "https://b.example/", "https://api.example/"] {
            try await client.send(Request<EmptyResponse>.get(url: URL(string: url)!))
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t1", nil, nil])
    }

    @Test("With neither base URL nor list a call fails, and says what to do; nothing is sent")
    func neither() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(transport: transport, interceptors: [AuthInterceptor(provider())])
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get(url: base)) }
        #expect(error?.description.contains("origins") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("A redirect to another origin does not take the token along, and one back to the base has it again")
    func redirects() async throws {
        let transport = MockTransport { request in
            switch request.url.absoluteString {
            case "https://api.example/x": .status(302, headers: [.location: "https://cdn.example/y"])
            case "https://cdn.example/y": .status(302, headers: [.location: "https://api.example/z"])
            default: .json("{}")
            }
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider())])
        try await client.send(call)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", nil, "Bearer t1"])
    }

    @Test("An Authorization set by hand wins, and its 401 is the caller's")
    func byHand() async throws {
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            Issue.record("refreshed")
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        await #expect(throws: HTTPError.self) {
            try await client.send(Request<EmptyResponse>.get("x", headers: [.authorization: "Basic abc"]))
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Basic abc"])
    }

    @Test("A refresh through a client with the same interceptor goes out without a token; its own 401 fails it and does not wait")
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

    @Test("A refresh through another client with the same provider fails on its own 401 and does not wait")
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

    @Test("A provider of one's own may fetch its token through the client it serves")
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

    @Test("What a provider leaves running behind itself is an ordinary caller again")
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
