import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("The end of a session", .timeLimit(.minutes(5)))
struct SessionEndsTests {
    private let base = URL(string: "https://api.example/")!

    @Test(
        "A rejected refresh token, also of a nested provider, clears the store, is reported once, and fails all waiting calls",
        arguments: [
            SessionEndedError() as any Error, OAuth2Error.refused(OAuth2Refusal(.invalidGrant)),
            HTTPError.statusCode(HTTPResponse(status: 400, body: Data(#"{"error":"invalid_grant"}"#.utf8))),
            TokenProviderError.sessionEnded(SessionEndedError()),
            TokenProviderError.refreshFailed(OAuth2Error.refused(OAuth2Refusal(.invalidGrant))),
        ])
    func dead(error: any Error) async throws {
        let barrier = Barrier(), told = Count()
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "dead"))
        let provider = StoredTokenProvider(store: store) { _ in
            throw error
        } onSessionEnd: { _ in
            told.increment()
        }
        var heard = provider.sessionEnded.makeAsyncIterator()
        let transport = MockTransport { _ in
            await barrier.pass()
            return .status(401)
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        let calls = (0..<20).map { _ in Task { await client.result(of: Request<EmptyResponse>.get("x")) } }
        try await barrier.arrivals.reach(20)
        barrier.open()
        for call in calls {
            let outcome = await call.value
            #expect(throws: HTTPError.self) { try outcome.get() }
        }
        #expect(told.value == 1)
        #expect(await heard.next() != nil)
        #expect(try await store.load() == nil)
        // Without a token, nothing is refreshed and nothing is reported.
        await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(transport.requests.last?.headers[.authorization] == nil)
        #expect(told.value == 1)
    }

    @Test("An end without a listener is reported to the first listener, and only once")
    func unheard() async throws {
        var provider: StoredTokenProvider? = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("a"))) { _ in
            throw SessionEndedError(cause: Down())
        }
        _ = try? await provider?.token(replacing: AccessToken("a"))
        let first = try #require(provider?.sessionEnded), second = try #require(provider?.sessionEnded)
        provider = nil
        var ends: [Int] = []
        for stream in [first, second] {
            var count = 0
            for await end in stream {
                #expect(end.cause is Down)
                count += 1
            }
            ends.append(count)
        }
        #expect(ends == [1, 0])
    }

    @Test("If the store can't remove the token of an ended session, the end is reported once and the token is never refreshed again")
    func stubbornStore() async throws {
        let refreshes = Count(), told = Count()
        let store = FailingStore(AccessToken("a", refreshToken: "dead"))
        store.fail(clear: true)
        // A valid token is replaced only if its renewal is fast. On this clock, time does not pass.
        let provider = StoredTokenProvider(store: store, time: ManualTime(autoAdvances: false)) { _ in
            refreshes.increment()
            throw SessionEndedError()
        } onSessionEnd: { _ in
            told.increment()
        }
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) {
            try await provider.token(replacing: AccessToken("a"))
        }
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) { try await provider.token() }
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) {
            try await provider.token(replacing: AccessToken("a"))
        }
        #expect(refreshes.value == 1)
        #expect(told.value == 1)
        store.fail()
        await #expect(throws: TokenProviderError.sessionEnded(SessionEndedError())) { try await provider.token() }
        #expect(try await provider.token() == nil)
    }

    @Test("If another process has used the refresh token, the session continues with that process's token")
    func otherProcess() async throws {
        let store = InMemoryTokenStore(AccessToken("a", refreshToken: "r1"))
        let provider = StoredTokenProvider(store: store) { _ in
            try await store.save(AccessToken("b", refreshToken: "r2"))
            throw OAuth2Error.refused(OAuth2Refusal(.invalidGrant))
        } onSessionEnd: { _ in
            Issue.record("told")
        }
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "b")
    }

    @Test("Any other failure leaves the session unchanged")
    func otherFailures() async throws {
        let store = InMemoryTokenStore(AccessToken("a", refreshToken: "r1"))
        let failing = HTTPError.statusCode(HTTPResponse(status: 503, body: Data(#"{"error":"invalid_grant"}"#.utf8)))
        for error in [OAuth2Error.refused(OAuth2Refusal(.invalidClient)), Down(), HTTPError.timeout, failing] as [any Error] {
            let provider = StoredTokenProvider(store: store) { _ in
                throw error
            } onSessionEnd: { _ in
                Issue.record("told")
            }
            await #expect(throws: (any Error).self) { try await provider.token(replacing: AccessToken("a")) }
        }
        #expect(try await store.load()?.refreshToken == "r1")
    }
}
