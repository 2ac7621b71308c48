import Foundation
import MartletTesting
import Testing

@testable import MartletClient

@Suite("HeadersInterceptor", .timeLimit(.minutes(5)))
struct HeadersInterceptorTests {
    private let transport = MockTransport { _ in .json("{}") }

    private func send(_ interceptor: HeadersInterceptor, headers: HTTPFields = [:]) async throws -> HTTPFields {
        let client = HTTPClient(baseURL: URL(string: "https://h/")!, transport: transport, interceptors: [interceptor])
        try await client.send(Request<EmptyResponse>.get("x", headers: headers))
        return transport.requests.last?.headers ?? [:]
    }

    @Test("Fields are added with all lines of a name, and a field set by hand wins")
    func adding() async throws {
        let sent = try await send(HeadersInterceptor(["X-A": "1", "X-B": "2", "X-B": "3"]), headers: ["x-a": "mine"])
        #expect(sent.values(for: "X-A") == ["mine"])
        #expect(sent.values(for: "X-B") == ["2", "3"])
    }

    @Test("The client's default User-Agent is replaced, and one set by hand is not")
    func userAgent() async throws {
        #expect(try await send(HeadersInterceptor([.userAgent: "Birds/1"]))[.userAgent] == "Birds/1")
        #expect(try await send(HeadersInterceptor([.userAgent: "Birds/1"]), headers: [.userAgent: "Mine"])[.userAgent] == "Mine")
        #expect(try await send(HeadersInterceptor(["X-A": "1"]))[.userAgent] == "Martlet")
        #expect(HTTPClient.Configuration().headers == [.userAgent: "Martlet"])
    }

    @Test("A value that could inject a line is an error, and nothing is sent")
    func injection() async {
        await #expect(throws: HTTPError.self) { _ = try await send(HeadersInterceptor(["X-A": "1\r\nX-Evil: 1"])) }
        #expect(transport.requests.isEmpty)
    }

    private static let fields: HTTPFields = [.authorization: "Bearer t", "X-App": "1", .userAgent: "Birds/1"]

    /// Returns the fields of a request to the origin `a`, and of the request to `b` after a redirect.
    private func redirected(_ interceptor: HeadersInterceptor, baseURL: String?, from url: String) async throws -> [[String?]] {
        let transport = MockTransport { request in
            request.url.host == "a" ? .status(302, headers: ["Location": "https://b/"]) : .json("{}")
        }
        let base = baseURL.flatMap { URL(string: $0) }
        let client = HTTPClient(baseURL: base, transport: transport, interceptors: [interceptor])
        try await client.send(Request<EmptyResponse>.get(url: URL(string: url)!))
        return transport.requests.map { [$0.headers[.authorization], $0.headers["X-App"], $0.headers[.userAgent]] }
    }

    @Test("A target that another origin chose gets User-Agent only, also at an origin that gets all fields")
    func backAgain() async throws {
        for origins in [nil, ["https://a"]] as [[Origin]?] {
            let transport = MockTransport(
                replies: ["https://b/", "https://a/admin"].map { .status(307, headers: ["Location": $0]) } + [.json("{}")])
            let client = HTTPClient(
                baseURL: URL(string: "https://a/")!, transport: transport, interceptors: [HeadersInterceptor(Self.fields, origins: origins)]
            )
            try await client.send(Request<EmptyResponse>.get("x"))
            #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", nil, nil])
            #expect(transport.requests.map { $0.headers[.userAgent] } == ["Birds/1", "Birds/1", "Birds/1"])
        }
    }

    @Test("User-Agent is sent everywhere, all other fields only to the origin of the client's base URL")
    func ownOrigin() async throws {
        let interceptor = HeadersInterceptor(Self.fields)
        #expect(
            try await redirected(interceptor, baseURL: "https://a/", from: "https://a/x")
                == [["Bearer t", "1", "Birds/1"], [nil, nil, "Birds/1"]])
        #expect(
            try await redirected(interceptor, baseURL: "https://c/", from: "https://a/x")
                == [[nil, nil, "Birds/1"], [nil, nil, "Birds/1"]])
    }

    @Test("Without a base URL, fields are sent until a redirect leads to another origin")
    func firstHop() async throws {
        #expect(
            try await redirected(HeadersInterceptor(Self.fields), baseURL: nil, from: "https://a/x")
                == [["Bearer t", "1", "Birds/1"], [nil, nil, "Birds/1"]])
    }

    @Test("Fields are sent to each of the given origins")
    func namedOrigins() async throws {
        let interceptor = HeadersInterceptor(["X-App": "1"], origins: ["https://a", "https://b"])
        #expect(try await redirected(interceptor, baseURL: "https://c/", from: "https://a/x").map { $0[1] } == ["1", "1"])
    }

    @Test("An app's metadata is sent in fields that are the same in each request")
    func app() async throws {
        let app = AppMetadata(name: "My Birds", version: "2.1", build: "417", platform: "iOS", locale: "de-DE")
        let sent = try await send(.app(app))
        #expect(sent[.userAgent] == "My-Birds/2.1 (iOS; build 417)")
        #expect(sent[.acceptLanguage] == "de-DE")
        #expect(["Name", "Version", "Build", "Platform"].map { sent[HTTPFieldName("X-App-" + $0)] } == ["My Birds", "2.1", "417", "iOS"])
        #expect(try await send(.app(app)) == sent)
    }
}
