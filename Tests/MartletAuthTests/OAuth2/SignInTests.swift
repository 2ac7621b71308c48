import Foundation
import MartletAuth
import MartletTesting
import TestSupport
import Testing

@Suite("Signing in and out", .timeLimit(.minutes(5))) struct SignInTests {
    private let time = ManualTime()

    /// A store that holds up each write until it is let through.
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

    @Test("A renewal that is being stored does not write over who signs in meanwhile, nor back in who signs out", arguments: [true, false])
    func duringSave(signsIn: Bool) async throws {
        let store = SlowStore(holdingFirst: 1)
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("a2") }
        let renewal = Task { try await provider.token(replacing: AccessToken("a1", session: "A"))?.value }
        try await store.holds.arrivals.reach(1)
        if signsIn { try await provider.signIn(AccessToken("b1")) } else { try await provider.signOut() }
        store.holds.open()
        // Nor is the token of the new session given to a request of the old one.
        #expect(try await renewal.value == nil)
        #expect(try await provider.token()?.value == (signsIn ? "b1" : nil))
    }

    @Test("The end of an old session does not sign out who has signed in meanwhile, and is not told")
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

    @Test("What was sent as one user is not sent again as another; with a renewed token of the same session it is")
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

    @Test("Each sign-in has a session of its own, which refreshes keep")
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
        "A listener that comes after a new sign-in hears nothing of the old session's end; what the callback starts is no part of the renewal"
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

    @Test("Nothing that has tokens shows them to dump")
    func dumped() async throws {
        let store = InMemoryTokenStore(AccessToken("s3cret", refreshToken: "s3cret-r"))
        let provider = StoredTokenProvider(store: store, time: time) { _ in throw Down() }
        let auth = AuthInterceptor(provider, time: time)
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: MockTransport { _ in .status(401) }, interceptors: [auth], time: time)
        await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        var text = ""
        for value in [client, provider, auth, store, StaticTokenProvider(AccessToken("s3cret"))] as [Any] { dump(value, to: &text) }
        #expect(!text.contains("s3cret"))
    }

    @Test("Without a refresh, too, a request of one session is not sent again with the token of another")
    func withoutRefresh() async throws {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(), time: time)
        try await provider.signIn(AccessToken("a1"))
        let first = try #require(try await provider.token())
        try await provider.signIn(AccessToken("b1"))
        #expect(try await provider.token(replacing: first) == nil)
    }
}
