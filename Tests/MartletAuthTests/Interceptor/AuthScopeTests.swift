import Foundation
import MartletTesting
import Testing

@testable import MartletAuth

@Suite("AuthInterceptor: which requests get a token", .timeLimit(.minutes(5)))
struct AuthScopeTests {
    private let base = URL(string: "https://api.example/")!
    private let call = Request<EmptyResponse>.get("x")

    private func provider(refresh: (@Sendable (AccessToken) async throws -> AccessToken)? = nil) -> StoredTokenProvider {
        StoredTokenProvider(store: InMemoryTokenStore(AccessToken("t1")), refresh: refresh)
    }

    @Test("Another scheme, host or port gets no token, and its 401 starts no refresh")
    func otherOrigins() async throws {
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            Issue.record("refreshed")
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        for other in ["http://api.example/x", "https://api.example:8443/x", "https://example/x", "https://api.example.evil/x"] {
            await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get(url: URL(string: other)!)) }
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == [nil, nil, nil, nil])
    }

    @Test(
        "Addresses that resemble the base URL's get no token: user names, encoded slashes, trailing dots, other alphabets",
        arguments: [
            "https://api.example@evil.example/x", "https://api.example:443@evil.example/x", "https://api.example\\@evil.example/x",
            "https://api.example%2F.evil.example/x", "https://api.example%00.evil.example/x", "https://api.example./x",
            "https://\u{430}pi.example/x", "https://xn--pi-6kc.example/x", "https://evil.example/https://api.example/",
            "https://evil.example/?https://api.example/", "https://evil.example#@api.example/", "https://api.example:4430/x",
        ])
    func lookalikes(address: String) async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider())])
        let url = try #require(URL(string: address))
        _ = await client.result(of: Request<EmptyResponse>.get(url: url))
        #expect(transport.requests.allSatisfy { !$0.headers.contains(.authorization) })
    }

    @Test("Other spellings of the base URL's origin get the token: capitals, the default port, an empty port, dots in the path")
    func sameOrigin() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider())])
        for address in ["HTTPS://API.EXAMPLE/x", "https://api.example:443/x", "https://api.example:/x", "https://api.example/a/../x"] {
            try await client.send(Request<EmptyResponse>.get(url: try #require(URL(string: address))))
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == Array(repeating: "Bearer t1", count: 4))
    }

    @Test("A list of origins replaces the base URL's origin")
    func list() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let interceptor = AuthInterceptor(provider(), origins: ["https://a.example", "https://b.example:8443"])
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [interceptor])
        for url in ["https://A.example:443/x", "https://b.example:8443/", "https://b.example/", "https://api.example/"] {
            try await client.send(Request<EmptyResponse>.get(url: URL(string: url)!))
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", "Bearer t1", nil, nil])
    }

    @Test("Without a base URL and origins, a call fails with advice, and nothing is sent")
    func neither() async throws {
        let transport = MockTransport { _ in .json("{}") }
        let client = HTTPClient(transport: transport, interceptors: [AuthInterceptor(provider())])
        let error = await #expect(throws: HTTPError.self) { try await client.send(Request<EmptyResponse>.get(url: base)) }
        #expect(error?.description.contains("origins") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("A redirect to another origin, and one back from there, is sent without the token")
    func redirects() async throws {
        let transport = MockTransport { request in
            switch request.url.absoluteString {
            case "https://api.example/x": .status(302, headers: [.location: "https://cdn.example/y"])
            case "https://cdn.example/y": .status(302, headers: [.location: "https://api.example/z"])
            default: .json("{}")
            }
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider())])
        try await client.send(call)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t1", nil, nil])
    }

    @Test("The request's own Authorization takes precedence, and its 401 is returned")
    func byHand() async throws {
        let transport = MockTransport { _ in .status(401) }
        let provider = provider { _ in
            Issue.record("refreshed")
            return AccessToken("t2")
        }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [AuthInterceptor(provider)])
        await #expect(throws: HTTPError.self) {
            try await client.send(Request<EmptyResponse>.get("x", headers: [.authorization: "Basic abc"]))
        }
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Basic abc"])
    }

    @Test("A request that another origin redirected to the API has no token, unless all its origins are listed")
    func redirectedByStrangers() async throws {
        let transport = MockTransport { request in
            switch request.url.host {
            case "evil.example": .status(307, headers: [.location: "https://api.example/transfer"])
            case "www.example": .status(307, headers: [.location: "https://api.example/x"])
            default: request.url.path == "/out" ? .status(307, headers: [.location: "https://evil.example/"]) : .json("{}")
            }
        }
        let auth = AuthInterceptor(provider(), origins: ["https://api.example", "https://www.example"])
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [auth])
        for start in ["https://evil.example/", "https://www.example/", "https://api.example/out"] {
            try await client.send(Request<EmptyResponse>.post(url: URL(string: start)!))
        }
        #expect(
            transport.requests.map { "\($0.url.path) \($0.headers[.authorization] ?? "-")" } == [
                "/ -", "/transfer -", "/ Bearer t1", "/x Bearer t1", "/out Bearer t1", "/ -", "/transfer -",
            ])
    }
}
