import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("StoredTokenProvider", .timeLimit(.minutes(5)))
struct StoredTokenProviderTests {
    private let time = ManualTime()

    private func token(_ value: String, in seconds: Double, life: Double? = nil, refreshToken: String? = "r1") -> AccessToken {
        AccessToken(
            value, refreshToken: refreshToken, expiry: time.now.addingTimeInterval(seconds),
            issued: life.map { time.now.addingTimeInterval(seconds - $0) })
    }

    @Test("A token is refreshed within the leeway before it expires, once for all callers")
    func early() async throws {
        let refreshes = Count()
        let fresh = token("new", in: 3600)
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: 60)), leeway: .seconds(30), time: time) { _ in
            refreshes.increment()
            return fresh
        }
        #expect(try await provider.token()?.value == "old")
        time.advance(by: .seconds(29))
        #expect(try await provider.token()?.value == "old")
        time.advance(by: .seconds(1))
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await provider.token()?.value } }
            for try await value in group { #expect(value == "new") }
        }
        #expect(refreshes.value == 1)
    }

    @Test("A leeway is limited to a quarter of the token's life: a token of two seconds is used for one and a half")
    func shortLife() {
        let token = token("t", in: 2, life: 2)
        #expect(!token.isStale(at: time.now, leeway: .seconds(60)))
        #expect(!token.isStale(at: time.now.addingTimeInterval(1.4), leeway: .seconds(60)))
        #expect(token.isStale(at: time.now.addingTimeInterval(1.5), leeway: .seconds(60)))
        #expect(!AccessToken("t").isStale(at: .distantFuture, leeway: .seconds(60)))
        #expect(!self.token("t", in: -5, life: -1).isStale(at: time.now, leeway: .seconds(60)))
    }

    @Test("A failed early refresh leaves a valid token in use, and fails the call if the token has expired")
    func earlyFailure() async throws {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: 20)), time: time) { _ in throw Down() }
        #expect(try await provider.token()?.value == "old")
        time.advance(by: .seconds(20))
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token() }
    }

    @Test("A new token is stored before it is returned, and keeps the refresh token and scopes that the response omits")
    func completed() async throws {
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r1", scopes: ["read"]))
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("new") }
        let given = try await provider.token(replacing: AccessToken("old"))
        #expect(given == AccessToken("new", refreshToken: "r1", issued: time.now, scopes: ["read"]))
        #expect(try await store.load() == given)
    }

    @Test("If the store fails to save a new token, the next call saves it without another refresh")
    func unsaved() async throws {
        let refreshes = Count()
        let store = FailingStore(AccessToken("old", refreshToken: "r1"))
        store.fail(save: true)
        let provider = StoredTokenProvider(store: store, time: time) { _ in
            refreshes.increment()
            return AccessToken("new", refreshToken: "r2")
        }
        await #expect(throws: TokenProviderError.storeFailed(TokenStoreError(.other))) {
            try await provider.token(replacing: AccessToken("old"))
        }
        #expect(try await provider.token()?.value == "old")
        store.fail()
        #expect(try await provider.token()?.value == "new")
        #expect(store.kept?.refreshToken == "r2")
        #expect(try await provider.token(replacing: AccessToken("old"))?.value == "new")
        #expect(refreshes.value == 1)
    }

    @Test("A sign-out or a new sign-in during a refresh takes effect", arguments: [nil, "theirs"])
    func changedMeanwhile(value: String?) async throws {
        let barrier = Barrier()
        let store = InMemoryTokenStore(AccessToken("old"))
        let provider = StoredTokenProvider(store: store, time: time) { _ in
            await barrier.pass()
            return AccessToken("new")
        }
        let renewal = Task { try await provider.token(replacing: AccessToken("old"))?.value }
        try await barrier.arrivals.reach(1)
        if let value { try await store.save(AccessToken(value)) } else { try await store.clear() }
        barrier.open()
        #expect(try await renewal.value == value)
        #expect(try await store.load()?.value == value)
    }

    @Test("A late rejection of an older token waits for the running refresh and starts none")
    func lateRejection() async throws {
        let barrier = Barrier(), refreshes = Count()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t1")), time: time) { _ in
            refreshes.increment()
            await barrier.pass()
            return AccessToken("t2")
        }
        let now = Task { try await provider.token(replacing: AccessToken("t1"))?.value }
        try await barrier.arrivals.reach(1)
        let late = Task { try await provider.token(replacing: AccessToken("t0"))?.value }
        for _ in 0..<100 { await Task.yield() }
        barrier.open()
        #expect(try await now.value == "t2")
        #expect(try await late.value == "t2")
        #expect(refreshes.value == 1)
    }

    @Test("A hanging refresh fails at its timeout, and the next one waits for it for one more period")
    func hanging() async throws {
        let refreshes = Count()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("old")), refreshTimeout: .seconds(5), time: time) { _ in
            refreshes.increment()
            if refreshes.value == 1 { await Barrier().pass() }
            return AccessToken("new")
        }
        for _ in 0..<2 {
            let hanging = Task { try await provider.token(replacing: AccessToken("old")) }
            try await refreshes.reach(1)
            try await time.waitForTimers(1)
            time.advance(by: .seconds(5))
            await #expect(throws: TokenProviderError.refreshFailed(HTTPError.timeout)) { try await hanging.value }
        }
        #expect(refreshes.value == 1)
        #expect(try await provider.token(replacing: AccessToken("old"))?.value == "new")
    }

    @Test("A store that can't be read fails the call and does not count as empty")
    func unreadable() async throws {
        let store = FailingStore(AccessToken("t"))
        store.fail(load: true)
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport,
            interceptors: [AuthInterceptor(StoredTokenProvider(store: store))])
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(error == .authenticationFailed("the token provider could not return a token"))
        #expect((error?.underlying as? TokenStoreError)?.operation == .load)
        #expect((error?.underlying as? TokenStoreError)?.underlying is Down)
        #expect(transport.requests.isEmpty)
    }

    @Test("The token of a refresh that returns after its timeout is stored, so that its refresh token is not lost")
    func late() async throws {
        let barrier = Barrier(), asked = Count()
        let store = FailingStore(AccessToken("old", refreshToken: "r1"))
        let provider = StoredTokenProvider(store: store, refreshTimeout: .seconds(5), time: time) { _ in
            asked.increment()
            await barrier.pass()
            return AccessToken("new", refreshToken: "r2")
        }
        let hanging = Task { try await provider.token(replacing: AccessToken("old")) }
        try await asked.reach(1)
        try await time.waitForTimers(1)
        time.advance(by: .seconds(5))
        await #expect(throws: TokenProviderError.refreshFailed(HTTPError.timeout)) { try await hanging.value }
        barrier.open()
        try await store.saves.reach(1)
        #expect(store.kept?.refreshToken == "r2")
        #expect(try await provider.token(replacing: AccessToken("old"))?.value == "new")
        #expect(asked.value == 1)
    }

    @Test("A store that does not respond fails the refresh in time, and the next call saves the token")
    func hangingStore() async throws {
        final class Hanging: TokenStore {
            let kept = InMemoryTokenStore(AccessToken("old", refreshToken: "r1"))
            let saves = Count()
            func load() async throws -> AccessToken? { try await kept.load() }
            func save(_ token: AccessToken) async throws {
                saves.increment()
                if saves.value == 1 { await Barrier().pass() }
                try await kept.save(token)
            }
            func clear() async throws { try await kept.clear() }
        }
        let store = Hanging()
        let provider = StoredTokenProvider(store: store, refreshTimeout: .seconds(5), time: time) { _ in
            AccessToken("new", refreshToken: "r2")
        }
        for _ in 0..<2 {
            let hanging = Task { try await provider.token(replacing: AccessToken("old")) }
            try await store.saves.reach(1)
            try await time.waitForTimers(1)
            time.advance(by: .seconds(5))
            await #expect(throws: TokenProviderError.refreshFailed(HTTPError.timeout)) { try await hanging.value }
        }
        #expect(try await provider.token(replacing: AccessToken("old"))?.value == "new")
        #expect(try await store.load()?.refreshToken == "r2")
    }

    @Test(
        "A damaged stored token is a typed error with its cause and without quotes, and nothing is sent",
        arguments: [
            "", "{", #"{"value":7,"refreshToken":"s3cret"}"#, #"{"refreshToken":"s3cret"}"#, "\u{0}s3cret", #"["s3cret"]"#,
        ])
    func damaged(text: String) async throws {
        struct FileLike: TokenStore {
            let text: String
            func load() async throws -> AccessToken? { try JSONDecoder().decode(AccessToken.self, from: Data(text.utf8)) }
            func save(_ token: AccessToken) async throws {}
            func clear() async throws {}
        }
        let transport = MockTransport { _ in .json("{}") }
        let provider = StoredTokenProvider(store: FileLike(text: text)) { _ in
            Issue.record("refreshed")
            return AccessToken("new")
        }
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [AuthInterceptor(provider)])
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(error == .authenticationFailed("the token provider could not return a token"))
        #expect((error?.underlying as? TokenStoreError)?.underlying is DecodingError)
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("Without a refresh, a rejected token is replaced only if the store has another")
    func withoutRefresh() async throws {
        let store = InMemoryTokenStore(AccessToken("a"))
        let provider = StoredTokenProvider(store: store, time: time)
        #expect(try await provider.token(replacing: AccessToken("a")) == nil)
        try await store.save(AccessToken("b"))
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "b")
    }

    @Test("A valid token is used if its early refresh is slow, and no refresh is tried for a while")
    func slowEarlyRefresh() async throws {
        let barrier = Barrier(), refreshes = Count()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: 20)), time: time) { _ in
            refreshes.increment()
            await barrier.pass()
            return AccessToken("new")
        }
        let waiting = Task { try await provider.token()?.value }
        try await refreshes.reach(1)
        try await time.waitForTimers(2)
        time.advance(by: .seconds(2))
        #expect(try await waiting.value == "old")
        #expect(try await provider.token()?.value == "old")
        barrier.open()
        #expect(try await provider.token(replacing: AccessToken("old"))?.value == "new")
        #expect(refreshes.value == 1)
    }

    @Test("A server that asks to wait is not asked again until then, or for a minute at most, and a sign-in ends the wait")
    func waits() async throws {
        let refreshes = Count()
        let refused = HTTPError.statusCode(HTTPResponse(status: 429, headers: [.retryAfter: "300"], body: Data()))
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: -1)), time: time) { _ in
            refreshes.increment()
            throw refused
        }
        for _ in 0..<3 { await #expect(throws: TokenProviderError.refreshFailed(refused)) { try await provider.token() } }
        #expect(refreshes.value == 1)
        time.advance(by: .seconds(59))
        await #expect(throws: TokenProviderError.refreshFailed(refused)) { try await provider.token(replacing: token("old", in: -60)) }
        #expect(refreshes.value == 1)
        time.advance(by: .seconds(1))
        await #expect(throws: TokenProviderError.refreshFailed(refused)) { try await provider.token() }
        #expect(refreshes.value == 2)
        try await provider.signIn(token("next", in: -1))
        await #expect(throws: TokenProviderError.refreshFailed(refused)) { try await provider.token() }
        #expect(refreshes.value == 3)
    }

    @Test("Failed early refreshes are not repeated for every call")
    func failingEarlyRefresh() async throws {
        let refreshes = Count()
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: 20)), time: time) { _ in
            refreshes.increment()
            throw Down()
        }
        for _ in 0..<50 { #expect(try await provider.token()?.value == "old") }
        #expect(refreshes.value == 1)
        time.advance(by: .seconds(5))
        #expect(try await provider.token()?.value == "old")
        #expect(refreshes.value == 2)
    }

    @Test(
        "A provider without its own clock uses that of the client, also for the timeout of a refresh and inside another provider")
    func inheritedTime() async throws {
        struct Wrapping: TokenProvider {
            let inner: StoredTokenProvider
            func token() async throws -> AccessToken? { try await inner.token() }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await inner.token(replacing: rejected) }
        }
        for isWrapped in [false, true] {
            // A time later than the system clock.
            let time = ManualTime(now: Date(timeIntervalSince1970: 1e10))
            let store = InMemoryTokenStore(AccessToken("old", expiry: time.now.addingTimeInterval(60)))
            let provider = StoredTokenProvider(store: store, leeway: .seconds(30)) { _ in
                try await time.sleep(for: .seconds(1))
                return AccessToken("new", expiry: time.now.addingTimeInterval(60))
            }
            let transport = MockTransport { _ in .json("{}") }
            let auth = isWrapped ? AuthInterceptor(Wrapping(inner: provider)) : AuthInterceptor(provider)
            let client = HTTPClient(
                baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [auth], time: time)
            try await client.send(Request<EmptyResponse>.get("x"))
            time.advance(by: .seconds(40))
            try await client.send(Request<EmptyResponse>.get("x"))
            #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
            #expect(try await store.load()?.issued == time.now)
        }
    }
}
