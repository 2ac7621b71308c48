import Foundation
import MartletTesting
import TestSupport
import Testing

@testable import MartletAuth

@Suite("RefreshLog", .timeLimit(.minutes(5)))
struct RefreshLogTests {
    private let time = ManualTime()

    private func log(_ empty: RefreshLog, at moments: [Int]) -> RefreshLog {
        var log = empty
        for moment in moments { log.note(at: time.instant + .seconds(moment)) }
        return log
    }

    @Test(
        "The next refresh waits until the oldest counted refresh is older than the window",
        arguments: [
            ([], 0, nil), ([0, 1], 1, nil), ([0, 1, 2], 2, 58), ([0, 1, 2], 59, 1), ([0, 1, 2], 60, nil), ([0, 1, 60], 60, nil),
            ([0, 1, 2, 60], 60, 1), ([0, 1, 2, 60], 61, nil), ([0, 30, 70, 80], 89, 1), ([0, 30, 70, 80], 90, nil),
        ] as [([Int], Int, Int?)])
    func waits(moments: [Int], now: Int, wait: Int?) {
        let log = log(RefreshLog(max: 3, window: .seconds(60)), at: moments)
        #expect(log.wait(at: time.instant + .seconds(now)) == wait.map { .seconds($0) })
    }

    @Test("Without a limit no refresh waits, and a limit of zero or less allows none")
    func extremes() {
        #expect(log(RefreshLog(max: 10, window: .zero), at: Array(0..<100)).wait(at: time.instant) == nil)
        for count in [0, -1, Int.min] {
            let limit = RefreshLog(max: count, window: .seconds(5))
            #expect(log(limit, at: [0]).wait(at: time.instant + .seconds(100)) == .seconds(5))
        }
        #expect(RefreshLog(max: 0, window: .zero).wait(at: time.instant) == .zero)
    }

    // MARK: Providers

    /// Returns a client whose server rejects every token, and counts its refreshes.
    private func rejected(maxRefreshes: Int, refreshes: Count, life: Double? = nil) -> HTTPClient {
        let time = time
        let provider = StoredTokenProvider(
            store: InMemoryTokenStore(AccessToken("t0")), maxRefreshes: maxRefreshes, time: time
        ) { _ in
            refreshes.increment()
            return AccessToken("t\(refreshes.value)", expiry: life.map { time.now.addingTimeInterval($0) })
        }
        return HTTPClient(
            baseURL: URL(string: "https://api.example"), transport: MockTransport { _ in .status(401) },
            interceptors: [AuthInterceptor(provider, time: time)], time: time)
    }

    /// A provider whose stored token is `a`. Its refreshes are counted, and return `t1`, `t2` and so on unless `refresh` is given.
    private func provider(
        maxRefreshes: Int, refreshes: Count,
        refresh: @escaping @Sendable (_ count: Int) throws -> AccessToken = { AccessToken("t\($0)") }
    ) -> StoredTokenProvider {
        StoredTokenProvider(
            store: InMemoryTokenStore(AccessToken("a")), maxRefreshes: maxRefreshes, time: time
        ) { _ in
            refreshes.increment()
            return try refresh(refreshes.value)
        }
    }

    private func status(_ client: HTTPClient) async -> HTTPError? {
        do {
            _ = try await client.send(Request<EmptyResponse>.get("x"))
            return nil
        } catch { return error }
    }

    @Test("A server that rejects every token causes the allowed refreshes; then calls fail immediately until the window has passed")
    func storm() async throws {
        let refreshes = Count()
        let client = rejected(maxRefreshes: 3, refreshes: refreshes)
        for call in 0..<10 {
            let error = await status(client)
            #expect(error?.status == (call < 3 ? 401 : nil))
            guard call >= 3 else { continue }
            guard case .authenticationFailed(let why)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect("\(why)".contains("rejected 3 refreshed tokens"))
        }
        #expect(refreshes.value == 3)
        time.advance(by: .seconds(59))
        _ = await status(client)
        #expect(refreshes.value == 3)
        time.advance(by: .seconds(1))
        for _ in 0..<10 { _ = await status(client) }
        #expect(refreshes.value == 6)
    }

    @Test("By default ten refreshes in a minute are allowed")
    func defaults() async {
        let refreshes = Count()
        let client = rejected(maxRefreshes: 10, refreshes: refreshes)
        for _ in 0..<40 { _ = await status(client) }
        #expect(refreshes.value == 10)
    }

    @Test("A sign-in resets the count")
    func signIn() async throws {
        let refreshes = Count()
        let provider = provider(maxRefreshes: 1, refreshes: refreshes)
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "t1")
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token(replacing: AccessToken("t1")) }
        try await provider.signIn(AccessToken("b", session: "s"))
        #expect(try await provider.token(replacing: AccessToken("b", session: "s"))?.value == "t2")
    }

    @Test("Rejections of a token that was replaced meanwhile are not counted")
    func manyRejections() async throws {
        let refreshes = Count()
        let provider = provider(maxRefreshes: 2, refreshes: refreshes)
        for _ in 0..<50 { #expect(try await provider.token(replacing: AccessToken("a"))?.value == "t1") }
        #expect(try await provider.token(replacing: AccessToken("t1"))?.value == "t2")
        #expect(refreshes.value == 2)
    }

    @Test("Short-lived tokens are refreshed whenever they expire, even if the server rejects one shortly before")
    func shortLives() async throws {
        let refreshes = Count(), time = time
        let provider = StoredTokenProvider(
            store: InMemoryTokenStore(AccessToken("a", expiry: time.now)), maxRefreshes: 1, time: time
        ) { _ in
            refreshes.increment()
            return AccessToken("t\(refreshes.value)", expiry: time.now.addingTimeInterval(1), issued: time.now)
        }
        for _ in 0..<20 {
            let token = try #require(try await provider.token())
            time.advance(by: .seconds(1))
            _ = try await provider.token(replacing: token)
            time.advance(by: .seconds(1))
        }
        #expect(refreshes.value == 40)
    }

    @Test("A refresh that fails is not counted")
    func failures() async throws {
        let tries = Count()
        let provider = provider(maxRefreshes: 1, refreshes: tries) { count in
            if count < 5 { throw Down() }
            return AccessToken("new")
        }
        for _ in 0..<4 {
            await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token(replacing: AccessToken("a")) }
        }
        #expect(try await provider.token(replacing: AccessToken("a"))?.value == "new")
    }

    @Test("OAuth 2 token refreshes are limited in the same way")
    func oauth() async throws {
        let transport = MockTransport { request in .json(#"{"access_token":"t\#(UInt64.random(in: 0 ... .max))"}"#) }
        let client = OAuth2Client(
            id: "birds", tokenEndpoint: try #require(URL(string: "https://id.example/token")), http: HTTPClient(transport: transport))
        let provider = OAuth2TokenProvider(
            client, grant: .clientCredentials(), maxRefreshes: 2, time: time)
        for _ in 0..<6 {
            guard let token = try await provider.token() else { continue }
            _ = try? await provider.token(replacing: token)
        }
        // One request was for the first token.
        #expect(transport.requests.count == 3)
    }
}
