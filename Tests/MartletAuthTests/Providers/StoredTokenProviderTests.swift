import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("Tokens from a store", .timeLimit(.minutes(5)))
struct StoredTokenProviderTests {
    private let time = ManualTime()

    private func token(_ value: String, in seconds: Double, life: Double? = nil, refreshToken: String? = "r1") -> AccessToken {
        AccessToken(
            value, refreshToken: refreshToken, expiry: time.now.addingTimeInterval(seconds),
            issued: life.map { time.now.addingTimeInterval(seconds - $0) })
    }

    @Test("A token is refreshed before it expires, within the leeway, once for everybody")
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

    @Test("A leeway longer than a quarter of the token's life is that quarter: a token of two seconds is used for one and a half")
    func shortLife() {
        let token = token("t", in: 2, life: 2)
        #expect(!token.isStale(at: time.now, leeway: .seconds(60)))
        #expect(!token.isStale(at: time.now.addingTimeInterval(1.4), leeway: .seconds(60)))
        #expect(token.isStale(at: time.now.addingTimeInterval(1.5), leeway: .seconds(60)))
        #expect(!AccessToken("t").isStale(at: .distantFuture, leeway: .seconds(60)))
        #expect(!self.token("t", in: -5, life: -1).isStale(at: time.now, leeway: .seconds(60)))
    }

    @Test("An early refresh that fails leaves the token in use while it is good, and fails the call when it has expired")
    func earlyFailure() async throws {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(token("old", in: 20)), time: time) { _ in throw Down() }
        #expect(try await provider.token()?.value == "old")
        time.advance(by: .seconds(20))
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token() }
    }

    @Test("What is new is stored before it is given, and an answer without refresh token and scopes keeps the old ones")
    func completed() async throws {
        let store = InMemoryTokenStore(AccessToken("old", refreshToken: "r1", scopes: ["read"]))
        let provider = StoredTokenProvider(store: store, time: time) { _ in AccessToken("new") }
        let given = try await provider.token(replacing: AccessToken("old"))
        #expect(given == AccessToken("new", refreshToken: "r1", issued: time.now, scopes: ["read"]))
        #expect(try await store.load() == given)
    }

    @Test("When the store will not take a new token it is not used and not lost: the next call stores it, without another refresh")
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

    @Test("Who signs out or in anew while a refresh is under way is not signed back in", arguments: [nil, "theirs"])
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

    @Test("A late rejection of an older token waits for the refresh under way and starts none")
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

    @Test("A refresh that does not come back fails when its time is over; the next one waits for it as long again, and then one runs")
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

    @Test("A store that can't be read fails the call, and is not taken for an empty one")
    func unreadable() async throws {
        let store = FailingStore(AccessToken("t"))
        store.fail(load: true)
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: transport,
            interceptors: [AuthInterceptor(StoredTokenProvider(store: store))])
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
        #expect(error == .authenticationFailed("no token could be got"))
        #expect((error?.underlying as? TokenStoreError)?.operation == .load)
        #expect((error?.underlying as? TokenStoreError)?.underlying is Down)
        #expect(transport.requests.isEmpty)
    }

    @Test("A refresh that comes back after its time was over is stored all the same: its refresh token is not lost")
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

    @Test("A store that never answers fails the refresh in its time; what it was to keep is kept by the next")
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
        "A stored token that is damaged is a typed error with its cause, quotes nothing, and nothing is sent",
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
        #expect(error == .authenticationFailed("no token could be got"))
        #expect((error?.underlying as? TokenStoreError)?.underlying is DecodingError)
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("Without a refresh a refused token is not replaced, unless the store has another by now")
    func withoutRefresh() async throws {
        let store = InMemoryTokenStore(AccessToken("a"))
        let provider = StoredTokenProvider(store: store, time: time)
        #expect(try await provider.token(replacing: AccessToken("a")) == nil)
        try await store.save(AccessToken("b"))
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "b")
    }

    @Test("A token that is good for a while is used when its early refresh does not come soon, and for a while none is tried")
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

    @Test("Early refreshes that fail are not tried again for every call")
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
        "Without a clock of its own, a provider uses that of the client, also for the time limit of a refresh and inside another provider")
    func inheritedTime() async throws {
        struct Wrapping: TokenProvider {
            let inner: StoredTokenProvider
            func token() async throws -> AccessToken? { try await inner.token() }
            func token(replacing rejected: AccessToken) async throws -> AccessToken? { try await inner.token(replacing: rejected) }
        }
        for isWrapped in [false, true] {
            // Later than any system clock.
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
