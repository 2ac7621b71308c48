import Foundation
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("TokenProviderError", .timeLimit(.minutes(5)))
struct TokenProviderErrorTests {
    private struct Leaking: Error { let token = "s3cr3t" }

    @Test("The end of a session, a failed refresh and a failed store are distinct errors with their causes")
    func cases() throws {
        let ended = TokenProviderError(wrapping: SessionEndedError(cause: Down()))
        #expect(ended == .sessionEnded(SessionEndedError()) && ended.underlying is SessionEndedError)
        let failed = TokenProviderError(wrapping: HTTPError.timeout)
        #expect(failed == .refreshFailed(Down()) && failed.underlying as? HTTPError == .timeout)
        let store = TokenProviderError(wrapping: TokenStoreError(.locked, during: .load))
        #expect(store == .storeFailed(.locked) && store != .storeFailed(.noKeyring))
        #expect(TokenProviderError(wrapping: failed) == failed)
    }

    @Test("Any error of a refresh is a failed refresh, even that of a store")
    func refreshOfAStore() async {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("a"))) { _ in throw TokenStoreError(.locked) }
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token(replacing: AccessToken("a")) }
    }

    @Test("A cancelled caller receives a cancellation, which has no message for people")
    func cancelled() async {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("a"))) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
        }
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.token(replacing: AccessToken("a"))
        }
        await #expect(throws: TokenProviderError.cancelled) { try await call.value }
        #expect(TokenProviderError.cancelled.errorDescription == nil && TokenProviderError.cancelled.underlying == nil)
    }

    @Test("The cancellation of a shared refresh is a failure for a caller that was not cancelled")
    func othersCancellation() async {
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("a"))) { _ in throw CancellationError() }
        await #expect(throws: TokenProviderError.refreshFailed(Down())) { try await provider.token(replacing: AccessToken("a")) }
    }

    @Test("Messages for people have no technical terms, developer texts have the cause, and neither contains a secret")
    func texts() {
        #expect(TokenProviderError.sessionEnded(SessionEndedError()).errorDescription == "Please sign in to continue")
        #expect(TokenProviderError.refreshFailed(HTTPError.timeout).errorDescription == HTTPError.timeout.errorDescription)
        #expect(TokenProviderError.storeFailed(.locked).errorDescription == TokenStoreError.locked.errorDescription)
        let error = TokenProviderError.refreshFailed(Leaking())
        #expect(error.errorDescription == "Your sign-in could not be renewed. Please try again.")
        #expect(error.description.hasPrefix("the token could not be refreshed: "))
        var dumped = ""
        dump(error, to: &dumped)
        for text in [error.description, String(reflecting: error), dumped] { #expect(!text.contains("s3cr3t")) }
    }

    /// A store that is reached over HTTP.
    private struct RemoteStore: TokenStore {
        let error: any Error
        func load() async throws -> AccessToken? { throw error }
        func save(_ token: AccessToken) async throws { throw error }
        func clear() async throws { throw error }
    }

    /// An interceptor that requests its token itself.
    private struct OwnInterceptor: Interceptor {
        let provider: StoredTokenProvider
        func intercept(_ request: HTTPRequest, next: Next) async throws -> HTTPResponse<HTTPBody> {
            _ = try await provider.token()
            return try await next(request)
        }
    }

    @Test("A network failure of a remote store is a network error for the app's calls, not a sign-out, for every caller")
    func remoteStore() async {
        let store = RemoteStore(error: HTTPError.networkError(NetworkFailure(.offline)))
        for provider in [StoredTokenProvider(store: store), StoredTokenProvider(store: SingleWriterTokenStore(store))] {
            for interceptor in [AuthInterceptor(provider), OwnInterceptor(provider: provider)] as [any Interceptor] {
                let client = HTTPClient(
                    baseURL: URL(string: "https://api.example"), transport: MockTransport(.json("{}")), interceptors: [interceptor])
                let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get("x")) }
                #expect(error.map { HTTPErrorMapper().map($0) } == .offline)
            }
        }
    }

    @Test("An interceptor that throws OAuth2Error or a provider's cancellation fails with the underlying HTTPError")
    func causes() {
        let interceptor = OwnInterceptor(provider: StoredTokenProvider(store: InMemoryTokenStore()))
        #expect(HTTPError(thrownBy: interceptor, OAuth2Error.http(.timeout)) == .timeout)
        #expect(HTTPError(thrownBy: interceptor, TokenProviderError.cancelled) == .cancelled)
        #expect(HTTPError(thrownBy: interceptor, TokenProviderError.storeFailed(TokenStoreError(.cancelled))) == .cancelled)
        #expect(HTTPError(wrapping: TokenProviderError.refreshFailed(OAuth2Error.http(.timeout)), stage: .body) == .timeout)
        guard case .interceptorFailed = HTTPError(thrownBy: interceptor, OAuth2Error.noRefreshToken) else {
            Issue.record("an error without a cause in HTTP is the interceptor's")
            return
        }
    }

    @Test("Sign-in and sign-out throw the store's error with the operation, and Martlet's stores throw only TokenStoreError")
    func stores() async {
        let store = FailingStore(nil)
        store.fail(save: true, clear: true)
        let provider = StoredTokenProvider(store: store)
        do throws(TokenStoreError) { try await provider.signIn(AccessToken("a")) } catch {
            #expect(error.operation == .save && error.underlying is Down)
        }
        do throws(TokenStoreError) { try await provider.signOut() } catch { #expect(error.operation == .clear) }
        let single = SingleWriterTokenStore(store)
        do throws(TokenStoreError) {
            try await single.clear()
            Issue.record("no error")
        } catch { #expect(error.kind == .other && error.operation == .clear && error.underlying is Down) }
    }
}
