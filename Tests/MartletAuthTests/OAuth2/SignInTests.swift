import Foundation
import MartletAuth
import MartletTesting
import TestSupport
import Testing

@Suite("Signing in and out", .timeLimit(.minutes(5))) struct SignInTests {
    private let time = ManualTime()

    /// A store that delays each write until the test releases it.
    private final class SlowStore: TokenStore {
        let inner = InMemoryTokenStore(AccessToken("a1", refreshToken: "ra", session: "A"))
        let holds = Barrier()
        private let heldWrites: Int
        private let writes = Count()

        init(holdingFirst count: Int) { heldWrites = count }

        private func hold() async {
            writes.increment()
            if writes.value <= heldWrites { await holds.pass() }
        }

        func load() async throws -> AccessToken? { try await inner.load() }

        func save(_ token: AccessToken) async throws {
            await hold()
            try await inner.save(token)
        }

        func clear() async throws {
            await hold()
            try await inner.clear()
        }
    }

    @Test(
        "A renewal that is being saved does not overwrite a new sign-in or restore a signed-out session",
        arguments: [true, false])
    func duringSave(signsIn: Bool) async throws {
        let store = SlowStore(holdingFirst: 1)
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("a2") }
        let renewal = Task { try await provider.token(replacing: AccessToken("a1", session: "A"))?.value }
        try await store.holds.arrivals.reach(1)
        if signsIn { try await provider.signIn(AccessToken("b1")) } else { try await provider.signOut() }
        store.holds.open()
        // A request of the old session does not get the token of the new one.
        #expect(try await renewal.value == nil)
        #expect(try await provider.token()?.value == (signsIn ? "b1" : nil))
    }

    @Test("The end of an old session does not sign out the new session, and is not reported")
    func duringClear() async throws {
        let store = SlowStore(holdingFirst: 1), ends = Count()
        let provider = StoredTokenProvider(store: store, time: time) { _ in
            throw SessionEndedError()
        } onSessionEnd: { _ in
            ends.increment()
        }
        let renewal = Task { try await provider.token(replacing: AccessToken("a1", session: "A"))?.value }
        try await store.holds.arrivals.reach(1)
        try await provider.signIn(AccessToken("b1"))
        store.holds.open()
        #expect(try await renewal.value == nil)
        #expect(try await provider.token()?.value == "b1")
        #expect(ends.value == 0)
    }

    @Test("A request is sent again with a renewed token of its session, but not with the token of another session")
    func otherUser() async throws {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(), time: time) { _ in AccessToken("a2") }
        try await provider.signIn(AccessToken("a1", refreshToken: "ra"))
        let transport = MockTransport { request in
            switch request.headers[.authorization] {
            case "Bearer a1":
                if request.url.path == "/switch" { try await provider.signIn(AccessToken("b1")) }
                return .status(401)
            default: return .json("{}")
            }
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [AuthInterceptor(provider, time: time)],
            time: time)
        try await client.send(Request<EmptyResponse>.post("same"))
        try await provider.signIn(AccessToken("a1"))
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.post("switch")) }
        #expect(error?.status == .unauthorized)
        #expect(
            transport.requests.map { "\($0.url.path) \($0.headers[.authorization] ?? "")" } == [
                "/same Bearer a1", "/same Bearer a2", "/switch Bearer a1",
            ])
    }

    @Test("Each sign-in has its own session ID, which refreshes keep")
    func sessions() async throws {
        let store = InMemoryTokenStore()
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("a2") }
        try await provider.signIn(AccessToken("a1"))
        let first = try #require(try await provider.token())
        #expect(try await provider.token(replacing: first)?.session == first.session)
        try await provider.signIn(AccessToken("a1"))
        let second = try #require(try await provider.token()?.session)
        #expect(first.session != nil && second != first.session)
        let data = try JSONEncoder().encode(first)
        #expect(try JSONDecoder().decode(AccessToken.self, from: data) == first)
    }

    @Test(
        "A listener after a new sign-in does not receive the old session's end, and calls in the callback are not part of the renewal"
    )
    func listeners() async throws {
        struct End: Error, Equatable { let token: String }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("a1")), time: time) {
            throw SessionEndedError(cause: End(token: $0.value))
        }
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) {
            try await provider.token(replacing: AccessToken("a1"))
        }
        try await provider.signIn(AccessToken("b1"))
        let listening = provider.sessionEnded
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) {
            try await provider.token(replacing: try #require(try await provider.token()))
        }
        var iterator = listening.makeAsyncIterator()
        #expect(await iterator.next()?.cause as? End == End(token: "b1"))
    }

    @Test("dump shows no token of any type")
    func dumped() async throws {
        let store = InMemoryTokenStore(AccessToken("s3cret", refreshToken: "s3cret-r"))
        let provider = StoredTokenProvider(store: store, time: time) { _ in throw Down() }
        let auth = AuthInterceptor(provider, time: time)
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: MockTransport { _ in .status(401) }, interceptors: [auth], time: time)
        await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        var text = ""
        for value in [client, provider, auth, store, AccessToken("s3cret")] as [Any] { dump(value, to: &text) }
        #expect(!text.contains("s3cret"))
    }

    @Test("Without a refresh, a request is not sent again with the token of another session")
    func withoutRefresh() async throws {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(), time: time)
        try await provider.signIn(AccessToken("a1"))
        let first = try #require(try await provider.token())
        try await provider.signIn(AccessToken("b1"))
        #expect(try await provider.token(replacing: first) == nil)
    }
}
