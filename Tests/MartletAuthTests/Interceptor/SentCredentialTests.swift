import MartletAuth
import MartletEssentials
import MartletTesting
import TestSupport
import Testing

@Suite("SentCredential", .timeLimit(.minutes(5)))
struct SentCredentialTests {
    private let call = Request<EmptyResponse>.get("x")

    private func client(_ transport: MockTransport, _ interceptor: AuthInterceptor) -> HTTPClient {
        HTTPClient(baseURL: URL(string: "https://api.example/"), transport: transport, interceptors: [interceptor])
    }

    private func provider(_ refreshes: Count) -> StoredTokenProvider {
        StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old", refreshToken: "r1"))) { _ in
            refreshes.increment()
            return AccessToken("new", refreshToken: "r2")
        }
    }

    @Test("A response to a request with a token has a handle that replaces the token once for all callers")
    func renewal() async throws {
        let refreshes = Count()
        let transport = MockTransport { _ in .json("{}") }
        let client = client(transport, AuthInterceptor(provider(refreshes)))
        let first = try await client.response(for: call), second = try await client.response(for: call)
        let handles = [first, second, first, second].compactMap(\.metadata.credential)
        #expect(handles.count == 4 && handles.allSatisfy { !$0.isRenewed } && refreshes.value == 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for handle in handles { group.addTask { try await handle.renew() } }
            for try await isAnother in group { #expect(isAnother) }
        }
        #expect(refreshes.value == 1)
        _ = try await client.send(call)
        #expect(transport.requests.last?.headers[.authorization] == "Bearer new")
    }

    @Test("A response to a request that was sent again after a 401 reports that its token was renewed")
    func afterRenewal() async throws {
        let transport = MockTransport(.status(401), .json("{}"))
        let response = try await client(transport, AuthInterceptor(provider(Count()))).response(for: call)
        #expect(response.metadata.credential?.isRenewed == true)
    }

    @Test("Without a token, or with the request's own credential, the response has no handle")
    func none() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let without = client(transport, AuthInterceptor(StoredTokenProvider(store: InMemoryTokenStore(nil))))
        #expect(try await without.response(for: call).metadata.credential == nil)
        let own = Request<EmptyResponse>.get("x", headers: [.authorization: "Bearer own"])
        #expect(try await client(transport, AuthInterceptor(provider(Count()))).response(for: own).metadata.credential == nil)
    }

    @Test("The handle of a token that can't be replaced returns false, and a failed renewal throws .authenticationFailed")
    func failures() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let fixed = try await client(transport, AuthInterceptor(AccessToken("x"))).response(for: call)
        #expect(try await fixed.metadata.credential?.renew() == false)
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r1"))
        let broken = AuthInterceptor(StoredTokenProvider(store: store) { _ in throw Down() })
        let response = try await client(transport, broken).response(for: call)
        let credential = try #require(response.metadata.credential)
        let error = await #expect(throws: HTTPError.self) { try await credential.renew() }
        guard case .authenticationFailed(let what)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(what.context.underlying is Down)
    }

    @Test("Neither a handle nor its response shows the token")
    func secrecy() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let response = try await client(transport, AuthInterceptor(AccessToken("s3cr3t"))).response(for: call)
        let credential = try #require(response.metadata.credential)
        var text = "\(credential) \(String(reflecting: credential)) \(response)"
        dump(credential, to: &text)
        dump(response.metadata, to: &text)
        #expect(!text.contains("s3cr3t"))
    }

    @Test("Cancelling a caller of the handle does not cancel the renewal")
    func cancellation() async throws {
        let barrier = Barrier()
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r1"))
        let provider = StoredTokenProvider(store: store) { _ in
            await barrier.pass()
            return AccessToken("new")
        }
        let response = try await client(MockTransport { _ in .json("{}") }, AuthInterceptor(provider)).response(for: call)
        let credential = try #require(response.metadata.credential)
        let impatient = Task { try await credential.renew() }, patient = Task { try await credential.renew() }
        try await barrier.arrivals.reach(1)
        impatient.cancel()
        let error = await #expect(throws: HTTPError.self) { try await impatient.value }
        #expect(error == .cancelled)
        barrier.open()
        #expect(try await patient.value)
        #expect(try await store.load()?.value == "new")
    }
}
