import Foundation
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("Authorization schemes", .timeLimit(.minutes(5)))
struct AuthorizationSchemeTests {
    private let base = URL(string: "https://api.example/")!

    private func sent(
        _ provider: any TokenProvider, _ scheme: AuthorizationScheme, _ request: Request<EmptyResponse> = .get("x")
    ) async throws -> HTTPRequest {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider, scheme: scheme)])
        try await client.send(request)
        return try #require(transport.requests.first)
    }

    @Test("An API key in a header field is marked as a credential, and the request's own key takes precedence")
    func header() async throws {
        let scheme = AuthorizationScheme.apiKey(header: "X-Maps")
        let request = try await sent(AccessToken("k1"), scheme)
        #expect(request.headers["X-Maps"] == "k1")
        #expect(request.headers.first { $0.name == "X-Maps" }?.isCredential == true)
        #expect(request.headers[.authorization] == nil)
        let byHand = try await sent(AccessToken("k1"), scheme, .get("x", headers: ["x-maps": "mine"]))
        #expect(byHand.headers["X-Maps"] == "mine")
    }

    @Test("An API key in the query is escaped and appended, and the request's own key takes precedence")
    func query() async throws {
        let scheme = AuthorizationScheme.apiKey(query: "api_key")
        #expect(try await sent(AccessToken("a&b"), scheme).url.absoluteString == "https://api.example/x?api_key=a%26b")
        let more = try await sent(AccessToken("k"), scheme, .get("x", query: ["q": 1]))
        #expect(more.url.absoluteString == "https://api.example/x?q=1&api_key=k")
        #expect(!"\(more)".contains("=k"))
        let byHand = try await sent(AccessToken("k"), scheme, .get("x", query: ["api_key": "mine"]))
        #expect(byHand.url.absoluteString == "https://api.example/x?api_key=mine")
        let fragment = try await sent(AccessToken("k"), scheme, .get(url: URL(string: "https://api.example/x#top")!))
        #expect(fragment.url.absoluteString == "https://api.example/x?api_key=k#top")
    }

    @Test("Basic and other tokens are sent with their type")
    func types() async throws {
        let basic = try await sent(AccessToken.basic(user: "u", password: "p"), .authorization)
        #expect(basic.headers[.authorization] == "Basic dTpw")
        let other = try await sent(AccessToken("t", type: "Token"), .authorization)
        #expect(other.headers[.authorization] == "Token t")
    }

    @Test("A repeated request is signed again from the original, and a scheme can define its own rejection")
    func signing() async throws {
        let transport = MockTransport(.status(403), .json("{}"))
        let scheme = AuthorizationScheme.signing(fields: ["X-Signature", "X-Key"], isRefusal: { $0.status == .forbidden }) { request, key in
            #expect(!request.headers.contains("X-Signature"))
            request.headers["X-Signature"] = "\(request.method)-\(request.url.path)-\(key.value)"
        }
        let provider = StoredTokenProvider(store: InMemoryTokenStore(AccessToken("k1"))) { _ in AccessToken("k2") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider, scheme: scheme)])
        try await client.send(Request<EmptyResponse>.get("x"))
        #expect(transport.requests.map { $0.headers["X-Signature"] } == ["GET-/x-k1", "GET-/x-k2"])
    }

    @Test("A token with a line break is refused and not quoted")
    func injection() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await sent(AccessToken("s3cret\r\nX-Evil: 1"), .authorization)
        }
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
    }

    @Test("A rejected static token is not replaced, and its 401 is returned after one request")
    func fixed() async throws {
        let transport = MockTransport { _ in .status(401) }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(AccessToken("k"))])
        let outcome = await client.result(of: Request<EmptyResponse>.get("x"))
        guard case .failure(.statusCode) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(transport.requests.count == 1)
    }
}
