import Foundation
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("TokenProvider", .timeLimit(.minutes(5)))
struct TokenProviderTests {
    private let transport = MockTransport { $0.headers[.authorization] == "Bearer new" ? .json("{}") : .status(401) }

    private func send(_ auth: AuthInterceptor) async -> Result<EmptyResponse, HTTPError> {
        await HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport, interceptors: [auth])
            .result(of: Request<EmptyResponse>.get("x"))
    }

    @Test("A provider that can't replace a token needs one function, and the caller receives the rejecting response")
    func onlyTokens() async {
        struct Fixed: TokenProvider {
            func token() async -> AccessToken? { AccessToken("old") }
        }
        for auth in [AuthInterceptor(Fixed()), AuthInterceptor { AccessToken("old") }, AuthInterceptor(AccessToken("old"))] {
            guard case .failure(let error) = await send(auth) else { return #expect(Bool(false)) }
            #expect(error.status == .unauthorized)
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old", "Bearer old"])
    }

    @Test("A provider of closures returns a token and replaces the rejected one")
    func closures() async {
        let auth = AuthInterceptor {
            AccessToken("old")
        } replacing: { rejected in
            #expect(rejected.value == "old")
            return AccessToken("new")
        }
        #expect(await send(auth) == .success(EmptyResponse()))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    @Test("Closures can be passed where any provider is expected")
    func closuresAsProvider() async {
        func interceptor(_ provider: any TokenProvider) -> AuthInterceptor { AuthInterceptor(provider) }
        let renewing = interceptor(
            ClosureTokenProvider {
                AccessToken("old")
            } replacing: { _ in
                AccessToken("new")
            })
        #expect(await send(renewing) == .success(EmptyResponse()))
        let fixed = interceptor(ClosureTokenProvider { AccessToken("old") })
        guard case .failure(let error) = await send(fixed) else { return #expect(Bool(false)) }
        #expect(error.status == .unauthorized)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new", "Bearer old"])
    }

    @Test("A closure without a token leaves the request without one, and its error is the cause of a failed authentication")
    func noToken() async {
        struct Locked: Error {}
        _ = await send(AuthInterceptor { nil })
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil])
        guard case .failure(let error) = await send(AuthInterceptor { throw Locked() }) else { return #expect(Bool(false)) }
        #expect(error == .authenticationFailed && error.underlying is Locked)
    }
}
